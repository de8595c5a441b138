//! What lies behind an atomic region: the walk through its interior states.
//!
//! Interior states are no states of their own. They are walked through depth first and in order, and on every
//! way anew, as SPIN does: so the edges out of a region are as many as there are ways through it. That is given up
//! for a region that may go round in a circle, or has too many ways: of such a one each
//! interior state is visited once, and each state behind it is handed out once.
//!
//! How a region is walked depends on its first state alone, so that a step has the same successors
//! whether it is executed alone or beside others.
//!
//! At a brisk pace the system goes by itself where only one way is possible; steps are counted all the same. A region that is not small is left to the pace of
//! single steps, at which it is surveyed.
//!
//! A region need not end, and may have more interior states than there is room for. So the limits of the search hold within it: time and
//! interruption, memory for all that a walk keeps, and, in a long survey, those on states and depth.

use super::Met;
use crate::monitor::Halt;
use crate::outcome::Stop;
use mazurka_model::{Batch, Chosen, Step, System};
use std::collections::{HashMap, HashSet};

/// Steps within a region after which it is surveyed before it is walked through.
const SMALL: u64 = 20_000;
/// The most steps on all ways through a region that are walked one by one.
const MOST: u64 = 20_000_000;
/// From this many interior states on, or this many on one way, the limits of the search on states and depth hold: so long that a
/// region is more likely one that never ends.
const LONG: u64 = 200_000;
/// Levels that are kept after a survey.
const KEPT: usize = 1 << 10;
/// Steps between two looks at the clock.
const PATIENCE: u64 = 1 << 12;

#[derive(Default)]
struct Level {
    batch: Batch,
    cursor: usize,
    /// Its bytes when they were counted last.
    counted: u64,
}

impl Level {
    fn bytes(&self) -> u64 {
        // Four vectors, of which each has a length before it.
        (size_of::<Level>() + 64 + self.batch.covered().len()) as u64 + self.batch.bytes()
    }
}

/// What the allocator takes for so many bytes.
fn allocated(bytes: usize) -> usize {
    (bytes + 8).next_multiple_of(16).max(32)
}

/// What a hash table takes; if it is about to grow, with the one that takes its place.
fn table(entries: usize, capacity: usize, entry: usize) -> usize {
    let present = capacity * 8 / 7 * (entry + 1);
    if entries == capacity { 3 * present } else { present }
}

/// Walks through the regions of one system.
pub struct Walker<'s> {
    system: &'s dyn System,
    levels: Vec<Level>,
    /// The batch that the state lies in whose successors take the place of its level.
    spare: Batch,
    /// Steps taken on the ways that counted.
    pub steps: u64,
    /// Bytes of the levels.
    level_bytes: u64,
    /// The most bytes that the whole search may take.
    pub limit: u64,
    /// What edges and levels may grow to, and a survey with them, in the present region.
    room: u64,
    pub halt: Halt<'s>,
}

/// Where the states behind a region, and what was met in it, are put.
pub struct Exits<'e> {
    pub edges: &'e mut Batch,
    pub met: &'e mut Vec<Met>,
}

/// Why a walk ended before it was through.
pub enum Early {
    /// The region is not small.
    Large,
    Stop(Stop),
}

/// How the interior states of a region are expanded.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Pace {
    /// Each by itself.
    Single,
    /// The system may go on by itself where only one step is possible.
    Through,
}

/// What a survey of a region found.
struct Survey {
    /// It may go round in a circle.
    cyclic: bool,
    /// Steps on all ways through it.
    ways: u64,
    /// Steps from distinct states.
    steps: u64,
}

impl<'s> Walker<'s> {
    pub fn new(system: &'s dyn System) -> Walker<'s> {
        let halt = Halt::default();
        Walker {
            system,
            levels: Vec::new(),
            spare: Batch::default(),
            steps: 0,
            level_bytes: 0,
            limit: u64::MAX,
            room: u64::MAX,
            halt,
        }
    }

    /// Walks through the region that `first` entered at the interior state `state`. Whether it is certain to
    /// end; `Err` if the walk had to be given up, or was too long for the pace.
    pub fn walk(
        &mut self,
        first: Step,
        state: &[u8],
        pace: Pace,
        exits: &mut Exits<'_>,
    ) -> Result<bool, Early> {
        let (edges, met) = (exits.edges.len(), exits.met.len());
        // What is there already is part of what the search has counted.
        self.room = self.halt.room(self.limit).saturating_add(exits.edges.bytes() + self.level_bytes);
        match self.every_way(first, state, pace, SMALL, exits) {
            Ok(()) => return Ok(true),
            Err(Early::Large) if pace == Pace::Single => {}
            Err(early) => return Err(early),
        }
        exits.edges.truncate(edges);
        exits.met.truncate(met);
        let survey = self.survey(first, state, exits);
        // A survey may be deep, and what it leaves would be kept as long as the walker.
        self.forget_levels();
        let survey = survey.map_err(Early::Stop)?;
        if survey.cyclic || survey.ways > MOST {
            self.steps += survey.steps;
            return Ok(!survey.cyclic);
        }
        exits.edges.truncate(edges);
        exits.met.truncate(met);
        self.every_way(first, state, pace, u64::MAX, exits).map(|()| true)
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> u64 {
        self.level_bytes + self.spare.bytes()
    }

    /// Drops all levels but some, which are used again. What they covered, the first knows then.
    fn forget_levels(&mut self) {
        // One by one: a copy of all would take memory that nobody counted.
        while self.levels.len() > KEPT
            && let Some(level) = self.levels.pop()
        {
            let covered = level.batch.covered().iter().enumerate().filter(|(_, covered)| **covered);
            covered.for_each(|(place, _)| self.levels[0].batch.cover(place as u32));
        }
        self.levels.shrink_to_fit();
        self.levels.iter_mut().for_each(|level| level.counted = level.bytes());
        self.level_bytes = self.levels.iter().map(|level| level.counted).sum();
    }

    /// The batches that know which places were executed.
    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.levels.iter().map(|level| &level.batch).chain([&self.spare])
    }

    fn every_way(
        &mut self,
        first: Step,
        state: &[u8],
        pace: Pace,
        most: u64,
        exits: &mut Exits<'_>,
    ) -> Result<(), Early> {
        let mut depth = 0;
        let mut steps = self.open(0, state, first, pace, exits);
        let mut looked = 0;
        loop {
            let level = &mut self.levels[depth];
            let Some(successor) = level.batch.successors().get(level.cursor) else {
                if depth == 0 {
                    self.steps += steps;
                    return Ok(());
                }
                depth -= 1;
                continue;
            };
            let next = level.batch.state(level.cursor);
            level.cursor += 1;
            if !successor.interior {
                exits.edges.push(first, next);
                if exits.edges.bytes() + self.level_bytes > self.room {
                    return Err(Early::Stop(Stop::Memory));
                }
                continue;
            }
            if steps >= most {
                return Err(Early::Large);
            }
            // The last successor takes the place of its level, so that a long region is not deep.
            if level.cursor < level.batch.len() {
                steps += self.open_next(depth, first, pace, exits);
                depth += 1;
            } else {
                let last = level.cursor - 1;
                let batch = std::mem::replace(&mut level.batch, std::mem::take(&mut self.spare));
                steps += self.open(depth, batch.state(last), first, pace, exits);
                self.spare = batch;
            }
            if steps - looked >= PATIENCE {
                looked = steps;
                if let Some(stop) = self.halt.stop() {
                    return Err(Early::Stop(stop));
                }
            }
        }
    }

    /// Opens a level with the successors of a state. How many states were expanded for that.
    fn open(&mut self, depth: usize, state: &[u8], first: Step, pace: Pace, exits: &mut Exits<'_>) -> u64 {
        if depth >= self.levels.len() {
            self.levels.resize_with(depth + 1, Level::default);
        }
        let level = &mut self.levels[depth];
        self.level_bytes -= level.counted;
        level.batch.clear();
        level.cursor = 0;
        match pace {
            Pace::Single => self.system.expand(state, Chosen::All, &mut level.batch),
            Pace::Through => self.system.expand_through(state, Chosen::All, &mut level.batch),
        }
        level.counted = level.bytes();
        self.level_bytes += level.counted;
        exits.met.extend(level.batch.violations().iter().map(|v| Met { first, violation: *v }));
        1 + level.batch.take_walked()
    }

    /// Opens the level above `depth` with the successors of the state that was just taken there.
    fn open_next(&mut self, depth: usize, first: Step, pace: Pace, exits: &mut Exits<'_>) -> u64 {
        let batch = std::mem::take(&mut self.levels[depth].batch);
        let expanded = self.open(depth + 1, batch.state(self.levels[depth].cursor - 1), first, pace, exits);
        self.levels[depth].batch = batch;
        expanded
    }

    /// Visits each interior state once, and hands out each state behind them once.
    fn survey(&mut self, first: Step, state: &[u8], exits: &mut Exits<'_>) -> Result<Survey, Stop> {
        // The number of steps on all ways from a state; unknown while it is on the way.
        let mut ways: Vec<Option<u64>> = vec![None];
        let mut numbers: HashMap<Box<[u8]>, usize> = HashMap::from([(state.into(), 0)]);
        let mut behind: HashSet<Box<[u8]>> = HashSet::new();
        let mut path: Vec<(usize, u64)> = vec![(0, 1)];
        let mut cyclic = false;
        self.open(0, state, first, Pace::Single, exits);
        while let Some(depth) = path.len().checked_sub(1) {
            let level = &mut self.levels[depth];
            let Some(successor) = level.batch.successors().get(level.cursor) else {
                let (number, total) = path[depth];
                ways[number] = Some(total);
                path.pop();
                if let Some((_, outer)) = path.last_mut() {
                    *outer = outer.saturating_add(total);
                }
                continue;
            };
            let next = level.batch.state(level.cursor);
            level.cursor += 1;
            if !successor.interior {
                if behind.insert(next.into()) {
                    exits.edges.push(first, next);
                }
                continue;
            }
            match numbers.get(next).map(|&number| ways[number]) {
                Some(Some(known)) => path[depth].1 = path[depth].1.saturating_add(known),
                Some(None) => cyclic = true,
                None => {
                    path.push((ways.len(), 1));
                    numbers.insert(next.into(), ways.len());
                    ways.push(None);
                    self.open_next(depth, first, Pace::Single, exits);
                }
            }
            let kept = (numbers.len() + behind.len()) * allocated(state.len())
                + table(numbers.len(), numbers.capacity(), size_of::<(Box<[u8]>, usize)>())
                + table(behind.len(), behind.capacity(), size_of::<Box<[u8]>>())
                + ways.capacity() * size_of::<Option<u64>>()
                + path.capacity() * size_of::<(usize, u64)>()
                + exits.met.capacity() * size_of::<Met>();
            let kept = kept as u64;
            if kept + self.level_bytes + exits.edges.bytes() > self.room {
                return Err(Stop::Memory);
            }
            if let Some(stop) = self.halt.stop_within(ways.len() as u64, path.len() as u64, LONG) {
                return Err(stop);
            }
            if (ways.len() as u64).is_multiple_of(PATIENCE)
                && let Some(stop) = self.halt.stop()
            {
                return Err(stop);
            }
        }
        Ok(Survey { cyclic, ways: ways[0].unwrap_or(u64::MAX), steps: ways.len() as u64 })
    }
}
