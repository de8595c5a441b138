//! Sleep sets, sound under state matching (Godefroid 1990; the conflict sets of Algorithm 3, 1992).
//!
//! A sleep set is a set of steps enabled in a state that need not be explored there, because the
//! search explores them from an ancestor and they commute with all that happened since. Each stored
//! state keeps its sleep set. When it is met again with a sleep set that lacks some of those steps,
//! they are explored then, and the intersection is kept.
//!
//! Sets are stored once and numbered; the empty set is number 0. Threads that search together number them in
//! common: each has a copy of the list, which it completes when a set is missing.

use super::Reducer;
use super::dependency::Judge;
use mazurka_model::{Footprint, Relations, Step};
use rapidhash::fast::RapidHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of the empty sleep set.
pub const AWAKE: u32 = 0;

/// All sleep sets met, each stored once, its steps in order.
#[derive(Debug)]
pub struct SleepSets {
    sets: Vec<Box<[Step]>>,
    numbers: HashMap<Box<[Step]>, u32, BuildHasherDefault<RapidHasher<'static>>>,
    bytes: u64,
    /// Those of all threads, of which these are the first ones.
    common: Option<Arc<Mutex<SleepSets>>>,
}

impl Default for SleepSets {
    fn default() -> SleepSets {
        let empty: Box<[Step]> = Box::default();
        SleepSets {
            sets: vec![empty.clone()],
            numbers: HashMap::from_iter([(empty, AWAKE)]),
            bytes: 0,
            common: None,
        }
    }
}

impl SleepSets {
    /// A thread's own copy of sets that several have in common.
    pub fn copy_of(common: &Arc<Mutex<SleepSets>>) -> SleepSets {
        SleepSets { common: Some(common.clone()), ..SleepSets::default() }
    }

    /// Makes sure that a set with this number is here, which another thread may have added.
    #[inline]
    pub fn catch_up(&mut self, number: u32) {
        if number >= self.len()
            && let Some(common) = self.common.clone()
        {
            self.copy(&common.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Adds what the others have added.
    fn copy(&mut self, common: &SleepSets) {
        for set in &common.sets[self.sets.len()..] {
            self.push(set.clone());
        }
    }

    /// The number of a set, whose steps are sorted here.
    pub fn number(&mut self, steps: &mut [Step]) -> u32 {
        if steps.is_empty() {
            return AWAKE;
        }
        steps.sort_unstable();
        if let Some(number) = self.numbers.get(&*steps) {
            return *number;
        }
        if let Some(common) = self.common.clone() {
            let mut common = common.lock().unwrap_or_else(PoisonError::into_inner);
            let number = common.number(steps);
            self.copy(&common);
            return number;
        }
        self.push((&*steps).into())
    }

    fn push(&mut self, set: Box<[Step]>) -> u32 {
        let number = self.sets.len() as u32;
        // Two copies and the entry of the map.
        self.bytes += 2 * size_of_val(&*set) as u64 + 64;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// How many sets there are, the empty one included.
    pub fn len(&self) -> u32 {
        self.sets.len() as u32
    }

    /// Never: the empty set is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The steps of a set, sorted.
    pub fn steps(&self, number: u32) -> &[Step] {
        &self.sets[number as usize]
    }

    /// Whether a set contains a step.
    pub fn contains(&self, number: u32, step: Step) -> bool {
        number != AWAKE && self.steps(number).binary_search(&step).is_ok()
    }

    /// Whether every step of `a` is in `b`.
    pub fn is_subset(&self, a: u32, b: u32) -> bool {
        a == AWAKE || a == b || self.steps(a).iter().all(|s| self.contains(b, *s))
    }

    /// The steps of `a` that are not in `b`, and the number of those that are.
    pub fn split(&mut self, a: u32, b: u32) -> (Vec<Step>, u32) {
        let (mut both, only): (Vec<Step>, Vec<Step>) =
            self.steps(a).iter().partition(|s| self.contains(b, **s));
        (only, self.number(&mut both))
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes used, those of the numbers that so many states carry included.
    pub fn bytes_with(&self, states: u64) -> u64 {
        self.bytes + states * size_of::<u32>() as u64
    }
}

/// A step that is asleep, and what it does once that is asked for.
#[derive(Default)]
struct Sleeping {
    step: Step,
    /// Whether it removes a process, and so does not fall asleep, once that is asked for.
    removal: Option<bool>,
    known: bool,
    footprint: Footprint,
    /// Its place among what is known to depend on each other, if it has one, once that is asked for.
    place: Option<Option<u16>>,
}

/// Computes the sleep sets of a state's successors while its steps are taken one after another.
pub struct Sleeper<'s> {
    relations: &'s dyn Relations,
    judge: Judge<'s>,
    /// The steps asleep at the state by now: those it came with, and those explored since.
    asleep: Vec<Sleeping>,
    used: usize,
    kept: Vec<Step>,
    /// Which steps depend on each other, where that depends on what they do alone.
    pairs: Option<Pairs>,
}

/// Which steps depend on each other, by the numbers of what they do.
#[derive(Debug, Default)]
struct Pairs {
    /// By number: its row and column, counted from 1; 0 if it has none yet.
    places: Vec<u16>,
    /// How many there are.
    placed: u16,
    /// Bit by bit, in rows of a fixed length: whether it is known, and whether it is so.
    known: Vec<[u64; ROW]>,
    dependent: Vec<[u64; ROW]>,
}

/// Words of a row.
const ROW: usize = 8;
/// The numbers below this are followed, as long as there are rows for them.
const MOST_NUMBERED: u32 = 1 << 12;

impl Pairs {
    /// The place of something with this number, if there is one for it.
    fn place(&mut self, number: u32) -> Option<u16> {
        if number >= MOST_NUMBERED {
            return None;
        }
        let number = number as usize;
        if self.places.len() <= number {
            self.places.resize(number + 1, 0);
        }
        if self.places[number] == 0 && usize::from(self.placed) < 64 * ROW {
            self.placed += 1;
            self.places[number] = self.placed;
            self.known.push([0; ROW]);
            self.dependent.push([0; ROW]);
        }
        self.places[number].checked_sub(1)
    }

    /// Whether one depends on the other, if that is known.
    #[inline]
    fn get(&self, (a, b): (u16, u16)) -> Option<bool> {
        let (row, word, bit) = (usize::from(a), usize::from(b) / 64, b % 64);
        (self.known[row][word] >> bit & 1 == 1).then(|| self.dependent[row][word] >> bit & 1 == 1)
    }

    fn set(&mut self, (a, b): (u16, u16), dependent: bool) {
        let (row, word, bit) = (usize::from(a), usize::from(b) / 64, b % 64);
        self.known[row][word] |= 1 << bit;
        self.dependent[row][word] |= u64::from(dependent) << bit;
    }
}

impl<'s> Sleeper<'s> {
    /// For a system with these relations, judged by `judge`.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>) -> Sleeper<'s> {
        let pairs = (!judge.depends_on_values()).then(Pairs::default);
        Sleeper { relations, judge, asleep: Vec::new(), used: 0, kept: Vec::new(), pairs }
    }

    /// Starts at a state that was reached with these steps asleep.
    pub fn begin(&mut self, sleep: &[Step]) {
        self.used = 0;
        sleep.iter().for_each(|step| self.add(*step, Some(false)));
    }

    /// The sleep set behind `step`, which then falls asleep itself, unless it [removes a process](super::numbers). The reducer may
    /// tell steps that do the same.
    pub fn take(
        &mut self,
        state: &[u8],
        step: Step,
        sets: &mut SleepSets,
        reducer: Option<&mut (dyn Reducer + '_)>,
    ) -> u32 {
        self.add(step, None);
        self.behind_last(state, sets, reducer)
    }

    /// The sleep set behind the last of the steps at hand.
    fn behind_last(
        &mut self,
        state: &[u8],
        sets: &mut SleepSets,
        mut reducer: Option<&mut (dyn Reducer + '_)>,
    ) -> u32 {
        let (others, own) = self.asleep[..self.used].split_at_mut(self.used - 1);
        if others.is_empty() {
            return AWAKE;
        }
        let own = &mut own[0];
        self.kept.clear();
        for other in others {
            // A removal stands for no sequence, and what is created next may disable it.
            let removal = other.removal.unwrap_or_else(|| self.relations.is_removal(state, other.step));
            other.removal = Some(removal);
            if removal {
                continue;
            }
            let places = match (&mut self.pairs, &mut reducer) {
                (Some(pairs), Some(reducer)) => {
                    let theirs = other.place(state, pairs, *reducer);
                    theirs.zip(own.place(state, pairs, *reducer))
                }
                _ => None,
            };
            let pairs = self.pairs.as_mut().zip(places);
            let known = pairs.as_ref().and_then(|(pairs, places)| pairs.get(*places));
            let dependent = known.unwrap_or_else(|| {
                other.look(self.relations, state);
                own.look(self.relations, state);
                let dependent = self.judge.dependent(state, &other.footprint, &own.footprint);
                if let Some((pairs, places)) = pairs {
                    pairs.set(places, dependent);
                }
                dependent
            });
            if !dependent {
                self.kept.push(other.step);
            }
        }
        sets.number(&mut self.kept)
    }

    /// Lets a step fall asleep that was explored before, unless it never does.
    pub fn add_explored(&mut self, step: Step) {
        self.add(step, None);
    }

    fn add(&mut self, step: Step, removal: Option<bool>) {
        if self.used == self.asleep.len() {
            self.asleep.push(Sleeping::default());
        }
        let slot = &mut self.asleep[self.used];
        (slot.step, slot.removal, slot.known, slot.place) = (step, removal, false, None);
        self.used += 1;
    }
}

impl Sleeping {
    /// Its place among what is known to depend on each other.
    fn place(&mut self, state: &[u8], pairs: &mut Pairs, reducer: &mut (dyn Reducer + '_)) -> Option<u16> {
        let find = || reducer.number_of(state, self.step).and_then(|number| pairs.place(number));
        *self.place.get_or_insert_with(find)
    }

    fn look(&mut self, relations: &dyn Relations, state: &[u8]) {
        if !std::mem::replace(&mut self.known, true) {
            relations.step(state, self.step, &mut self.footprint);
        }
    }
}
