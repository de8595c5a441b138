//! One thread of a parallel search: expands states, stores what it meets, and keeps its own counts and findings.

mod several;

use super::mark::{self, Mark, Stage};
use super::team::{Part, Pending, Team};
use crate::config::{Config, Limits, SearchKind};
use crate::outcome::{Statistics, Stop};
use crate::reduce::sleep::{AWAKE, SleepSets};
use crate::search::choose::{Chooser, Expanded, Frontier};
use crate::search::run::Run;
use crate::store::shared::{Handle, Question};
use crate::store::{Insert, Shared, StateRef};
use mazurka_model::{Batch, Elsewhere, Finding, Step, System};
use several::Several;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// States that a thread should have before it gives some away, unless it has not done so for this many expansions.
const PLENTY: usize = 32;
const GENEROUS: u32 = 64;

/// What a thread leaves.
pub struct Yield {
    pub statistics: Statistics,
    pub findings: Vec<Finding>,
    pub stopped: Option<Stop>,
    pub beyond_depth: bool,
    /// Places that were executed.
    pub covered: Vec<u32>,
    /// Bytes of its copy of the sleep sets.
    pub sleep_set_bytes: u64,
}

/// Steps of a state that woke up after the state was opened.
struct Woken {
    pending: Pending,
    steps: Vec<Step>,
    sleep: u32,
}

/// One thread.
pub struct Worker<'s> {
    number: usize,
    team: &'s Team,
    store: &'s Shared,
    handle: Handle<'s>,
    run: Run<'s>,
    chooser: Chooser<'s>,
    sleeping: bool,
    /// Whether a reduced set must lead out of what is reduced.
    proviso: bool,
    /// States are opened several at a time.
    together: bool,
    /// Breadth first: a level is finished before the next is begun.
    by_level: bool,
    depth_limit: Option<u64>,
    /// States to be expanded, the newest last; and those of the next level.
    own: Vec<Pending>,
    next: Vec<Pending>,
    woken: Vec<Woken>,
    present: Vec<u8>,
    several: Several,
    questions: Vec<Question>,
    /// States met again with a sleep set that lacks some of theirs.
    shrunk: Vec<(StateRef, u32)>,
    seen: Vec<StateRef>,
    /// Findings that the others know of.
    told: usize,
    /// Expansions since work was given away.
    kept: u32,
}

/// Stores the edges of the state under expansion.
struct Meeting<'w, 's> {
    run: &'w mut Run<'s>,
    team: &'s Team,
    handle: &'w mut Handle<'s>,
    parent: Pending,
    present: &'w [u8],
    sleeping: bool,
    proviso: bool,
    questions: &'w mut Vec<Question>,
    /// An edge that meets the proviso.
    way_out: Option<StateRef>,
    /// Where new states go.
    fresh: &'w mut Vec<Pending>,
    shrunk: &'w mut Vec<(StateRef, u32)>,
    /// States met that were there before.
    seen: &'w mut Vec<StateRef>,
}

impl Frontier for Meeting<'_, '_> {
    fn take(&mut self, edges: &Batch, from: usize, sleeps: &[u32], sets: &SleepSets) -> bool {
        let parent = self.parent.state;
        self.handle.prepare(parent, self.present, edges, from, self.questions);
        let before = self.fresh.len();
        self.seen.clear();
        for index in from..edges.len() {
            let sleep = sleeps.get(index).copied().unwrap_or(AWAKE);
            if !self.meet(self.questions[index - from], edges.state(index), sleep, sets) {
                return true;
            }
        }
        if self.proviso {
            // The last one waits longest, and what leads there leads out for as long.
            let waits = self.fresh[before..].last().map(|pending| pending.state);
            let handle = &mut *self.handle;
            self.way_out = waits.or_else(|| self.seen.iter().copied().find(|s| mark::leads_out(handle, *s)));
        }
        self.way_out.is_some()
    }
}

impl Meeting<'_, '_> {
    /// Stores the state behind an edge that was asked about. False: there is no room for it.
    #[inline(always)]
    fn meet(&mut self, question: Question, bytes: &[u8], sleep: u32, sets: &SleepSets) -> bool {
        let (parent, mark) = (self.parent.state, Mark::waiting(sleep));
        match self.handle.insert_prepared(question, bytes, Some(parent), mark) {
            Insert::New(state) => {
                self.run.statistics.states += 1;
                self.team.count_state();
                let depth = self.parent.depth + 1;
                self.fresh.push(Pending { state, depth, elsewhere: Elsewhere::NONE });
            }
            Insert::Seen(state) => {
                self.run.statistics.matched += 1;
                if self.proviso {
                    self.seen.push(state);
                }
                if self.sleeping {
                    let stored = Mark::of(self.handle.mark(state)).sleep;
                    // A set that is not known here yet is looked at later.
                    if stored >= sets.len() || !sets.is_subset(stored, sleep) {
                        self.shrunk.push((state, sleep));
                    }
                }
            }
            Insert::Passed(_) => self.run.statistics.matched += 1,
            Insert::Full => {
                self.run.stopped = Some(Stop::Memory);
                return false;
            }
        }
        true
    }
}

impl<'s> Worker<'s> {
    /// One thread of `team`, under options whose reduction is resolved.
    pub fn new(
        system: &'s dyn System,
        config: &Config,
        part: &'s Part<'s>,
        team: &'s Team,
        store: &'s Shared,
        number: usize,
        sets: &Arc<Mutex<SleepSets>>,
    ) -> Worker<'s> {
        // The team counts states and errors of all.
        let limits = Limits { states: None, ..config.limits };
        let run = Run::new(system, &Config { limits, max_errors: 0, ..config.clone() }, part);
        let mut chooser = Chooser::new(system, &run.config, run.halt().within(config.limits));
        chooser.sets = SleepSets::copy_of(sets);
        Worker {
            number,
            team,
            store,
            handle: store.handle(),
            sleeping: run.config.reduction.sleep,
            proviso: chooser.wants_proviso(),
            together: chooser.chooses_nothing() && !run.is_watched(),
            by_level: config.search == SearchKind::Bfs,
            depth_limit: config.limits.depth,
            run,
            chooser,
            own: Vec::new(),
            next: Vec::new(),
            woken: Vec::new(),
            present: Vec::new(),
            several: Several::default(),
            questions: Vec::new(),
            shrunk: Vec::new(),
            seen: Vec::new(),
            told: 0,
            kept: 0,
        }
    }

    /// Works until there is nothing to do, or the search ends.
    pub fn work(mut self) -> Yield {
        while !self.team.ends() {
            let mut opened = 1;
            if let Some(woken) = self.woken.pop() {
                self.open(woken.pending, Some((woken.steps, woken.sleep)));
            } else if self.together && !self.own.is_empty() {
                opened = self.open_several();
            } else if let Some(pending) = self.own.pop() {
                if let Some(following) = self.own.last() {
                    self.handle.prefetch(following.state);
                }
                self.open(pending, None);
            } else {
                self.handle.rest();
                self.say();
                if !self.team.take(&mut self.own, &mut self.next) {
                    break;
                }
                continue;
            }
            if !self.goes_on(opened) {
                break;
            }
            self.share(opened);
        }
        self.finish()
    }

    /// Gives half of the work away if someone has none, after so many states were opened.
    #[inline]
    fn share(&mut self, opened: u32) {
        self.kept = self.kept.saturating_add(opened);
        let enough = self.own.len() >= PLENTY || self.kept >= GENEROUS && self.own.len() > 1;
        if enough && self.team.is_hungry() {
            self.kept = 0;
            let older = self.own.len() / 2;
            self.team.give(self.own.drain(..older).collect());
        }
    }

    /// Tells the others how far this thread has come. Depth, and the bytes that all use.
    fn say(&mut self) -> (u64, u64) {
        let depth = self.own.last().map_or(0, |pending| pending.depth);
        let pending = (self.own.capacity() + self.next.capacity()) * size_of::<Pending>();
        let stack = (pending + self.woken.capacity() * size_of::<Woken>()) as u64;
        let counts = &mut self.run.statistics;
        counts.stack_bytes = counts.stack_bytes.max(stack);
        let part = self.run.config.limits.memory.map(|limit| limit / self.run.config.threads.max(1) as u64);
        let bytes = stack + self.chooser.bytes_within(part);
        let beside = self.team.say(self.number, counts.states, counts.transitions(), bytes);
        self.store.set_elsewhere(beside);
        (u64::from(depth), self.store.bytes() + beside)
    }

    /// Whether this thread goes on after so many states were opened.
    #[inline]
    fn goes_on(&mut self, opened: u32) -> bool {
        if self.run.is_look_due(opened, self.chooser.expander.edges().len()) {
            let measured = self.say();
            self.run.look(measured);
        }
        if let Some(stop) = self.run.stopped {
            self.team.stop(stop);
        }
        self.run.stopped.is_none()
    }

    /// Judges a state that is opened for the first time. False: it lies at the depth limit, and is not expanded.
    fn visit(&mut self, pending: Pending, state: &[u8]) -> bool {
        let (depth, store) = (u64::from(pending.depth), self.store);
        let way = || store.way(pending.state).into_iter().map(Cow::Owned).collect();
        self.run.statistics.depth = self.run.statistics.depth.max(depth);
        self.run.judge(state, way);
        let beyond = self.depth_limit.is_some_and(|limit| depth >= limit);
        if beyond {
            self.run.at_depth_limit(state, way);
        }
        !beyond
    }

    /// Expands a state: for the first time, or for the steps that woke up.
    fn open(&mut self, pending: Pending, woken: Option<(Vec<Step>, u32)>) {
        let (state, store) = (pending.state, self.store);
        let way = || store.way(state).into_iter().map(Cow::Owned).collect();
        let mut present = std::mem::take(&mut self.present);
        self.handle.load(state, &mut present);
        let goes_on = woken.is_some() || self.visit(pending, &present);
        self.present = present;
        if !goes_on {
            return self.tell();
        }
        let marked = self.sleeping || self.proviso;
        let sleep = match &woken {
            Some((_, sleep)) => *sleep,
            None if marked => mark::advance(&mut self.handle, state, Stage::Open),
            None => AWAKE,
        };
        self.chooser.sets.catch_up(sleep);
        let before = self.fresh().len();
        let mut meeting = Meeting {
            run: &mut self.run,
            team: self.team,
            handle: &mut self.handle,
            parent: pending,
            present: &self.present,
            sleeping: self.sleeping,
            proviso: self.proviso && woken.is_none(),
            questions: &mut self.questions,
            way_out: None,
            fresh: if self.by_level { &mut self.next } else { &mut self.own },
            shrunk: &mut self.shrunk,
            seen: &mut self.seen,
        };
        let first = woken.is_none();
        let expanded = match woken {
            Some((steps, _)) => {
                self.chooser.reopen(&self.present, &steps, sleep, &mut meeting);
                Expanded::Alive
            }
            None => self.chooser.expand(&self.present, sleep, &mut meeting),
        };
        // The first successor is the next state.
        meeting.fresh[before..].reverse();
        let way_out = meeting.way_out;
        if marked && first {
            let stage = match way_out {
                Some(next) if expanded == Expanded::Reduced => Stage::Leads(next),
                // Without a proviso nobody asks.
                _ => Stage::Whole,
            };
            mark::advance(&mut self.handle, state, stage);
        }
        self.run.expanded(&self.present, &self.chooser.expander, self.chooser.whole);
        self.run.stopped = self.run.stopped.or(self.chooser.expander.stopped());
        self.wake(pending.depth);
        self.run.report_met(self.chooser.met(), way);
        if expanded == Expanded::Dead {
            self.run.dead_end(&self.present, way);
        }
        self.tell();
    }

    /// Where new states go.
    #[inline]
    fn fresh(&mut self) -> &mut Vec<Pending> {
        if self.by_level { &mut self.next } else { &mut self.own }
    }

    /// Tells the others of new findings.
    #[inline]
    fn tell(&mut self) {
        if self.run.findings.len() > self.told {
            self.team.found(&self.run.findings[self.told..]);
            self.told = self.run.findings.len();
        }
    }

    /// Intersects the sleep sets of states that were met again, and sees to it that those are opened again that
    /// were opened before. The state under expansion is one of these. They count as if they lay at this depth.
    fn wake(&mut self, depth: u32) {
        while let Some((state, sleep)) = self.shrunk.pop() {
            loop {
                let word = self.handle.mark(state);
                let Mark { sleep: stored, stage } = Mark::of(word);
                let sets = &mut self.chooser.sets;
                sets.catch_up(stored);
                if sets.is_subset(stored, sleep) {
                    break;
                }
                let (steps, both) = sets.split(stored, sleep);
                if self.handle.exchange_mark(state, word, Mark { sleep: both, stage }.word()) {
                    if stage != Stage::Waits {
                        self.run.statistics.reopened += 1;
                        let pending = Pending { state, depth, elsewhere: Elsewhere::NONE };
                        self.woken.push(Woken { pending, steps, sleep: both });
                    }
                    break;
                }
            }
        }
    }

    fn finish(mut self) -> Yield {
        self.say();
        let mut statistics = self.run.statistics;
        statistics.atomic_steps = self.chooser.expander.atomic_steps();
        statistics.state_bytes = self.handle.longest() as u64;
        Yield {
            statistics,
            stopped: self.run.stopped,
            beyond_depth: self.run.beyond_depth,
            findings: std::mem::take(&mut self.run.findings),
            covered: self.chooser.expander.all_covered(),
            sleep_set_bytes: self.chooser.sets.bytes(),
        }
    }
}
