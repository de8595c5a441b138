//! Several states opened together: how a depth-first search goes on where nothing is chosen and states are many.
//!
//! A look at the visited set waits twice for memory: for the bucket of a state, and for the record that is most likely the
//! state. In true depth-first order only the successors of one state can be looked up together, and they are few. Where
//! nothing is chosen, no proviso rests on the order; so once there are more states than the processor's caches hold, the newest
//! states that wait are opened together: all are expanded, the buckets of all their successors are asked for, then the
//! records, and then the successors are stored one after another, when they are met and not when their turn comes.
//! What waits is a reference then, and needs no second look.
//!
//! A way to every state that waits is kept: each opened state knows the opened state it was met from, and those from which nothing that
//! waits was met are forgotten when they have become many. So records have no parent, and counterexamples are found as before.
//!
//! What waits from the time of depth-first order keeps waiting as it did, below all that is met now, and is stored when nothing else waits.
//!
//! Where nothing was ever chosen, steps whose successors are met elsewhere are counted and not executed ([`Elsewhere`]).
//!
//! Where something was chosen until then, and it came to next to nothing, see [`again`].
//!
//! What is counted and found is that of the states one by one. Only the order is another one, and with it which way leads to a
//! state, and how long the longest one is.

mod again;

use super::Dfs;
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::outcome::Stop;
use crate::reduce::sleep::AWAKE;
use crate::search::choose::Expanded;
use crate::search::run::Finished;
use crate::search::{rank, together};
use crate::store::{Insert, StateRef, Store};
use again::Again;
use mazurka_model::{Batch, Elsewhere, Known, Rank};
use std::borrow::Cow;
use std::io;

/// Opened states that are kept whatever they lead to.
const FEW: usize = 1 << 12;
/// The parent of an initial state.
const NONE: u32 = u32::MAX;

/// How processes may rank, by the number in a checkpoint.
const RANKS: [Option<Rank>; 3] = [None, Some(Rank::Ascending), Some(Rank::Descending)];

/// A state that was expanded, and is on the way to some that wait.
#[derive(Copy, Clone)]
struct Opened {
    state: StateRef,
    /// The number of the opened state it was met from.
    parent: u32,
    depth: u32,
}

/// A stored state that was not expanded yet.
#[derive(Copy, Clone)]
struct Waiting {
    state: StateRef,
    parent: u32,
    /// The steps that need not be executed.
    elsewhere: Elsewhere,
}

/// One of the states that are opened together, and where its edges and violations end among those of all.
struct Member {
    opened: u32,
    edges: usize,
    met: usize,
    /// Nothing if it lies at the depth limit.
    expanded: Option<Expanded>,
    /// The steps inside atomic regions before it was expanded.
    atomic_steps: u64,
    /// The steps that are left out.
    elsewhere: Elsewhere,
}

/// Members that have to be opened again, because the search had to end before all their edges were met. They are the newest that
/// wait.
#[derive(Copy, Clone)]
struct Unfinished {
    members: u32,
    /// Edges of the first of them that were met.
    met: u32,
    /// How many states waited below what the members led to.
    base: u32,
}

/// The search.
pub(super) struct Several<'s, S: Store> {
    /// What was done in depth-first order. Each of its frames is an opened state with the same number.
    dfs: Dfs<'s, S>,
    opened: Vec<Opened>,
    /// With this many it is time to forget some.
    most_opened: usize,
    waiting: Vec<Waiting>,
    /// States that were visited in depth-first order and are to be opened again.
    again: Vec<Again>,
    /// Where something slept, all steps are explored then: no proviso was kept.
    opens_all: bool,
    /// Steps that are met elsewhere are left out, by this rank of processes once it has been chosen; so many were.
    leaves_out: bool,
    rank: Option<Rank>,
    left_out: u64,
    /// What is left of the states that were opened last.
    unfinished: Option<Unfinished>,
    members: Vec<Member>,
    /// The bytes of the members, in the same order.
    states: Vec<Vec<u8>>,
    /// States that were met and may have to be opened again.
    seen: Vec<StateRef>,
    questions: Vec<S::Question>,
    /// What is known of the members.
    known: Vec<Elsewhere>,
}

impl<'s, S: Store> Several<'s, S> {
    /// Goes on from where a search in depth-first order stands.
    pub(super) fn go_on_from(mut dfs: Dfs<'s, S>) -> Several<'s, S> {
        // A state that was reduced, or lies at a limit, need not lead to all that it would lead to.
        let whole = dfs.chooser.chooses_nothing() && !dfs.sleeping && dfs.run.config.limits.depth.is_none();
        let leaves_out = whole && dfs.store.is_exact();
        dfs.chooser.give_up();
        let parents = std::iter::once(NONE).chain(0..);
        let frames = (0..).zip(parents).zip(&dfs.stack.frames);
        let opened =
            frames.map(|((depth, parent), frame)| Opened { state: frame.state, parent, depth }).collect();
        Several {
            opens_all: dfs.components.is_none(),
            dfs,
            opened,
            most_opened: FEW,
            waiting: Vec::new(),
            again: Vec::new(),
            leaves_out,
            rank: None,
            left_out: 0,
            unfinished: None,
            members: Vec::new(),
            states: Vec::new(),
            seen: Vec::new(),
            questions: Vec::new(),
            known: Vec::new(),
        }
    }

    pub(super) fn go(&mut self) {
        let mut initial = Batch::default();
        self.dfs.run.system.initial(&mut initial);
        if self.dfs.refused.take().is_some() {
            self.enter(0);
        }
        while self.proceed(&initial) {
            self.save_if_due();
        }
        self.save_if_due();
    }

    pub(super) fn finish(self) -> Finished {
        let stack_bytes = self.stack_bytes();
        super::conclude(self.dfs.run, self.dfs.chooser, self.dfs.store, stack_bytes)
    }

    /// Opens the newest states that wait, or takes one that waits since the time of depth-first order. False if there is nothing left to do,
    /// or the search has to end.
    fn proceed(&mut self, initial: &Batch) -> bool {
        let edges = self.dfs.chooser.expander.edges().len();
        if self.dfs.run.is_look_due(self.members.len().max(1) as u32, edges) {
            let others = self.stack_bytes() + self.dfs.chooser.bytes();
            if let Some(limit) = self.dfs.limit {
                // What the stack takes the store can't have.
                self.dfs.store.set_limit(limit.saturating_sub(others));
            }
            let depth = self.opened.last().map_or(0, |opened| u64::from(opened.depth));
            self.dfs.run.look((depth, self.dfs.store.bytes() + others));
        }
        if self.dfs.store.is_lost() {
            self.dfs.run.stopped = self.dfs.run.stopped.or(Some(Stop::Memory));
        }
        if self.dfs.run.stopped.is_some() {
            return false;
        }
        if self.unfinished.is_none()
            && let Some(again) = self.again.pop()
        {
            self.open_again(again);
        } else if !self.waiting.is_empty() {
            self.open();
        } else if !self.take_older(initial) {
            return false;
        }
        self.dfs.run.stopped.is_none()
    }

    /// Lets the newest state wait that waited in depth-first order, or the next initial one. False if there is none.
    fn take_older(&mut self, initial: &Batch) -> bool {
        self.members.clear();
        match self.dfs.stack.next(&mut self.dfs.present) {
            Some((waiting, kept)) => {
                if kept || self.dfs.execute_again(waiting) {
                    self.enter(waiting.mark);
                }
            }
            None if !self.dfs.stack.frames.is_empty() => self.leave(),
            None if self.dfs.initial < initial.len() => {
                self.dfs.present.clear();
                self.dfs.present.extend_from_slice(initial.state(self.dfs.initial));
                self.dfs.initial += 1;
                self.enter(0);
            }
            None => return false,
        }
        true
    }

    /// Stores the state at hand, a successor of the newest frame, which the store knows by this mark.
    fn enter(&mut self, mark: u64) {
        match self.dfs.store.insert_marked(mark, &self.dfs.present) {
            Insert::New(state) => {
                self.dfs.run.count_state();
                let elsewhere = Elsewhere::NONE;
                self.waiting.push(Waiting { state, parent: self.newest(), elsewhere });
            }
            Insert::Seen(state) => {
                self.dfs.run.statistics.count_matched(1);
                self.wake(state, self.newest());
            }
            Insert::Passed(_) => self.dfs.run.statistics.count_matched(1),
            Insert::Full => self.dfs.refuse(AWAKE),
        }
    }

    /// The number of the newest frame.
    fn newest(&self) -> u32 {
        (self.dfs.stack.frames.len() as u32).checked_sub(1).unwrap_or(NONE)
    }

    /// Forgets the opened states that lead to nothing that waits.
    #[cold]
    fn forget(&mut self) {
        // The number that each will have; parents come before those who were met from them.
        let mut numbers = vec![NONE; self.opened.len()];
        let again = self.again.iter().map(|again| again.parent);
        let parents = self.waiting.iter().map(|waiting| waiting.parent).chain(again);
        for mut number in parents.chain([self.newest()]) {
            while number != NONE && numbers[number as usize] == NONE {
                numbers[number as usize] = 0;
                number = self.opened[number as usize].parent;
            }
        }
        let mut kept = 0;
        for index in 0..numbers.len() {
            let Opened { state, parent, depth } = self.opened[index];
            if numbers[index] == NONE {
                self.dfs.store.release(state);
                continue;
            }
            let parent = numbers.get(parent as usize).copied().unwrap_or(NONE);
            self.opened[kept] = Opened { state, parent, depth };
            numbers[index] = kept as u32;
            kept += 1;
        }
        self.opened.truncate(kept);
        let again = self.again.iter_mut().map(|again| &mut again.parent);
        for parent in self.waiting.iter_mut().map(|waiting| &mut waiting.parent).chain(again) {
            *parent = numbers.get(*parent as usize).copied().unwrap_or(NONE);
        }
        self.most_opened = FEW.max(2 * kept);
    }

    /// Expands the newest states that wait, and looks up what they lead to.
    fn open(&mut self) {
        if self.opened.len() >= self.most_opened {
            self.forget();
        }
        let together = self.dfs.store.asks_several();
        let mut unfinished = self.unfinished.take();
        let most = match unfinished {
            Some(unfinished) => unfinished.members as usize,
            // From what a checkpoint keeps as well, so that a search goes on from there as it would have.
            None if together => {
                let statistics = &self.dfs.run.statistics;
                let opened = statistics.states.saturating_sub(self.waiting.len() as u64);
                together::size(opened, statistics.transitions() - self.left_out)
            }
            None => 1,
        };
        self.questions.clear();
        self.dfs.chooser.begin_several();
        self.take_members(most);
        if self.leaves_out && self.rank.is_none() {
            self.rank = rank::better(self.dfs.run.system, &self.states[0]);
            self.leaves_out = self.rank.is_some();
        }
        if !self.expand_together() {
            if let Some(unfinished) = &mut unfinished {
                self.meet_again(unfinished);
            }
            // Where the store has changed its form, those that are left are looked up one by one.
            self.expand_each(!together && most == 1);
        }
        if together {
            // Only now: what has just been written can't be read at once in larger pieces.
            let edges = self.dfs.chooser.expander.edges();
            let ends = self.members.iter().map(|member| member.edges);
            self.dfs.store.ask(edges, ends, &mut self.questions);
            self.dfs.store.fetch(edges, &mut self.questions);
        }
        let base = unfinished.map_or(self.waiting.len() as u32, |unfinished| unfinished.base);
        match self.meet(unfinished.map(|unfinished| unfinished.met)) {
            // The first successor of the state that was newest is the next one.
            None => self.waiting[base as usize..].reverse(),
            Some((member, met)) => self.put_back(member, met, base),
        }
        self.dfs.run.stopped = self.dfs.run.stopped.or(self.dfs.chooser.expander.stopped());
    }

    /// Makes the newest states that wait, at most so many, members.
    fn take_members(&mut self, most: usize) {
        self.members.clear();
        let left = self.waiting.len().saturating_sub(most);
        for waiting in &self.waiting[left..] {
            self.dfs.store.fetch_record(waiting.state);
        }
        self.known.clear();
        for Waiting { state, parent, elsewhere } in self.waiting.drain(left..).rev() {
            let number = self.members.len();
            if self.states.len() == number {
                self.states.push(Vec::new());
            }
            self.dfs.store.open(number, state, &mut self.states[number]);
            let depth = self.opened.get(parent as usize).map_or(0, |parent| parent.depth + 1);
            let opened = self.opened.len() as u32;
            self.opened.push(Opened { state, parent, depth });
            self.members.push(Member {
                opened,
                edges: 0,
                met: 0,
                expanded: None,
                atomic_steps: 0,
                elsewhere,
            });
            self.known.push(elsewhere);
        }
    }

    /// Expands all members at once, if that can be done.
    fn expand_together(&mut self) -> bool {
        let known = self.rank.filter(|_| self.leaves_out).map(|rank| Known { of: &self.known, rank });
        // Where something is known and nothing may be left out any more, all is executed, one by one.
        let ignored = known.is_none() && self.known.iter().any(|known| *known != Elsewhere::NONE);
        let is_one = known.is_none() && self.members.len() < 2;
        if is_one || ignored || self.dfs.run.config.limits.depth.is_some() {
            return false;
        }
        let mut steps = self.dfs.chooser.expander.atomic_steps();
        let Some(parts) = self.dfs.chooser.add_several(&self.states[..self.members.len()], known) else {
            return false;
        };
        let mut from = 0;
        for (member, part) in self.members.iter_mut().zip(parts) {
            member.edges = part.end;
            let none = part.end == from && member.elsewhere.steps() == 0;
            member.expanded = Some(if none { Expanded::Dead } else { Expanded::Alive });
            member.atomic_steps = steps;
            steps += part.walked;
            from = part.end;
        }
        true
    }

    /// Members are met again of which some steps were left out before and are not now: the edges of the first one are not those that were met.
    #[cold]
    fn meet_again(&mut self, unfinished: &mut Unfinished) {
        let steps = self.members.first().map_or(0, |first| first.elsewhere.steps());
        if steps > 0 {
            // New ones among those that were met are matched from now on, so there may be fewer for a moment.
            let matched = &mut self.dfs.run.statistics.matched;
            *matched = matched.wrapping_sub(steps + u64::from(unfinished.met));
            self.left_out -= steps;
            unfinished.met = 0;
        }
    }

    /// Expands one member after the other, with all steps; one that is `alone` is looked up at once.
    fn expand_each(&mut self, alone: bool) {
        for number in 0..self.members.len() {
            let (member, bytes) = (&mut self.members[number], &self.states[number]);
            let Opened { state, depth, .. } = self.opened[member.opened as usize];
            member.elsewhere = Elsewhere::NONE;
            member.atomic_steps = self.dfs.chooser.expander.atomic_steps();
            let from = self.dfs.chooser.expander.edges().len();
            let beyond = self.dfs.run.config.limits.depth.is_some_and(|limit| u64::from(depth) >= limit);
            member.expanded = (!beyond).then(|| self.dfs.chooser.add_all(bytes));
            let edges = self.dfs.chooser.expander.edges();
            if alone {
                self.dfs.store.prepare(state, bytes, edges, from, &mut self.questions);
            }
            (member.edges, member.met) = (edges.len(), self.dfs.chooser.met().len());
            if self.dfs.chooser.expander.stopped().is_some() {
                // The others go on waiting.
                while self.members.len() > number + 1 {
                    self.members.pop();
                    let waiting = self.opened.pop();
                    let elsewhere = Elsewhere::NONE;
                    self.waiting.extend(waiting.map(|Opened { state, parent, .. }| Waiting {
                        state,
                        parent,
                        elsewhere,
                    }));
                }
                break;
            }
        }
    }

    /// Stores what the members lead to, and reports what is wrong with each; so many edges of the first were met before, if it was
    /// opened before. If the search has to end before all edges were met: the member, and how many of its edges were.
    fn meet(&mut self, mut met_before: Option<u32>) -> Option<(usize, u32)> {
        let (mut from, mut met_from) = (0, 0);
        let edges = self.dfs.chooser.expander.edges();
        for (number, (member, state)) in self.members.iter().zip(&self.states).enumerate() {
            let depth = u64::from(self.opened[member.opened as usize].depth);
            self.dfs.run.statistics.depth = self.dfs.run.statistics.depth.max(depth);
            let skipped = met_before.take();
            if skipped.is_none() {
                let (store, opened) = (&self.dfs.store, &self.opened);
                self.dfs.run.judge(state, || way(store, opened, member.opened));
                let steps = member.elsewhere.steps();
                self.dfs.run.statistics.count_matched(steps);
                self.left_out += steps;
            }
            let Some(expanded) = member.expanded else {
                let (store, opened) = (&self.dfs.store, &self.opened);
                self.dfs.run.at_depth_limit(state, || way(store, opened, member.opened));
                continue;
            };
            let (mut met, mut ended) = (skipped.unwrap_or(0), false);
            let (run, waiting, seen) = (&mut self.dfs.run, &mut self.waiting, &mut self.seen);
            let sleeping = self.dfs.sleeping;
            let onward = self.dfs.chooser.expander.onward();
            let mut take = |inserted| {
                match inserted {
                    Insert::New(state) => {
                        run.count_state();
                        let elsewhere = onward.get(from + met as usize).copied().unwrap_or_default();
                        waiting.push(Waiting { state, parent: member.opened, elsewhere });
                        ended = run.stopped.is_some();
                    }
                    Insert::Seen(state) => {
                        run.statistics.count_matched(1);
                        if sleeping {
                            seen.push(state);
                        }
                    }
                    Insert::Passed(_) => run.statistics.count_matched(1),
                    Insert::Full => {
                        run.stopped = Some(Stop::Memory);
                        ended = true;
                        return false;
                    }
                }
                met += 1;
                !ended
            };
            let mut left = from + skipped.unwrap_or(0) as usize..member.edges;
            if self.questions.len() == edges.len() {
                self.dfs.store.insert_asked(&self.questions, edges, left, take);
            } else {
                left.all(|index| take(self.dfs.store.insert(edges.state(index))));
            }
            for state in self.seen.drain(..) {
                if let Some(again) = Again::wake(&mut self.dfs.store, state, member.opened, self.opens_all) {
                    self.dfs.run.statistics.reopened += 1;
                    self.again.push(again);
                }
            }
            if ended {
                return Some((number, met));
            }
            from = member.edges;
            let (store, opened) = (&self.dfs.store, &self.opened);
            let way = || way(store, opened, member.opened);
            self.dfs.run.report_met(&self.dfs.chooser.met()[met_from..member.met], way);
            met_from = member.met;
            if expanded == Expanded::Dead {
                self.dfs.run.dead_end(state, way);
            }
            if self.dfs.run.stopped.is_some() {
                break;
            }
        }
        None
    }

    /// Lets the members from this one on wait again; so many edges of the first of them were met.
    fn put_back(&mut self, member: usize, met: u32, base: u32) {
        let left = &self.members[member..];
        for member in left.iter().rev() {
            let Opened { state, parent, .. } = self.opened[member.opened as usize];
            self.dfs.store.hold(state);
            self.waiting.push(Waiting { state, parent, elsewhere: member.elsewhere });
        }
        self.unfinished = Some(Unfinished { members: left.len() as u32, met, base });
        self.dfs.chooser.expander.restore(left[0].atomic_steps, &[]);
    }

    fn stack_bytes(&self) -> u64 {
        let lists = self.opened.capacity() * size_of::<Opened>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + self.again.capacity() * size_of::<Again>();
        let components = self.dfs.components.as_ref().map_or(0, |components| components.bytes());
        lists as u64 + self.dfs.stack.bytes() + components
    }

    /// Writes a checkpoint if it is time. A state whose expansion was given up can't be saved, and what was left when enough errors were found is not.
    #[inline]
    fn save_if_due(&mut self) {
        let whole =
            self.dfs.chooser.expander.stopped().is_none() && self.dfs.run.stopped != Some(Stop::Errors);
        if self.dfs.run.is_save_due() && whole {
            let written = self.dfs.run.save_with(|out| self.save(out));
            self.dfs.run.saved(written);
        }
    }

    /// Writes the search.
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.u8(super::saved::SEVERAL)?;
        self.dfs.save_rest(out)?;
        out.u64(self.opened.len() as u64)?;
        for Opened { state, parent, depth } in &self.opened {
            [state.0, *parent, *depth].into_iter().try_for_each(|number| out.u32(number))?;
        }
        out.u64(self.waiting.len() as u64)?;
        for Waiting { state, parent, elsewhere } in &self.waiting {
            [state.0, *parent].into_iter().try_for_each(|number| out.u32(number))?;
            elsewhere.to_bits().into_iter().try_for_each(|bits| out.u64(bits))?;
        }
        out.u64(self.left_out)?;
        out.u8(RANKS.iter().position(|rank| *rank == self.rank).unwrap_or(0) as u8)?;
        let unfinished = self.unfinished.map(|Unfinished { members, met, base }| [members, met, base]);
        out.flag(unfinished.is_some())?;
        unfinished.into_iter().flatten().try_for_each(|number| out.u32(number))?;
        out.u64(self.again.len() as u64)?;
        self.again.iter().try_for_each(|again| again.save(out))
    }

    /// Reads a search in the place of one that has not begun.
    pub(super) fn restored(mut dfs: Dfs<'s, S>, from: &mut Reader) -> Result<Several<'s, S>, Refusal> {
        dfs.restore(from)?;
        let mut several = Several { opened: Vec::new(), ..Several::go_on_from(dfs) };
        for _ in 0..from.u64()? {
            let state = StateRef(from.u32()?);
            several.opened.push(Opened { state, parent: from.u32()?, depth: from.u32()? });
        }
        for _ in 0..from.u64()? {
            let (state, parent) = (StateRef(from.u32()?), from.u32()?);
            let elsewhere = Elsewhere::from_bits([from.u64()?, from.u64()?]);
            several.waiting.push(Waiting { state, parent, elsewhere });
        }
        several.left_out = from.u64()?;
        let rank = RANKS.get(usize::from(from.u8()?));
        several.rank =
            *rank.ok_or(Refusal::Damaged("it says that processes rank in a way that is unknown"))?;
        if from.flag()? {
            let (members, met, base) = (from.u32()?, from.u32()?, from.u32()?);
            several.unfinished = Some(Unfinished { members, met, base });
        }
        for _ in 0..from.u64()? {
            several.again.push(Again::restore(from)?);
        }
        Ok(several)
    }
}

/// The states on the way to an opened one, the initial one first.
fn way<'a, S: Store>(store: &'a S, opened: &[Opened], mut number: u32) -> Vec<Cow<'a, [u8]>> {
    let mut states = Vec::new();
    while let Some(one) = opened.get(number as usize) {
        states.push(store.state(one.state));
        number = one.parent;
    }
    states.reverse();
    states
}
