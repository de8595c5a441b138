//! Plain records while there is room, a tree when memory gets scarce, without starting again.
//!
//! When the plain set is full its table is dropped, and its records are inserted into a tree in order,
//! chunk by chunk, each chunk given back once it is through. References go on to name the same states: states
//! of one size have the same numbers in both, and for others it is noted where records began.

use super::arena::{Side, StateRef};
use super::exact::{self, Exact};
use super::interface::{Insert, Lookup, Ordered, Recollection, Store, insert_each};
use super::saved;
use super::tree::{self, Tree};
use crate::checkpoint::{Reader, Refusal, Writer};
use mazurka_model::{Batch, System};
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// References of records of several sizes, and their numbers in the order of insertion.
#[derive(Debug, Default)]
struct Renumbering {
    /// A bit for each reference: whether a record begins there.
    begins: Vec<u64>,
    /// How many begin before each word of these.
    before: Vec<u32>,
    records: u32,
    /// One more than the highest reference.
    end: u64,
}

impl Renumbering {
    /// The number of a reference.
    fn number(&self, state: StateRef) -> StateRef {
        if u64::from(state.0) >= self.end {
            return StateRef((u64::from(state.0) - self.end) as u32 + self.records);
        }
        let (word, bit) = (state.0 as usize / 64, state.0 % 64);
        let Some(begins) = self.begins.get(word) else { return state };
        StateRef(self.before[word] + (begins & !(u64::MAX << bit)).count_ones())
    }

    /// The reference with a number. `None`: there is none left.
    fn reference(&self, number: StateRef) -> Option<StateRef> {
        if number.0 >= self.records {
            let reference = u64::from(number.0 - self.records) + self.end;
            return u32::try_from(reference).ok().map(StateRef);
        }
        if self.begins.is_empty() {
            return Some(number);
        }
        let word = self.before.partition_point(|before| *before <= number.0) - 1;
        let mut bits = self.begins[word];
        for _ in self.before[word]..number.0 {
            bits &= bits - 1;
        }
        Some(StateRef(word as u32 * 64 + bits.trailing_zeros()))
    }

    fn bytes(&self) -> u64 {
        (self.begins.capacity() * 8 + self.before.capacity() * 4) as u64
    }
}

/// The share of the limit that plain records leave, for a tree to begin with: where states are long their table is small, and what it takes
/// would not be enough for that.
const LEFT: u64 = 8;

/// What plain records may use of so many bytes.
fn for_plain(limit: u64) -> u64 {
    limit - limit / LEFT
}

enum Kept<'s> {
    Plain(Exact),
    Tree(Box<Tree<'s>>, Renumbering),
}

/// A state that was looked up together with others: its number among them.
#[derive(Copy, Clone, Debug)]
pub struct Question(u32);

/// A set that changes its form when memory gets scarce.
pub struct Auto<'s> {
    system: &'s dyn System,
    kept: Kept<'s>,
    side: Side,
    limit: u64,
    /// There was no room for the tree: some states are lost, and nothing can be inserted any more.
    lost: bool,
    /// What is asked of plain records, or of the tree. The other one is empty.
    plain: Vec<exact::Question>,
    grown: Vec<tree::Question>,
}

impl<'s> Auto<'s> {
    /// An empty set that may use `limit` bytes.
    pub fn new(system: &'s dyn System, side: Side, limit: Option<u64>) -> Auto<'s> {
        let kept = Kept::Plain(Exact::new(system.state_size(), side, limit.map(for_plain)));
        Auto {
            system,
            kept,
            side,
            limit: limit.unwrap_or(u64::MAX),
            lost: false,
            plain: Vec::new(),
            grown: Vec::new(),
        }
    }

    /// Whether the states have become a tree.
    pub fn is_tree(&self) -> bool {
        matches!(self.kept, Kept::Tree(..))
    }

    /// Makes a tree of plain records; false if there is no room for it.
    #[cold]
    fn plant(&mut self) -> bool {
        let empty = Kept::Plain(Exact::new(None, self.side, Some(0)));
        let Kept::Plain(plain) = std::mem::replace(&mut self.kept, empty) else { return false };
        let records = plain.len() as u32;
        let (mut arena, packing) = plain.into_arena();
        let fixed = arena.state_size().is_some();
        let mut names = Renumbering { records, end: arena.end(), ..Renumbering::default() };
        if !fixed {
            names.begins = vec![0; (names.end as usize).div_ceil(64)];
        }
        let mut tree = Tree::new(self.system, self.side, Some(self.limit));
        let (side, limit) = (self.side, self.limit);
        let own = names.bytes() * 3 / 2;
        let mut bytes = Vec::new();
        self.lost = !arena.drain(|arena, state| {
            tree.set_limit(limit.saturating_sub(arena.bytes() + own));
            let record = arena.state(state);
            let state_bytes = match packing {
                Some(packing) => {
                    bytes.clear();
                    packing.unpack(record, &mut bytes);
                    &bytes
                }
                None => record,
            };
            let Insert::New(number) = tree.insert(state_bytes) else { return false };
            if side.colour {
                tree.set_colour(number, arena.colour(state));
            }
            if side.parent {
                tree.set_parent(number, arena.parent(state));
            }
            if side.sleep {
                tree.set_sleep(number, arena.sleep(state));
            }
            if let Some(word) = names.begins.get_mut(state.0 as usize / 64) {
                *word |= 1 << (state.0 % 64);
            }
            true
        });
        let mut before = 0;
        for word in &names.begins {
            names.before.push(before);
            before += word.count_ones();
        }
        tree.set_limit(limit.saturating_sub(names.bytes()));
        self.kept = Kept::Tree(Box::new(tree), names);
        !self.lost
    }
}

/// What a tree says, with references as the search knows them.
fn named(insert: Insert, names: &Renumbering) -> Insert {
    match insert {
        Insert::New(number) => names.reference(number).map_or(Insert::Full, Insert::New),
        Insert::Seen(number) => names.reference(number).map_or(Insert::Full, Insert::Seen),
        other => other,
    }
}

impl Store for Auto<'_> {
    type Question = Question;

    #[inline]
    fn insert(&mut self, state: &[u8]) -> Insert {
        if let Kept::Plain(plain) = &mut self.kept {
            match plain.insert(state) {
                Insert::Full if self.plant() => {}
                other => return other,
            }
        }
        match &mut self.kept {
            Kept::Tree(tree, names) if !self.lost => named(tree.insert(state), names),
            _ => Insert::Full,
        }
    }

    #[inline]
    fn mark(&self, question: Question) -> u64 {
        match (self.plain.get(question.0 as usize), &self.kept) {
            (Some(question), Kept::Plain(plain)) => plain.mark(*question),
            _ => 0,
        }
    }

    #[inline]
    fn expect(&self, mark: u64) {
        if let Kept::Plain(plain) = &self.kept {
            plain.expect(mark);
        }
    }

    #[inline]
    fn insert_marked(&mut self, mark: u64, state: &[u8]) -> Insert {
        match &mut self.kept {
            Kept::Plain(plain) => match plain.insert_marked(mark, state) {
                // There is no room: what follows is rare, and goes the long way.
                Insert::Full => self.insert(state),
                other => other,
            },
            Kept::Tree(..) => self.insert(state),
        }
    }

    #[inline]
    fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        out.clear();
        out.extend((0..(batch.len() - from) as u32).map(Question));
        match &mut self.kept {
            Kept::Plain(plain) => plain.prepare(parent, present, batch, from, &mut self.plain),
            Kept::Tree(tree, names) => {
                self.plain.clear();
                tree.prepare(names.number(parent), present, batch, from, &mut self.grown);
            }
        }
    }

    fn asks_several(&self) -> bool {
        true
    }

    #[inline]
    fn open(&mut self, member: usize, state: StateRef, out: &mut Vec<u8>) {
        match &mut self.kept {
            Kept::Plain(plain) => plain.open(member, state, out),
            Kept::Tree(tree, names) => tree.open(member, names.number(state), out),
        }
    }

    #[inline]
    fn ask(&mut self, batch: &Batch, ends: impl Iterator<Item = usize> + Clone, out: &mut Vec<Question>) {
        out.clear();
        out.extend((0..batch.len() as u32).map(Question));
        self.plain.clear();
        self.grown.clear();
        match &mut self.kept {
            Kept::Plain(plain) => plain.ask(batch, ends, &mut self.plain),
            Kept::Tree(tree, _) => tree.ask(batch, ends, &mut self.grown),
        }
    }

    #[inline]
    fn fetch(&mut self, batch: &Batch, _out: &mut [Question]) {
        match &mut self.kept {
            Kept::Plain(plain) => plain.fetch(batch, &mut self.plain),
            Kept::Tree(tree, _) => tree.fetch(batch, &mut self.grown),
        }
    }

    #[inline]
    fn fetch_record(&self, state: StateRef) {
        match &self.kept {
            Kept::Plain(plain) => plain.fetch_record(state),
            Kept::Tree(tree, names) => tree.fetch_record(names.number(state)),
        }
    }

    #[inline]
    fn find_prepared(&self, question: Question, state: &[u8]) -> Lookup {
        // Nothing is inserted between a preparation and its questions, so that each has one; to
        // answer that the state is absent is safe: it is asked for again when it is inserted.
        let index = question.0 as usize;
        match &self.kept {
            Kept::Plain(plain) => match self.plain.get(index) {
                Some(question) => plain.find_prepared(*question, state),
                None => Lookup::Absent,
            },
            Kept::Tree(tree, names) => {
                let Some(question) = self.grown.get(index) else { return Lookup::Absent };
                match tree.find_prepared(*question, state) {
                    Lookup::Stored(number) => {
                        names.reference(number).map_or(Lookup::Passed(0), Lookup::Stored)
                    }
                    other => other,
                }
            }
        }
    }

    #[inline]
    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        let index = question.0 as usize;
        match &mut self.kept {
            Kept::Plain(plain) => match self.plain.get(index) {
                Some(question) => match plain.insert_prepared(*question, state) {
                    Insert::Full => self.insert(state),
                    other => other,
                },
                None => self.insert(state),
            },
            Kept::Tree(tree, names) => match self.grown.get(index) {
                Some(question) => named(tree.insert_prepared(*question, state), names),
                // The set has changed its form in the middle of a batch.
                None => self.insert(state),
            },
        }
    }

    #[inline]
    fn insert_asked(
        &mut self,
        questions: &[Question],
        batch: &Batch,
        mut numbers: Range<usize>,
        mut met: impl FnMut(Insert) -> bool,
    ) {
        if let Kept::Plain(plain) = &mut self.kept
            && self.plain.len() == batch.len()
        {
            let mut ended = false;
            plain.insert_asked(&self.plain, batch, numbers.clone(), |insert| {
                if matches!(insert, Insert::Full) {
                    return false;
                }
                numbers.start += 1;
                ended = !met(insert);
                !ended
            });
            if ended {
                return;
            }
        }
        insert_each(self, questions, batch, numbers, met);
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        match &self.kept {
            Kept::Plain(plain) => plain.load(state, out),
            Kept::Tree(tree, names) => tree.load(names.number(state), out),
        }
    }

    fn state(&self, state: StateRef) -> Cow<'_, [u8]> {
        match &self.kept {
            Kept::Plain(plain) => plain.state(state),
            Kept::Tree(tree, names) => tree.state(names.number(state)),
        }
    }

    #[inline]
    fn colour(&self, state: StateRef) -> u8 {
        match &self.kept {
            Kept::Plain(plain) => plain.colour(state),
            Kept::Tree(tree, names) => tree.colour(names.number(state)),
        }
    }

    #[inline]
    fn set_colour(&mut self, state: StateRef, colour: u8) {
        match &mut self.kept {
            Kept::Plain(plain) => plain.set_colour(state, colour),
            Kept::Tree(tree, names) => tree.set_colour(names.number(state), colour),
        }
    }

    #[inline]
    fn parent(&self, state: StateRef) -> StateRef {
        match &self.kept {
            Kept::Plain(plain) => plain.parent(state),
            Kept::Tree(tree, names) => tree.parent(names.number(state)),
        }
    }

    #[inline]
    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        match &mut self.kept {
            Kept::Plain(plain) => plain.set_parent(state, parent),
            Kept::Tree(tree, names) => tree.set_parent(names.number(state), parent),
        }
    }

    #[inline]
    fn sleep(&self, state: StateRef) -> u32 {
        match &self.kept {
            Kept::Plain(plain) => plain.sleep(state),
            Kept::Tree(tree, names) => tree.sleep(names.number(state)),
        }
    }

    #[inline]
    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        match &mut self.kept {
            Kept::Plain(plain) => plain.set_sleep(state, sleep),
            Kept::Tree(tree, names) => tree.set_sleep(names.number(state), sleep),
        }
    }

    fn len(&self) -> u64 {
        match &self.kept {
            Kept::Plain(plain) => plain.len(),
            Kept::Tree(tree, _) => tree.len(),
        }
    }

    fn bytes(&self) -> u64 {
        match &self.kept {
            Kept::Plain(plain) => plain.bytes(),
            Kept::Tree(tree, names) => tree.bytes() + names.bytes(),
        }
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
        match &mut self.kept {
            Kept::Plain(plain) if plain.bytes() > for_plain(bytes) => {
                self.plant();
            }
            Kept::Plain(plain) => plain.set_limit(for_plain(bytes)),
            Kept::Tree(tree, names) => tree.set_limit(bytes.saturating_sub(names.bytes())),
        }
    }

    fn is_lost(&self) -> bool {
        self.lost
    }

    fn longest(&self) -> usize {
        match &self.kept {
            Kept::Plain(plain) => plain.longest(),
            Kept::Tree(tree, _) => tree.longest(),
        }
    }

    fn recollection(&self) -> Recollection {
        Recollection { tree: self.is_tree(), ..Recollection::default() }
    }

    fn save(&self, side: Side, out: &mut Writer<'_>) -> io::Result<()> {
        if self.lost {
            return Err(io::Error::other("there was no room for all states"));
        }
        // References depend on how many records were plain.
        out.u64(match &self.kept {
            Kept::Plain(_) => u64::MAX,
            Kept::Tree(_, names) => u64::from(names.records),
        })?;
        saved::save_in_order(self, side, out)
    }

    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal> {
        let plain = from.u64()?;
        let states = from.u64()?;
        // A tree that is made half-way would give other references than those that were saved.
        if let Kept::Plain(exact) = &mut self.kept {
            exact.set_limit(u64::MAX);
        }
        saved::restore_some(self, side, from, plain.min(states))?;
        if plain > states {
            let limit = self.limit;
            self.set_limit(limit);
            return if self.lost { Err(Refusal::Memory) } else { Ok(()) };
        }
        if !self.plant() {
            return Err(Refusal::Memory);
        }
        saved::restore_some(self, side, from, states - plain)
    }
}

impl Ordered for Auto<'_> {
    fn first(&self) -> Option<StateRef> {
        (self.len() > 0).then_some(StateRef(0))
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        match &self.kept {
            Kept::Plain(plain) => plain.after(state),
            Kept::Tree(tree, names) => names.reference(tree.after(names.number(state))?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_numbers_of_records_of_several_sizes() {
        let begins = [0, 3, 4, 63, 64, 130, 131, 200];
        let mut names = Renumbering { begins: vec![0; 4], records: 8, end: 205, ..Renumbering::default() };
        for at in begins {
            names.begins[at as usize / 64] |= 1 << (at % 64);
        }
        names.before = vec![0, 4, 5, 7];
        let all: Vec<u32> = begins.into_iter().chain([205, 206]).collect();
        for (number, reference) in all.into_iter().enumerate() {
            assert_eq!(names.number(StateRef(reference)), StateRef(number as u32));
            assert_eq!(names.reference(StateRef(number as u32)), Some(StateRef(reference)));
        }
    }
}
