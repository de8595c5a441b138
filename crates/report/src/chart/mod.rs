//! Message sequence charts (ITU-T Z.120, in part): a run as lifelines and the messages between them.
//!
//! A message is an arrow from where it is sent to where it is received. Which receive belongs to which
//! send follows from the positions that the system reports: every channel is kept as a list of messages,
//! into which a sorted send inserts anywhere and from which a random receive takes any. Messages that
//! nobody received are open arrows. Steps that neither send nor receive are left out unless asked for.

mod svg;
mod text;
mod width;

use crate::run;
use crate::steps::one_line;
use mazurka_model::{Describe, Event, EventKind, FindingKind, ProcessId};
use mazurka_replay::Run;
use std::collections::HashMap;

/// A process in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// Its name.
    pub name: String,
    /// The row in which it is created; `None` if it was always there.
    pub born: Option<usize>,
    /// The row in which it ends.
    pub ended: Option<usize>,
}

/// A message through a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The channel and the message.
    pub label: String,
    /// The lifeline that sends it, and in which row.
    pub sent: (usize, usize),
    /// The lifeline that receives it, and in which row.
    pub received: Option<(usize, usize)>,
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A message is sent.
    Send(usize),
    /// A message is received.
    Receive(usize),
    /// A message is looked at and stays.
    Look {
        /// Which.
        message: usize,
        /// By whom.
        by: usize,
    },
    /// A message passes at once.
    Handshake {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The channel and the message.
        label: String,
    },
    /// A process creates another.
    Create {
        /// Who.
        from: usize,
        /// Whom.
        to: usize,
    },
    /// A process ends.
    End(usize),
    /// Something is said about a process.
    Note {
        /// Which.
        lifeline: usize,
        /// What.
        text: String,
    },
    /// Here the run goes wrong.
    Wrong(usize),
}

/// A row of a chart: one thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// In which step, from 1.
    pub step: usize,
    /// What.
    pub mark: Mark,
}

/// A message sequence chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The name of the model.
    pub title: String,
    /// The processes, from left to right.
    pub lifelines: Vec<Lifeline>,
    /// The messages, in the order in which they are sent.
    pub messages: Vec<Message>,
    /// What happens, from top to bottom.
    pub rows: Vec<Row>,
    /// How the run ends.
    pub ending: String,
    /// Whether it ends in an error.
    pub wrong: bool,
}

impl Chart {
    /// The chart of a run; with `all`, of all its steps.
    pub fn new(run: &Run, describe: &dyn Describe, all: bool) -> Chart {
        let mut builder = Builder {
            chart: Chart {
                title: describe.name(),
                lifelines: Vec::new(),
                messages: Vec::new(),
                rows: Vec::new(),
                ending: run::ending(run, describe),
                wrong: run.kind != FindingKind::Stopped,
            },
            slots: HashMap::new(),
            channels: HashMap::new(),
        };
        for (slot, name) in describe.processes(&run.initial).into_iter().enumerate() {
            builder.lifeline(ProcessId(slot as u16), name);
        }
        for (index, executed) in run.steps.iter().enumerate() {
            let before = run.before(index);
            let text = describe.step(before, executed.step.step);
            let process = executed.step.step.process;
            let mine = builder.of(process, &text.process);
            let step = index + 1;
            let rows = builder.chart.rows.len();
            for event in describe.events(before, executed.step) {
                builder.event(step, event);
            }
            if all && builder.chart.rows.len() == rows {
                builder.row(step, Mark::Note { lifeline: mine, text: one_line(&text.text) });
            }
            if index + 1 == run.steps.len() && matches!(run.kind, FindingKind::Step { .. }) {
                builder.row(step, Mark::Wrong(mine));
            }
        }
        builder.chart
    }

    /// The messages that nobody received, by number.
    pub fn open(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.messages.iter().enumerate().filter(|(_, message)| message.received.is_none())
    }
}

struct Builder {
    chart: Chart,
    /// The lifeline of the process that has a slot at present.
    slots: HashMap<ProcessId, usize>,
    /// The messages in each channel, the first in front.
    channels: HashMap<u32, Vec<usize>>,
}

impl Builder {
    fn lifeline(&mut self, slot: ProcessId, name: String) -> usize {
        self.chart.lifelines.push(Lifeline { name, born: None, ended: None });
        self.slots.insert(slot, self.chart.lifelines.len() - 1);
        self.chart.lifelines.len() - 1
    }

    /// The lifeline of a process. One that was not known before gets this name.
    fn of(&mut self, slot: ProcessId, name: &str) -> usize {
        match self.slots.get(&slot) {
            Some(lifeline) => *lifeline,
            None if name.is_empty() => self.lifeline(slot, format!("process {slot}")),
            None => self.lifeline(slot, name.to_owned()),
        }
    }

    fn row(&mut self, step: usize, mark: Mark) -> usize {
        self.chart.rows.push(Row { step, mark });
        self.chart.rows.len() - 1
    }

    fn event(&mut self, step: usize, Event { process, kind }: Event) {
        let mine = self.of(process, "");
        let row = self.chart.rows.len();
        match kind {
            EventKind::Sent { channel, name, message, position } => {
                let label = format!("{name}!{message}");
                self.chart.messages.push(Message { label, sent: (mine, row), received: None });
                let number = self.chart.messages.len() - 1;
                let held = self.channels.entry(channel).or_default();
                held.insert(position.min(held.len()), number);
                self.row(step, Mark::Send(number));
            }
            EventKind::Lost { name, message } => {
                self.row(step, Mark::Note { lifeline: mine, text: format!("{name}!{message} is lost") });
            }
            EventKind::Received { channel, name, message, position, kept } => {
                let held = self.channels.entry(channel).or_default();
                let known = held.get(position).copied();
                if !kept && known.is_some() {
                    held.remove(position);
                }
                match known {
                    Some(number) if kept => {
                        self.row(step, Mark::Look { message: number, by: mine });
                    }
                    Some(number) => {
                        self.chart.messages[number].received = Some((mine, row));
                        self.row(step, Mark::Receive(number));
                    }
                    None => {
                        self.row(step, Mark::Note { lifeline: mine, text: format!("{name}?{message}") });
                    }
                }
            }
            EventKind::Handshake { partner, name, message } => {
                let to = self.of(partner, "");
                self.row(step, Mark::Handshake { from: mine, to, label: format!("{name}!{message}") });
            }
            EventKind::Created { child, name } => {
                let to = self.lifeline(child, name);
                self.chart.lifelines[to].born = Some(row);
                self.row(step, Mark::Create { from: mine, to });
            }
            EventKind::Ended { channels } => {
                channels.iter().for_each(|channel| drop(self.channels.remove(channel)));
                self.slots.remove(&process);
                self.chart.lifelines[mine].ended = Some(row);
                self.row(step, Mark::End(mine));
            }
            EventKind::Printed(text) => {
                self.row(step, Mark::Note { lifeline: mine, text: format!("“{}”", one_line(&text)) });
            }
        }
    }
}
