//! A network as a transition system (1996, section III).
//!
//! A process of the engine is a processor, or a timer. A processor has at most one enabled machine, that of the
//! first process in order of priority that has something to do: a message in its high-priority queue, else one in
//! its low-priority queue, else a free machine that can act. Each way in which that machine can react is a step.
//! A timer has one step while it runs: it expires. All steps are atomic.

use super::information::{Information, Knowledge};
use super::layout::Layout;
use super::network::{Network, Processor};
use super::relations::Objects;
use super::run::{Operation, Outcome, Wrong};
use super::table::{Found, Table};
use mazurka_model::{Batch, Chosen, Describe, Relations, Step, System, ViolationKind};

/// The bit of a step that a free machine takes by itself.
const BY_ITSELF: u32 = 1 << 31;
/// Where the message stands in the code of a step.
const MESSAGE_SHIFT: u32 = 12;
/// Places of violations: message and state.
const STATE_SHIFT: u32 = 16;
/// The bit of the place of a timer's misuse among assertions.
pub(super) const OF_TIMER: u32 = 1 << 30;
/// The bit of the place of a fault that is a lack of room and no livelock.
pub(super) const TOO_MANY: u32 = 1 << 31;
/// The bit of the place of an overflow of something other than a queue.
pub(super) const OF_DATA: u32 = 1 << 31;

/// A network that can be explored.
#[derive(Debug)]
pub struct VfsmSystem {
    pub(super) network: Network,
    pub(super) layout: Layout,
    pub(super) table: Table,
    pub(super) knowledge: Knowledge,
    pub(super) objects: Objects,
    pub(super) information: Information,
    /// The temporal properties that are checked: name and text.
    pub(super) properties: Vec<(String, String)>,
}

/// What makes a processor move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A message of a machine of the same process.
    High(u32),
    /// A message of another process or of a timer.
    Low(u32),
    /// Nothing: a free machine acts.
    Free(usize),
    /// Nothing: one of the free machines of the processor acts.
    Any,
}

/// The process of a processor that is to move, and why.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Activation {
    pub process: usize,
    pub source: Source,
}

impl VfsmSystem {
    /// The system of a network.
    pub fn new(network: Network) -> VfsmSystem {
        let layout = Layout::new(&network);
        let table = Table::new(&network);
        let knowledge = Knowledge::new(&network);
        let objects = Objects::new(&network);
        VfsmSystem {
            network,
            layout,
            table,
            knowledge,
            objects,
            information: Information::Auto,
            properties: Vec::new(),
        }
    }

    /// The same system, whose own persistent sets are computed from this kind of information.
    pub fn with_information(mut self, information: Information) -> VfsmSystem {
        self.information = information;
        self
    }

    /// Says which temporal properties are checked: the name and the text of each.
    pub fn set_properties(&mut self, properties: Vec<(String, String)>) {
        self.properties = properties;
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// How many situations of single machines were worked out beforehand.
    pub fn situations(&self) -> usize {
        self.table.len()
    }

    /// What a processor is to do in a state.
    #[inline]
    pub(super) fn activation(&self, state: &[u8], processor: usize) -> Option<Activation> {
        let Processor { processes, shared, .. } = &self.network.processors[processor];
        for process in processes.clone() {
            if let Some(message) = self.layout.head(state, self.layout.high(process)) {
                return Some(Activation { process, source: Source::High(message) });
            }
            if let Some(message) = self.layout.head(state, self.layout.low(process)) {
                return Some(Activation { process, source: Source::Low(message) });
            }
            if let Some(machine) = self.network.processes[process].free
                && !shared
                && self.acts(state, machine)
            {
                return Some(Activation { process, source: Source::Free(machine) });
            }
        }
        // All queues were found empty, so the process stands for all of them.
        let any = *shared && self.free_machines(processor).any(|machine| self.acts(state, machine));
        any.then(|| Activation { process: processes.end - 1, source: Source::Any })
    }

    /// The free machines of a processor.
    pub(super) fn free_machines(&self, processor: usize) -> impl Iterator<Item = usize> + use<'_> {
        let processes = self.network.processors[processor].processes.clone();
        processes.filter_map(|process| self.network.processes[process].free)
    }

    fn acts(&self, state: &[u8], machine: usize) -> bool {
        let here = &self.network.machines[machine].states[self.layout.state(state, machine) as usize];
        !here.spontaneous.is_empty() && {
            let register = self.layout.register(state, machine);
            here.spontaneous.iter().any(|(test, _)| test.holds(register))
        }
    }

    /// The messages that a free machine may give itself, each once.
    pub(super) fn spontaneous(&self, state: &[u8], machine: usize, mut each: impl FnMut(u32)) {
        let one = &self.network.machines[machine];
        let here = &one.states[self.layout.state(state, machine) as usize];
        let register = self.layout.register(state, machine);
        let mut given: Vec<u32> = Vec::new();
        for (test, events) in &here.spontaneous {
            for event in events {
                if test.holds(register) && !given.contains(event) {
                    given.push(*event);
                    each(one.first_message + event);
                }
            }
        }
    }

    /// The messages that the activation may be about: one, unless a free machine acts.
    pub(super) fn messages(&self, state: &[u8], activation: Activation, mut each: impl FnMut(u32)) {
        match activation.source {
            Source::High(message) | Source::Low(message) => each(message),
            Source::Free(machine) => self.spontaneous(state, machine, each),
            Source::Any => {
                let processor = self.network.processes[activation.process].processor;
                for machine in self.free_machines(processor) {
                    self.spontaneous(state, machine, &mut each);
                }
            }
        }
    }

    /// How a machine reacts to a message in a state.
    #[inline]
    pub(super) fn reaction(&self, state: &[u8], message: u32) -> Found<'_> {
        let machine = self.network.messages[message as usize].machine as usize;
        let (control, register) = (self.layout.state(state, machine), self.layout.register(state, machine));
        self.table.look(&self.network, message, control, register)
    }

    #[inline]
    pub(super) fn step_of(&self, processor: usize, source: Source, message: u32, outcome: usize) -> Step {
        let by_itself = if matches!(source, Source::Free(_) | Source::Any) { BY_ITSELF } else { 0 };
        Step::new(processor as u16, by_itself | message << MESSAGE_SHIFT | outcome as u32)
    }

    /// The message of a processor's step, which of the outcomes it takes, and whether a free machine acts.
    pub(super) fn decode(&self, step: Step) -> (u32, usize, bool) {
        let code = step.code & !BY_ITSELF;
        (code >> MESSAGE_SHIFT, (code & ((1 << MESSAGE_SHIFT) - 1)) as usize, step.code & BY_ITSELF != 0)
    }

    /// The timer whose step it is, if it is one's.
    pub(super) fn timer_of(&self, step: Step) -> Option<usize> {
        step.process.index().checked_sub(self.network.processors.len())
    }

    fn timer_step(&self, timer: usize) -> Step {
        Step::new((self.network.processors.len() + timer) as u16, 0)
    }

    /// Adds what one outcome leads to.
    #[inline]
    fn apply(&self, state: &[u8], activation: Activation, step: Step, outcome: &Outcome, out: &mut Batch) {
        let (message, _, _) = self.decode(step);
        let machine = self.network.messages[message as usize].machine as usize;
        outcome.places.iter().for_each(|place| out.cover(*place));
        let here = || message << STATE_SHIFT | self.layout.state(state, machine);
        for wrong in &outcome.wrongs {
            match wrong {
                Wrong::Livelock => return out.violate(step, ViolationKind::Fault, here()),
                Wrong::TooMany => return out.violate(step, ViolationKind::Fault, TOO_MANY | here()),
                Wrong::Outside(number) => {
                    return out.violate(step, ViolationKind::Overflow, OF_DATA | number);
                }
                Wrong::Unexpected | Wrong::Assertion(_) => {}
            }
        }
        out.begin(step, state);
        let mut misused = None;
        let mut overflow = None;
        {
            let mut draft = out.draft();
            match activation.source {
                Source::High(_) => self.layout.pop(&mut draft, self.layout.high(activation.process)),
                Source::Low(_) => self.layout.pop(&mut draft, self.layout.low(activation.process)),
                Source::Free(_) | Source::Any => {}
            }
            self.layout.set_machine(&mut draft, machine, outcome.state, outcome.register);
            for operation in &outcome.operations {
                match *operation {
                    Operation::Send(message) => {
                        let to = self.network.destination(message);
                        let queue = match to == self.network.machines[machine].process {
                            true => self.layout.high(to),
                            false => self.layout.low(to),
                        };
                        if !self.layout.push(&mut draft, queue, message) {
                            overflow = Some(message);
                            break;
                        }
                    }
                    Operation::Start(timer) => {
                        let timer = timer as usize;
                        if self.network.timers[timer].strict && self.layout.runs(&draft, timer) {
                            misused = Some(timer);
                        }
                        self.layout.set_timer(&mut draft, timer, true);
                    }
                    Operation::Stop(timer) => self.layout.set_timer(&mut draft, timer as usize, false),
                }
            }
        }
        // A step that overflows leads nowhere, and nothing else that it did counts.
        if let Some(message) = overflow {
            out.discard();
            return out.violate(step, ViolationKind::Overflow, self.overflow_place(message, machine));
        }
        out.keep(false);
        for wrong in &outcome.wrongs {
            match wrong {
                Wrong::Unexpected => out.violate(step, ViolationKind::Reception, here()),
                Wrong::Assertion(number) => out.violate(step, ViolationKind::Assertion, *number),
                Wrong::Livelock | Wrong::TooMany | Wrong::Outside(_) => {}
            }
        }
        if let Some(timer) = misused {
            out.violate(step, ViolationKind::Assertion, OF_TIMER | timer as u32);
        }
    }

    /// The place of a message that does not fit: which, and which machine, or timer, sent it.
    fn overflow_place(&self, message: u32, sender: usize) -> u32 {
        message << 8 | sender as u32
    }

    fn expire(&self, state: &[u8], timer: usize, out: &mut Batch) {
        let step = self.timer_step(timer);
        let message = self.network.timers[timer].message;
        out.begin(step, state);
        let fits = {
            let mut draft = out.draft();
            self.layout.set_timer(&mut draft, timer, false);
            let queue = self.layout.low(self.network.destination(message));
            self.layout.push(&mut draft, queue, message)
        };
        match fits {
            true => out.keep(false),
            false => {
                out.discard();
                let sender = self.network.machines.len();
                out.violate(step, ViolationKind::Overflow, self.overflow_place(message, sender));
            }
        }
    }

    fn expand_processor(&self, state: &[u8], processor: usize, out: &mut Batch) {
        let Some(activation) = self.activation(state, processor) else { return };
        self.messages(state, activation, |message| {
            for (number, outcome) in self.reaction(state, message).outcomes.iter().enumerate() {
                let step = self.step_of(processor, activation.source, message, number);
                self.apply(state, activation, step, outcome, out);
            }
        });
    }

    fn expand_step(&self, state: &[u8], step: Step, out: &mut Batch) {
        match self.timer_of(step) {
            Some(timer) => {
                if timer < self.network.timers.len() && self.layout.runs(state, timer) {
                    self.expire(state, timer, out);
                }
            }
            None => {
                let Some(activation) = self.activation(state, step.process.index()) else { return };
                let (wanted, number, by_itself) = self.decode(step);
                if by_itself != matches!(activation.source, Source::Free(_) | Source::Any) {
                    return;
                }
                self.messages(state, activation, |message| {
                    if message == wanted
                        && let Some(outcome) = self.reaction(state, message).outcomes.get(number)
                    {
                        self.apply(state, activation, step, outcome, out);
                    }
                });
            }
        }
    }
}

impl System for VfsmSystem {
    fn initial(&self, out: &mut Batch) {
        let mut state = vec![0; self.layout.size];
        for message in &self.network.initially {
            let queue = self.layout.low(self.network.destination(*message));
            // That they fit was checked when the network was made.
            self.layout.push(&mut state, queue, *message);
        }
        let mut all = vec![state];
        for (number, machine) in self.network.machines.iter().enumerate() {
            let initial = machine.states.iter().enumerate().filter(|(_, one)| one.initial);
            let initial: Vec<u32> = initial.map(|(index, _)| index as u32).collect();
            let mut more = Vec::new();
            for state in &all {
                for control in &initial {
                    let mut next = state.clone();
                    self.layout.set_machine(&mut next, number, *control, 0);
                    more.push(next);
                }
            }
            all = more;
        }
        all.iter().for_each(|state| out.push(Step::default(), state));
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let processors = self.network.processors.len();
        match chosen {
            Chosen::All => {
                (0..processors).for_each(|processor| self.expand_processor(state, processor, out));
                for timer in 0..self.network.timers.len() {
                    if self.layout.runs(state, timer) {
                        self.expire(state, timer, out);
                    }
                }
            }
            Chosen::Process(process) if process.index() < processors => {
                self.expand_processor(state, process.index(), out);
            }
            Chosen::Process(process) => {
                self.expand_step(state, self.timer_step(process.index() - processors), out);
            }
            Chosen::Steps(steps) => steps.iter().for_each(|step| self.expand_step(state, *step, out)),
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        for processor in 0..self.network.processors.len() {
            let Some(activation) = self.activation(state, processor) else { continue };
            self.messages(state, activation, |message| {
                for number in 0..self.reaction(state, message).outcomes.len() {
                    out.push(self.step_of(processor, activation.source, message, number));
                }
            });
        }
        let running = (0..self.network.timers.len()).filter(|timer| self.layout.runs(state, *timer));
        out.extend(running.map(|timer| self.timer_step(timer)));
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        let machines = self.network.machines.iter().enumerate();
        machines
            .into_iter()
            .all(|(number, machine)| machine.states[self.layout.state(state, number) as usize].end)
    }

    fn regions_end(&self) -> bool {
        true
    }

    fn state_size(&self) -> Option<usize> {
        Some(self.layout.size)
    }

    fn components(&self, _state: &[u8], out: &mut Vec<(u32, u32)>) {
        out.extend_from_slice(self.layout.parts());
    }

    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}
