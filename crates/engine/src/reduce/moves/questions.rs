//! What a choice depends on: the questions that were asked about a state while it was made, and their answers in others.
//!
//! Beside the futures of processes and the list of enabled steps, by which states are told apart first ([`Moves::key`]),
//! a choice looks at what single steps do, at what moves that are not enabled wait for, and at values of
//! objects, of which often only a word or the length matters. All that is noted here. Where the answers are the same in
//! another state with the same key, the next question asked there is the same too, and so in the end is the choice.

use super::Moves;
use super::futures::Known;
use crate::reduce::words::Words;
use mazurka_model::object::Glance;
use mazurka_model::{Access, Footprint, ObjectId, Obstacles, Operand, ProcessId, Step};
use std::cell::{Cell, RefCell};

/// Something that was asked about a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether a process can only move locally.
    Local(ProcessId),
    /// What the enabled step with this index does.
    Step(usize),
    /// What the alternative that is this node waits for.
    Obstacles(usize),
    /// These words of the value of an object, bit by bit; with bit 63, its outline.
    Value(ObjectId, u64),
}

/// The bit that stands for the outline of a value.
const OUTLINE: u64 = 1 << 63;

/// The questions asked since it was opened.
#[derive(Debug, Default)]
pub(super) struct Journal {
    kept: bool,
    asked: RefCell<Vec<Question>>,
    /// By object: what of its value was asked for.
    values: Vec<Cell<u64>>,
    objects: RefCell<Vec<ObjectId>>,
    /// What steps do and moves wait for, by content, and its numbers.
    numbers: Words,
    scratch: Vec<u64>,
}

impl Journal {
    #[inline]
    pub fn is_kept(&self) -> bool {
        self.kept
    }

    #[inline]
    pub fn step(&self, step: usize) {
        self.note(Question::Step(step));
    }

    #[inline]
    pub fn obstacles(&self, node: usize) {
        self.note(Question::Obstacles(node));
    }

    fn note(&self, question: Question) {
        if self.kept {
            self.asked.borrow_mut().push(question);
        }
    }

    pub fn value(&self, object: ObjectId, glance: Glance) {
        let bit = match glance {
            Glance::Nothing => return,
            Glance::Word(word) if word < 63 => 1 << word,
            Glance::Word(_) | Glance::Outline => OUTLINE,
        };
        let asked = &self.values[object.index()];
        if asked.get() == 0 {
            self.objects.borrow_mut().push(object);
        }
        asked.set(asked.get() | bit);
    }
}

/// So many different footprints and conditions get numbers without being asked for.
const MOST_NUMBERS: usize = 1 << 16;
/// The first word of an answer that is a number.
const NUMBERED: u64 = 1 << 63;
/// A word that a value does not have; as one that it has it would be the least of all numbers, which no object holds.
const MISSING: u64 = 1 << 63;

/// Adds a list of operations, so that different lists give different words.
fn write_accesses(accesses: &[Access], out: &mut Vec<u64>) {
    out.push(accesses.len() as u64);
    for Access { object, operation } in accesses {
        let [first, second] = operation.operands.map(Operand::known);
        let known = u64::from(first.is_some()) | u64::from(second.is_some()) << 1;
        let (process, kind) = (u64::from(operation.process.0), u64::from(operation.kind.0));
        out.push(u64::from(object.0) | process << 32 | kind << 48 | known << 56);
        out.extend([first, second].into_iter().flatten().map(|operand| operand as u64));
    }
}

fn write_footprint(footprint: &Footprint, out: &mut Vec<u64>) {
    let Footprint { processes, accesses, ordered, everything } = footprint;
    out.push(processes.len() as u64 | u64::from(*everything) << 32);
    out.extend(processes.iter().map(|process| u64::from(process.0)));
    out.push(*ordered as u64);
    write_accesses(accesses, out);
}

fn write_obstacles(obstacles: &Obstacles, out: &mut Vec<u64>) {
    out.push(obstacles.len() as u64);
    for index in 0..obstacles.len() {
        let (accesses, everything) = obstacles.get(index);
        out.push(u64::from(everything));
        write_accesses(accesses, out);
    }
}

impl Journal {
    /// The number of something that is kept, which it gets by its content.
    fn number<T>(&mut self, kept: &Known<T>, write: impl FnOnce(&T, &mut Vec<u64>)) -> u64 {
        kept.number.get().unwrap_or_else(|| {
            self.scratch.clear();
            write(&kept.what, &mut self.scratch);
            let found = self.numbers.find(&self.scratch);
            let number = found.unwrap_or_else(|| self.numbers.add(&self.scratch)).into();
            kept.number.set(Some(number));
            number
        })
    }

    /// The same as long as there are not too many.
    #[inline]
    fn small_number<T>(&mut self, kept: &Known<T>, write: impl FnOnce(&T, &mut Vec<u64>)) -> Option<u32> {
        let has_room = kept.number.get().is_some() || self.numbers.len() < MOST_NUMBERS;
        has_room.then(|| self.number(kept, write)).and_then(|number| u32::try_from(number).ok())
    }
}

impl Moves<'_> {
    /// The number of what a step does: the same for steps that do the same.
    #[inline]
    pub(super) fn number_of_footprint(&mut self, kept: &Known<Footprint>) -> Option<u32> {
        self.journal.small_number(kept, write_footprint)
    }

    /// The number of what a step of a state does, if it has one.
    pub fn number_of_step(&mut self, state: &[u8], step: Step) -> Option<u32> {
        if self.index.is_some() {
            return None;
        }
        if !self.processes.is_at(state) {
            self.turn(state);
        }
        let stand = self.processes.present.get(step.process.index())?;
        if let Some(number) = stand.number_of(step) {
            return u32::try_from(number).ok();
        }
        let kept = self.footprint_of(state, step, &mut Footprint::default())?;
        self.number_of_footprint(&kept)
    }

    /// The number of what a move waits for: the same for moves that wait for the same.
    #[inline]
    pub(super) fn number_of_obstacles(&mut self, kept: &Known<Obstacles>) -> Option<u32> {
        self.journal.small_number(kept, write_obstacles)
    }

    /// By what states are told apart first: the places of all processes and the enabled steps. False: nothing can be
    /// said. Of the state to which this turned.
    pub fn key(&self, enabled: &[Step], out: &mut Vec<u64>) -> bool {
        out.clear();
        let told = self.index.is_none() && !self.judge.looks_at_exclusion();
        let Some(configuration) = self.processes.configuration.filter(|_| told) else { return false };
        out.push(configuration.into());
        out.extend(enabled.iter().map(|step| u64::from(step.process.0) << 32 | u64::from(step.code)));
        true
    }

    /// Begins to note what is asked.
    pub fn open_journal(&mut self) {
        let journal = &mut self.journal;
        journal.kept = true;
        journal.asked.get_mut().clear();
        for object in journal.objects.get_mut().drain(..) {
            journal.values[object.index()].set(0);
        }
        journal.values.resize_with(self.relations.objects().len(), Cell::default);
    }

    /// Ends that. Gives all that was asked.
    pub fn close_journal(&mut self, out: &mut Vec<Question>) {
        let journal = &mut self.journal;
        journal.kept = false;
        out.clear();
        out.append(journal.asked.get_mut());
        let asked = |object: &ObjectId| Question::Value(*object, journal.values[object.index()].get());
        out.extend(journal.objects.get_mut().iter().map(asked));
    }

    /// Whether a process can only move locally.
    pub fn is_local(&self, state: &[u8], process: ProcessId) -> bool {
        self.journal.note(Question::Local(process));
        let find = || self.relations.next_is_local(state, process);
        match self.processes.present.get(process.index()) {
            Some(stand) => stand.is_local(find),
            None => find(),
        }
    }

    /// Appends the answer to a question in the state to which this turned, with these enabled steps.
    pub fn answer(&mut self, state: &[u8], enabled: &[Step], question: Question, out: &mut Vec<u64>) {
        match question {
            Question::Local(process) => out.push(u64::from(self.is_local(state, process))),
            Question::Step(index) => self.answer_step(state, enabled[index], out),
            Question::Obstacles(node) => {
                let (kept, lasting) = self.kept_obstacles(state, node);
                let mut own = Obstacles::default();
                match kept.or_else(|| self.find_obstacles(state, node, lasting, &mut own)) {
                    Some(kept) => out.push(NUMBERED | self.journal.number(&kept, write_obstacles)),
                    None => write_obstacles(&own, out),
                }
            }
            Question::Value(object, words) => {
                if words & OUTLINE != 0 {
                    let outline = self.values.outline(self.relations, state, object);
                    out.push(outline.len() as u64);
                    out.extend(outline.iter().map(|word| *word as u64));
                } else {
                    let value = self.values.read(self.relations, state, object);
                    // As many as were asked for, so that no answer is taken for a part of the next one.
                    let mut left = words;
                    while left != 0 {
                        let word = value.get(left.trailing_zeros() as usize);
                        out.push(word.map_or(MISSING, |word| *word as u64));
                        left &= left - 1;
                    }
                }
            }
        }
    }

    fn answer_step(&mut self, state: &[u8], step: Step, out: &mut Vec<u64>) {
        let stand = self.processes.present.get(step.process.index());
        if let Some(number) = stand.and_then(|stand| stand.number_of(step)) {
            return out.push(NUMBERED | number);
        }
        let mut own = Footprint::default();
        match self.footprint_of(state, step, &mut own) {
            Some(kept) => out.push(NUMBERED | self.journal.number(&kept, write_footprint)),
            None => write_footprint(&own, out),
        }
    }

    /// How much is known by number: that is never given up.
    pub fn numbered(&self) -> usize {
        self.journal.numbers.len()
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        let kept = self.notes.bytes() + self.connections.bytes() + self.processes.bytes();
        self.journal.numbers.bytes() + kept
    }
}
