//! Depth-first search without stored states: executions are repeated up to where they are to differ.
//!
//! [`Method`] says which steps of a state are explored. Sleep sets (Godefroid 1996, chapter 5, and the lecture on
//! VeriSoft) serve all methods but the naive one: a step that was explored from a state sleeps while its later siblings are, until
//! something that depends on it happens.
//!
//! *Source-DPOR* and *optimal DPOR* (Abdulla, Aronis, Jonsson and Sagonas 2014, 2017) start from one execution
//! and look at its races. For each one, a sequence that reverses it is explored from the state before its
//! first event, unless something equivalent is, or was. Optimal DPOR keeps whole sequences, in wakeup trees, and
//! never starts an execution that turns out to be redundant: it makes one execution for each trace.
//!
//! Races are looked for when an execution ends, and only those whose second event is new: an older
//! race was dealt with when its second event was, and what follows it is explored from there. Where an operation had
//! several outcomes (`toss`, who is woken), all races are looked at again: a sequence that reverses one
//! contains one outcome, and there must be one for each.

use super::team::{Level, Shared, Team};
use super::wakeup::{Branch, Sequence};
use super::{Choice, Strategy};
use crate::persistent::Description;
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::{Access, Event, Kind, NONE, dependent};
use crate::runtime::order::Race;
use std::sync::Arc;

/// Which steps of a state a depth-first search explores.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// All of them: every interleaving.
    Naive,
    /// All of them but those that sleep.
    Sleep,
    /// A persistent set, from a [description](crate::Description) of who does what, without those that sleep; without a
    /// description, all of them but those that sleep.
    Persistent,
    /// Source sets, found from races.
    Source,
    /// Wakeup trees, found from races: one execution for each trace.
    Optimal,
    /// All of them, with at most so many switches away from a thread that could go on.
    Preemptions(u32),
}

impl Method {
    /// Whether it uses sleep sets.
    fn sleeps(self) -> bool {
        !matches!(self, Method::Naive | Method::Preemptions(_))
    }
}

/// A state on the way to where the search is.
#[derive(Debug)]
pub(super) struct Node {
    /// The step that is being explored.
    pub(super) step: Access,
    /// What was announced, to notice a program that does something else the next time. Not known after a checkpoint.
    pub(super) kind: Option<Kind>,
    /// Steps that need not be explored from here.
    pub(super) sleep: Vec<Access>,
    /// What is to be explored after this step.
    pub(super) tree: Vec<Branch>,
    /// How many switches away from an enabled thread there were.
    pub(super) preemptions: u32,
    /// Steps of this state that were explored or are to be, for the estimate.
    pub(super) explored: u32,
    /// What several searches explore from here together; then `tree` is empty, and `sleep` is what slept when this
    /// search took its step.
    pub(super) shared: Option<Arc<Shared>>,
}

/// A depth-first search.
#[derive(Debug)]
pub(crate) struct Dfs {
    pub(super) method: Method,
    pub(super) stack: Vec<Node>,
    /// How much of the stack is in use.
    pub(super) depth: usize,
    /// The depth that this execution has reached.
    pub(super) reached: usize,
    /// The first event of this execution that is new.
    pub(super) fresh: usize,
    /// What is prescribed after the end of the stack.
    pub(super) prescribed: Vec<Branch>,
    pub(super) sequence: Sequence,
    /// Whether a bound left something out.
    pub(super) cut: bool,
    /// Those that explore together.
    pub(super) team: Option<Arc<Team>>,
    pub(super) description: Option<Description>,
}

impl Dfs {
    pub(crate) fn new(method: Method) -> Dfs {
        Dfs {
            method,
            stack: Vec::new(),
            depth: 0,
            reached: 0,
            fresh: 0,
            prescribed: Vec::new(),
            sequence: Sequence::default(),
            cut: false,
            team: None,
            description: None,
        }
    }

    /// With a description of who does what, for persistent sets.
    pub(crate) fn describe(mut self, description: Option<&Description>) -> Dfs {
        self.description = description.filter(|_| self.method == Method::Persistent).cloned();
        self
    }

    /// A search that explores together with others. Only the first one starts from the beginning.
    pub(crate) fn in_team(method: Method, team: Arc<Team>) -> Dfs {
        Dfs { team: Some(team), ..Dfs::new(method) }
    }

    /// Takes over a part of the search from others; `false` at the end of all work.
    pub(crate) fn join(&mut self) -> bool {
        let Some(team) = self.team.clone() else { return false };
        while let Some(levels) = team.task() {
            self.depth = 0;
            for level in levels {
                self.make_node();
                let node = &mut self.stack[self.depth];
                node.step = level.step;
                node.kind = level.kind;
                node.shared = Some(level.shared);
                self.depth += 1;
            }
            if self.backtrack() {
                self.fresh = self.depth.saturating_sub(1);
                return true;
            }
        }
        false
    }

    /// Gives others the uppermost part of the search that waits.
    fn donate(&mut self) {
        let Some(team) = &self.team else { return };
        if !team.hungry() {
            return;
        }
        let waits = |node: &Node| match &node.shared {
            Some(shared) => shared.waits(),
            None => !node.tree.is_empty(),
        };
        let Some(level) = self.stack[..self.depth].iter().position(waits) else { return };
        let levels = self.stack[..=level].iter_mut().map(|node| {
            let shared = node.shared.get_or_insert_with(|| {
                let mut sleep = node.sleep.clone();
                sleep.push(node.step);
                Arc::new(Shared::new(sleep, std::mem::take(&mut node.tree)))
            });
            Level { step: node.step, kind: node.kind, shared: Arc::clone(shared) }
        });
        team.offer(levels.collect());
    }

    fn follows_races(&self) -> bool {
        matches!(self.method, Method::Source | Method::Optimal)
    }

    /// Repeats the step of a node.
    fn repeat(&self, runtime: &Runtime) -> Choice {
        let node = &self.stack[self.reached];
        let step = node.step;
        match differs(node, runtime) {
            Some(why) => Choice::Impossible(why),
            None => Choice::Step { thread: step.thread, choice: step.choice },
        }
    }

    /// Enters a new node on top of the stack.
    fn enter(&mut self, runtime: &Runtime) -> Choice {
        self.make_node();
        let top = self.depth;
        let (below, rest) = self.stack.split_at_mut(top);
        let node = &mut rest[0];
        if self.method.sleeps()
            && let Some(parent) = below.last()
        {
            let done = runtime.events[top - 1].access;
            node.sleep.extend(parent.sleep.iter().filter(|sleeper| !dependent(sleeper, &done)));
        }
        let parent = below.last().map(|parent| (parent.step.thread, parent.preemptions));
        let mut tree = std::mem::take(&mut self.prescribed);
        if tree.is_empty() {
            // The buffer of the node, so that nothing is allocated.
            tree = std::mem::take(&mut node.tree);
            if let Some(nothing) = self.propose(runtime, parent, &mut tree) {
                return nothing;
            }
        }
        let branch = tree.remove(0);
        if let Some(why) = misses(&branch.step, runtime) {
            return Choice::Impossible(why);
        }
        let settled = self.settle(runtime, branch.step, &mut tree);
        let node = &mut self.stack[top];
        node.explored = 1;
        node.tree = tree;
        self.prescribed = branch.children;
        let Some(step) = settled else {
            // Others of the tree are left: the node stays, and its step is asleep already.
            self.stack[top].step = branch.step;
            self.depth = top + 1;
            return Choice::Redundant;
        };
        self.take(runtime, top, step, parent)
    }

    /// Goes down a step that is not forced by the past.
    fn take(&mut self, runtime: &Runtime, top: usize, step: Access, parent: Option<(u32, u32)>) -> Choice {
        let node = &mut self.stack[top];
        node.step = step;
        let operation = &runtime.threads[step.thread as usize].pending;
        node.kind = Some(operation.kind);
        node.preemptions = match parent {
            Some((last, count)) => count + u32::from(last != step.thread && runtime.enabled(last)),
            None => 0,
        };
        self.depth = top + 1;
        if runtime.enabled(step.thread) && runtime.possible(step.thread, step.choice) {
            Choice::Step { thread: step.thread, choice: step.choice }
        } else {
            Choice::Impossible(format!(
                "thread {} was to go on with {:?}, which can't happen now",
                step.thread, operation.kind
            ))
        }
    }

    /// Gives a step whose outcome is open its first outcome, and puts the others beside it; `None` if all of them are
    /// explored anyway.
    fn settle(&self, runtime: &Runtime, mut step: Access, tree: &mut Vec<Branch>) -> Option<Access> {
        let thread = step.thread;
        let first = runtime.alternative(thread, 0);
        if step.choice == NONE && first == NONE {
            return Some(runtime.access(thread, NONE));
        }
        if step.choice == NONE {
            let sleep = &self.stack[self.depth].sleep;
            let asleep = |choice: u32| sleep.iter().any(|s| s.thread == thread && s.choice == choice);
            let outcomes = (0..runtime.alternatives(thread))
                .map(|which| runtime.alternative(thread, which))
                .filter(|&choice| !asleep(choice));
            let waits = |choice: u32| {
                tree.iter().any(|branch| branch.step.thread == thread && branch.step.choice == choice)
            };
            let outcomes: Vec<u32> = outcomes.filter(|&choice| !waits(choice)).collect();
            let (&first, others) = outcomes.split_first()?;
            step = runtime.access(thread, first);
            let others = others.iter().map(|&choice| Branch::leaf(runtime.access(thread, choice)));
            tree.splice(0..0, others);
            Some(step)
        } else {
            Some(runtime.access(thread, step.choice))
        }
    }

    /// What to explore from a state about which nothing is prescribed; an answer if nothing.
    fn propose(
        &self,
        runtime: &Runtime,
        parent: Option<(u32, u32)>,
        tree: &mut Vec<Branch>,
    ) -> Option<Choice> {
        let sleep = &self.stack[self.depth].sleep;
        let asleep = |thread: u32| {
            let all = runtime.alternatives(thread);
            let sleeping = sleep.iter().filter(|s| s.thread == thread).count() as u32;
            sleeping >= all
        };
        let awake = |thread: u32| runtime.enabled(thread) && !asleep(thread);
        let last = parent.map(|(last, _)| last);
        if self.follows_races() {
            // Any step will do: the thread that runs goes on if it can, and one that waits in a loop comes last.
            let eager = |thread: u32| !runtime.threads[thread as usize].yielded && awake(thread);
            let others = || runtime.born.iter().copied();
            let first = last
                .filter(|&thread| eager(thread))
                .or_else(|| others().find(|&thread| eager(thread)))
                .or_else(|| others().find(|&thread| Some(thread) != last && awake(thread)))
                .or_else(|| last.filter(|&thread| awake(thread)));
            if let Some(thread) = first {
                tree.push(Branch::leaf(runtime.access(thread, NONE)));
                return None;
            }
        } else {
            let goes_on = last.filter(|&thread| runtime.enabled(thread));
            let candidates = goes_on
                .into_iter()
                .chain(runtime.born.iter().copied().filter(|&thread| Some(thread) != goes_on));
            let chosen = self.description.as_ref().map(|known| known.persistent(runtime));
            let included = |thread: u32| chosen.as_ref().is_none_or(|set| set.contains(&thread));
            for thread in candidates.filter(|&thread| awake(thread) && included(thread)) {
                tree.push(Branch::leaf(runtime.access(thread, NONE)));
            }
        }
        if !tree.is_empty() {
            return None;
        }
        let anyone = runtime.born.iter().any(|&thread| runtime.enabled(thread));
        Some(if anyone { Choice::Redundant } else { Choice::Nobody })
    }

    fn make_node(&mut self) {
        if self.stack.len() == self.depth {
            let step = Access {
                thread: NONE,
                object: crate::runtime::operation::NO_OBJECT,
                class: crate::runtime::operation::Class::Local,
                number: 0,
                room: NONE,
                choice: NONE,
            };
            self.stack.push(Node {
                step,
                kind: None,
                sleep: Vec::new(),
                tree: Vec::new(),
                preemptions: 0,
                explored: 0,
                shared: None,
            });
        }
        let node = &mut self.stack[self.depth];
        node.sleep.clear();
        node.tree.clear();
        node.explored = 0;
        node.shared = None;
    }

    /// Steps that would need more preemptions than allowed are left out.
    fn bound(&mut self, runtime: &Runtime) {
        let Method::Preemptions(most) = self.method else { return };
        let top = self.depth - 1;
        let (last, count) = match top.checked_sub(1) {
            Some(below) => (self.stack[below].step.thread, self.stack[below].preemptions),
            None => return,
        };
        let thread = self.stack[top].step.thread;
        // The first child is the thread that ran, if it could go on; the others are preemptions then.
        if count >= most && last == thread && runtime.enabled(last) {
            let tree = &mut self.stack[top].tree;
            let before = tree.len();
            tree.retain(|branch| branch.step.thread == last);
            self.cut |= tree.len() < before;
        }
    }

    /// Looks at a race: what reverses it is explored from the state before its first event, unless it is
    /// already taken care of.
    fn reverse(&mut self, runtime: &Runtime, race: &Race) {
        let firsts = &runtime.order.firsts[race.from as usize..race.to as usize];
        let start = firsts[0] as usize;
        let events = runtime.events.len();
        // Optimal DPOR looks at the whole execution, source-DPOR at what comes before the second event.
        let end = match self.method {
            Method::Optimal => events,
            _ => (race.second as usize).min(events),
        };
        let order = &runtime.order;
        let mut sequence = std::mem::take(&mut self.sequence);
        sequence.clear();
        let mut places: Vec<u32> = Vec::new();
        for event in start + 1..end {
            let event = event as u32;
            let later = firsts.iter().any(|&first| order.before(&runtime.events[first as usize], event));
            if later || event == race.second {
                continue;
            }
            sequence.push(runtime.events[event as usize].access, |place| {
                order.before(&runtime.events[places[place] as usize], event)
            });
            places.push(event);
        }
        let thread = race.thread;
        let operation = match race.second {
            NONE => runtime.threads[thread as usize].pending,
            second => runtime.events[second as usize].operation,
        };
        let second = runtime.access_before(thread, &operation, firsts[0]);
        sequence.outcomes = match operation.kind {
            Kind::NotifyOne => runtime.events[firsts[0] as usize].before as u32,
            _ => 1,
        };
        // What precedes the reversed event is what precedes its thread's last event, and what it depends on.
        let creates = |event: &Event| {
            event.operation.kind == Kind::Spawn && event.operation.operand == u64::from(thread)
        };
        let last = runtime.events[..events.min(race.second as usize)]
            .iter()
            .rposition(|event| event.access.thread == thread || creates(event))
            .map(|place| place as u32);
        let direct: Vec<bool> = places
            .iter()
            .map(|&event| {
                let own = last.is_some_and(|last| order.before(&runtime.events[event as usize], last));
                own || dependent(&runtime.events[event as usize].access, &second)
            })
            .collect();
        sequence.push(second, |place| {
            direct[place]
                || (0..direct.len()).any(|other| {
                    direct[other] && order.before(&runtime.events[places[place] as usize], places[other])
                })
        });
        let node = &mut self.stack[start];
        let method = self.method;
        let inserted = match &node.shared {
            Some(shared) => shared.change(|sleep, tree| insert(method, &mut sequence, sleep, tree)),
            None => insert(method, &mut sequence, &node.sleep, &mut node.tree),
        };
        node.explored += u32::from(inserted);
        self.sequence = sequence;
    }

    /// Moves on to what is to be explored next.
    fn backtrack(&mut self) -> bool {
        while self.depth > 0 {
            let node = &mut self.stack[self.depth - 1];
            let next = match &node.shared {
                // Whoever takes a step puts it to sleep for those who come after.
                Some(shared) => shared.take(&mut node.sleep),
                None if node.tree.is_empty() => None,
                None => {
                    node.sleep.push(node.step);
                    Some(node.tree.remove(0))
                }
            };
            let Some(branch) = next else {
                self.depth -= 1;
                continue;
            };
            node.step = branch.step;
            // The kind of a step from a tree is seen when it is announced.
            self.prescribed = branch.children;
            return true;
        }
        false
    }
}

/// Puts a sequence among what is to be explored, unless it is taken care of.
fn insert(method: Method, sequence: &mut Sequence, sleep: &[Access], tree: &mut Vec<Branch>) -> bool {
    if sequence.all_outcomes(sleep.iter().chain(tree.iter().map(|branch| &branch.step))) {
        return false;
    }
    if method == Method::Optimal {
        let asleep = sleep.iter().any(|sleeper| sequence.weak_initial(sleeper).is_some());
        return !asleep && sequence.insert(tree);
    }
    // Source-DPOR: one of the initials is explored, if none of them is already.
    let known = |step: &Access| {
        let waiting = tree.iter().map(|branch| &branch.step);
        waiting
            .chain(sleep)
            .any(|other| other.thread == step.thread && (other.choice == step.choice || other.choice == NONE))
    };
    if sequence.initials().any(known) {
        return false;
    }
    let Some(&first) = sequence.initials().next() else { return false };
    tree.push(Branch::leaf(first));
    true
}

/// Why a step from a tree can't be what its thread does next.
fn misses(step: &Access, runtime: &Runtime) -> Option<String> {
    let thread = runtime.threads.get(step.thread as usize).filter(|thread| thread.alive);
    let Some(thread) = thread else {
        return Some(format!("thread {} was there before, and is not now", step.thread));
    };
    let operation = &thread.pending;
    (operation.object != step.object).then(|| {
        format!(
            "thread {} used object {} next before, and now performs {:?} on object {} at {}",
            step.thread, step.object.0, operation.kind, operation.object.0, operation.location
        )
    })
}

/// How a program differs from what it did before.
fn differs(node: &Node, runtime: &Runtime) -> Option<String> {
    let step = &node.step;
    let thread = runtime.threads.get(step.thread as usize).filter(|thread| thread.alive);
    let Some(thread) = thread else {
        return Some(format!("thread {} was there before, and is not now", step.thread));
    };
    let operation = &thread.pending;
    if operation.object != step.object || node.kind.is_some_and(|kind| operation.kind != kind) {
        let before = node.kind.map_or_else(|| "something".to_owned(), |kind| format!("{kind:?}"));
        return Some(format!(
            "thread {} performed {before} on object {} before, and now {:?} on object {} at {}",
            step.thread, step.object.0, operation.kind, operation.object.0, operation.location
        ));
    }
    if !runtime.enabled(step.thread) || !runtime.possible(step.thread, step.choice) {
        return Some(format!(
            "{:?} of thread {} at {} was possible before, and is not now",
            operation.kind, step.thread, operation.location
        ));
    }
    None
}

impl Strategy for Dfs {
    fn begin(&mut self) -> u32 {
        self.reached = 0;
        let chose = self.stack[..self.depth].iter().any(|node| node.step.choice != NONE);
        match self.follows_races() {
            false => NONE,
            true if chose => 0,
            true => self.fresh as u32,
        }
    }

    fn choose(&mut self, runtime: &Runtime) -> Choice {
        let choice = if self.reached + 1 < self.depth {
            self.repeat(runtime)
        } else if self.reached + 1 == self.depth {
            // The topmost step is new, and comes from a tree: only now its outcome and its kind are known.
            let top = self.reached;
            let mut tree = std::mem::take(&mut self.stack[top].tree);
            self.depth = top;
            let step = self.stack[top].step;
            if let Some(why) = misses(&step, runtime) {
                return Choice::Impossible(why);
            }
            let settled = self.settle(runtime, step, &mut tree);
            match &self.stack[top].shared {
                // What settling added goes to the others as well.
                Some(shared) => shared.change(|_, waiting| {
                    waiting.splice(0..0, tree);
                    true
                }),
                None => {
                    self.stack[top].tree = tree;
                    true
                }
            };
            let Some(step) = settled else {
                self.depth = top + 1;
                return Choice::Redundant;
            };
            let parent = top
                .checked_sub(1)
                .map(|below| (self.stack[below].step.thread, self.stack[below].preemptions));
            self.take(runtime, top, step, parent)
        } else {
            let choice = self.enter(runtime);
            if matches!(choice, Choice::Step { .. }) {
                self.bound(runtime);
            }
            choice
        };
        if let Choice::Step { thread, .. } = choice {
            self.reached += 1;
            let operation = &runtime.threads[thread as usize].pending;
            let known = self.description.as_ref();
            if let Some(why) = known.and_then(|known| known.refuted(runtime, thread, operation)) {
                return Choice::Refuted(why);
            }
        }
        choice
    }

    fn performed(&mut self, runtime: &Runtime) {
        let top = runtime.events.len() - 1;
        // The event as it happened, with its class and number.
        self.stack[top].step = runtime.events[top].access;
    }

    fn finished(&mut self, runtime: &mut Runtime, end: &End) -> bool {
        if self.follows_races() {
            if *end != End::Complete || !runtime.finished() {
                let waiting: Vec<u32> = runtime.born.clone();
                for thread in waiting {
                    if runtime.threads[thread as usize].alive && !runtime.enabled(thread) {
                        runtime.races_of_blocked(thread);
                    }
                }
            }
            let races = std::mem::take(&mut runtime.order.races);
            for race in &races {
                self.reverse(runtime, race);
            }
            runtime.order.races = races;
        }
        let more = self.backtrack() || self.join();
        self.fresh = self.depth.saturating_sub(1);
        if more {
            self.donate();
        }
        more
    }

    fn exhaustive(&self) -> bool {
        !self.cut
    }

    fn save(&self) -> Option<String> {
        self.team.is_none().then(|| Dfs::save(self))
    }

    fn progress(&self) -> f64 {
        // Each state divides what is left among its steps, as if all of them were equally large.
        let (mut done, mut share) = (0.0, 1.0);
        for node in &self.stack[..self.depth] {
            let explored = node.explored.max(1) as f64;
            let waiting = node.tree.len() as f64;
            let total = explored.max(waiting + 1.0);
            done += share * (total - waiting - 1.0).max(0.0) / total;
            share /= total;
        }
        done
    }
}
