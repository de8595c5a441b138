//! Depth-first search without stored states: executions are repeated up to where they are to differ.
//!
//! [`Method`] says which steps of a state are explored. Sleep sets (Godefroid 1996, chapter 5, and the lecture on
//! VeriSoft) serve all methods but the naive one: a step that was explored from a state sleeps while its later siblings are, until
//! something that depends on it happens.
//!
//! Methods that follow races (`reverse`) start from one execution, and add to the states on its way what reverses its races.

use super::determinism::{differs, misses};
use super::method::Method;
use super::team::{Shared, Team};
use super::wakeup::{Branch, Sequence, Sleeper};
use super::{Choice, Strategy};
use crate::persistent::Description;
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::{Access, Kind, NONE, dependent};
use std::sync::Arc;

/// A state on the way to where the search is.
#[derive(Debug)]
pub(super) struct Node {
    /// The step that is being explored.
    pub(super) step: Access,
    /// What was announced, to notice a program that does something else the next time. Not known after a checkpoint.
    pub(super) kind: Option<Kind>,
    /// Steps that need not be explored from here.
    pub(super) sleep: Vec<Sleeper>,
    /// What is to be explored after this step.
    pub(super) tree: Vec<Branch>,
    /// How many switches away from an enabled thread there were.
    pub(super) preemptions: u32,
    /// Steps of this state that were explored or are to be, for the estimate.
    pub(super) explored: u32,
    /// What several searches explore from here together; then `tree` is empty, and `sleep` is what slept when this
    /// search took its step.
    pub(super) shared: Option<Arc<Shared>>,
    /// Which of the shared steps is being explored.
    pub(super) entry: usize,
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
            node.sleep.extend(parent.sleep.iter().filter(|sleeper| !dependent(&sleeper.step, &done)));
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
    /// explored anyway. An outcome that is prescribed is the only one to explore, because there are sequences for the others, too; but not
    /// if they may come from a search that is still at work, and is not waited for.
    fn settle(&self, runtime: &Runtime, step: Access, tree: &mut Vec<Branch>) -> Option<Access> {
        let thread = step.thread;
        let sleep = &self.stack[self.depth].sleep;
        let prescribed = step.choice != NONE && sleep.iter().all(|sleeper| sleeper.explored);
        if prescribed || runtime.alternative(thread, 0) == NONE {
            return Some(runtime.access(thread, step.choice));
        }
        let asleep = |choice: u32| sleep.iter().any(|s| s.step.thread == thread && s.step.choice == choice);
        let waits = |choice: u32| {
            tree.iter().any(|branch| branch.step.thread == thread && branch.step.choice == choice)
        };
        let mut outcomes: Vec<u32> = (0..runtime.alternatives(thread))
            .map(|which| runtime.alternative(thread, which))
            .filter(|&choice| choice != step.choice && !asleep(choice) && !waits(choice))
            .collect();
        let first = match step.choice {
            NONE if outcomes.is_empty() => return None,
            NONE => outcomes.remove(0),
            choice => choice,
        };
        let others = outcomes.iter().map(|&choice| Branch::leaf(runtime.access(thread, choice)));
        tree.splice(0..0, others);
        Some(runtime.access(thread, first))
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
            let sleeping = sleep.iter().filter(|s| s.step.thread == thread).count() as u32;
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

    pub(super) fn make_node(&mut self) {
        if self.stack.len() == self.depth {
            let step = Access {
                thread: NONE,
                object: crate::runtime::operation::NO_OBJECT,
                class: crate::runtime::operation::Class::Local,
                number: 0,
                room: NONE,
                looks: true,
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
                entry: 0,
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

    /// Moves on to what is to be explored next.
    pub(super) fn backtrack(&mut self) -> bool {
        while self.depth > 0 {
            let node = &mut self.stack[self.depth - 1];
            let next = match (&node.shared, &self.team) {
                // Whoever takes a step puts it to sleep for those who come after.
                (Some(shared), Some(team)) => shared.take(team, &mut node.entry, &mut node.sleep),
                _ if node.tree.is_empty() => None,
                _ => {
                    node.sleep.push(Sleeper { step: node.step, explored: true });
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
            self.depth = top;
            let step = self.stack[top].step;
            if let Some(why) = misses(&step, runtime) {
                return Choice::Impossible(why);
            }
            let settled = match self.stack[top].shared.clone() {
                Some(shared) => shared.settle(|tree| self.settle(runtime, step, tree)),
                None => {
                    let mut tree = std::mem::take(&mut self.stack[top].tree);
                    let settled = self.settle(runtime, step, &mut tree);
                    self.stack[top].tree = tree;
                    settled
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
