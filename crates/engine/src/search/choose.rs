//! Choosing and expanding a state's steps: the routine that all searches share.
//!
//! Sets proposed by the reduction are expanded one after another until one meets the proviso that
//! the property needs; if none does, the rest of the enabled steps follows, so that the state is
//! expanded fully. Edges of a set that was tried in vain are explored all the same (they lead back
//! to states on the stack, or to stored ones). Sleeping steps are neither explored nor counted.

mod local_first;

use crate::config::{Config, Method, Order};
use crate::expand::{Expander, Met};
use crate::monitor::Halt;
use crate::reduce::dependency::{Judge, Relation};
use crate::reduce::numbers;
use crate::reduce::pause::Pause;
use crate::reduce::sleep::{AWAKE, SleepSets, Sleeper};
use crate::reduce::{self, Proviso, Reducer};
use local_first::Local;
use mazurka_model::{Batch, Chosen, Known, Part, Relations, Step, System};
use std::cmp::Reverse;

/// What is remembered of states, so that choosing takes less time, has this part of the memory at most.
const REMEMBERED: u64 = 8;

/// What a search does with the edges of a state.
pub trait Frontier {
    /// Takes the edges from number `from` on, with the number of the sleep set behind each (all
    /// awake if the slice is empty). Whether one of them meets the proviso.
    fn take(&mut self, edges: &Batch, from: usize, sleeps: &[u32], sets: &SleepSets) -> bool;
}

/// What an expansion amounted to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// The state has enabled steps; all that are not asleep were taken.
    Alive,
    /// The state has enabled steps, and some were left out.
    Reduced,
    /// It has none.
    Dead,
}

/// Chooses and expands.
pub struct Chooser<'s> {
    system: &'s dyn System,
    /// The expansion of the present state.
    pub expander: Expander<'s>,
    /// All sleep sets met.
    pub sets: SleepSets,
    /// Whether the last expansion left out nothing that was awake.
    pub whole: bool,
    reducer: Option<Box<dyn Reducer + 's>>,
    sleeper: Option<Sleeper<'s>>,
    /// What tells local steps, where the reduction proposes them first.
    local_first: Option<&'s dyn Relations>,
    /// No process of the state at hand has a step that is put first, as it turned out.
    none_is_first: bool,
    order: Order,
    proviso: bool,
    /// When choosing pauses, as it may where it costs much.
    pub(super) pause: Option<Pause>,
    /// When only local steps are looked for: where a state has none, sets may bring nothing though local steps bring much.
    pub(super) seeking: Option<Pause>,
    enabled: Vec<Step>,
    explored: Vec<bool>,
    set: Vec<usize>,
    steps: Vec<Step>,
    sleeps: Vec<u32>,
}

impl<'s> Chooser<'s> {
    /// For `system` under `config`, whose reduction is resolved.
    pub fn new(system: &'s dyn System, config: &Config, halt: Halt<'s>) -> Chooser<'s> {
        let relations = numbers::relations(system, config);
        let sleeping = relations.filter(|_| config.reduction.sleep);
        let proviso = reduce::proviso(system, config);
        let apart = match proviso {
            Proviso::None => false,
            Proviso::Stack | Proviso::Closed => sets_share_objects(config.reduction.method),
            Proviso::WayOut | Proviso::Component => config.reduction.method != Method::None,
        };
        let relation = if apart { Relation::Apart } else { Relation::Interaction };
        let reducer = relations.and_then(|relations| reduce::reducer_by(system, relations, config));
        let first = reducer.as_ref().is_some_and(|reducer| reducer.puts_local_first());
        let pause = Pause::of(system, config).filter(|_| !config.gives_up);
        let local_first = relations.and_then(|r| local_first::relations(r, config.order, first));
        Chooser {
            system,
            expander: Expander::new(system).limited(config.limits.memory).halted_by(halt),
            sets: SleepSets::default(),
            whole: false,
            reducer,
            seeking: pause.filter(|_| local_first.is_some()).map(|_| Pause::hopeful()),
            local_first,
            sleeper: sleeping.map(|r| Sleeper::new(r, Judge::new(r, config.dependency).by(relation))),
            none_is_first: false,
            order: config.order,
            proviso: proviso != Proviso::None,
            pause,
            enabled: Vec::new(),
            explored: Vec::new(),
            set: Vec::new(),
            steps: Vec::new(),
            sleeps: Vec::new(),
        }
    }

    /// Expands `state`, which was reached with sleep set `sleep`, into `frontier`.
    pub fn expand(&mut self, state: &[u8], sleep: u32, frontier: &mut dyn Frontier) -> Expanded {
        self.expander.clear();
        self.whole = true;
        let pausing = match &mut self.pause {
            Some(pause) => (sleep == AWAKE || pause.weighs_sets()) && pause.goes_on(),
            None => false,
        };
        if self.chooses_nothing() || pausing && sleep == AWAKE && self.order == Order::Forward {
            let expanded = self.add_all(state);
            frontier.take(self.expander.edges(), 0, &[], &self.sets);
            return expanded;
        }
        let local = match pausing {
            true => Local::Absent,
            false => self.explore_local(state, sleep, frontier),
        };
        if let Local::Enough(expanded) = local {
            return expanded;
        }
        self.enabled.clear();
        self.system.enabled(state, &mut self.enabled);
        if self.enabled.is_empty() {
            return Expanded::Dead;
        }
        sort_steps(self.order, state, &mut self.enabled);
        if pausing {
            // What slept stays asleep, and nothing new falls asleep.
            self.enabled.retain(|step| !self.sets.contains(sleep, *step));
            self.expander.add(state, Chosen::Steps(&self.enabled));
            frontier.take(self.expander.edges(), 0, &[], &self.sets);
            return Expanded::Alive;
        }
        self.explored.clear();
        self.explored.resize(self.enabled.len(), false);
        if let Some(sleeper) = &mut self.sleeper {
            sleeper.begin(self.sets.steps(sleep));
        }
        if let Local::Explored(step) = local {
            self.add_explored(sleep, step);
        }
        let seeks = !(self.none_is_first && self.seeking.as_mut().is_some_and(Pause::goes_on));
        let mut attempt = 0;
        while seeks && self.propose(state, attempt) {
            attempt += 1;
            if attempt == 1 && matches!(local, Local::Explored(_)) {
                continue;
            }
            let leaves = self.explore(state, sleep, frontier);
            if leaves || !self.proviso {
                let mut left = self.enabled.iter().zip(&self.explored).filter(|(_, explored)| !**explored);
                self.whole = left.all(|(step, _)| self.sets.contains(sleep, *step));
                self.learn(false, seeks);
                return if self.whole { Expanded::Alive } else { Expanded::Reduced };
            }
        }
        self.set.clear();
        self.set.extend(0..self.enabled.len());
        self.explore(state, sleep, frontier);
        if self.enabled.len() > 1 {
            self.learn(true, seeks);
        }
        Expanded::Alive
    }

    /// A choice in a state with several steps was in vain, or was not; and whether sets were sought for it.
    fn learn(&mut self, in_vain: bool, sought: bool) {
        if let Some(pause) = &mut self.pause {
            let puts_to_sleep = || self.sleeps.iter().any(|behind| *behind != AWAKE);
            pause.learn(in_vain && (pause.weighs_sets() || !puts_to_sleep()));
        }
        if let Some(seeking) = &mut self.seeking
            && sought
            && self.none_is_first
        {
            seeking.learn(in_vain);
        }
    }

    /// Whether every state is expanded fully, and its steps in the order in which the system has them.
    pub fn chooses_nothing(&self) -> bool {
        self.reducer.is_none() && self.sleeper.is_none() && self.order == Order::Forward
    }

    /// Whether nothing, or next to nothing, is left out of so many states, and will be for all that can be told.
    #[inline]
    pub fn is_in_vain(&self, states: u64) -> bool {
        self.pause.is_none_or(|pause| pause.is_for_good(states))
    }

    /// Chooses no more: every state is expanded by [`Chooser::add_all`] from now on.
    pub fn give_up(&mut self) {
        (self.reducer, self.sleeper, self.local_first) = (None, None, None);
        (self.pause, self.seeking) = (None, None);
    }

    /// Forgets the last expansion. What is expanded by [`Chooser::add_all`] now comes together.
    pub fn begin_several(&mut self) {
        self.expander.clear();
        self.whole = true;
    }

    /// Adds all edges of `state` to those that are there.
    #[inline]
    pub fn add_all(&mut self, state: &[u8]) -> Expanded {
        let expander = &mut self.expander;
        let (edges, met) = (expander.edges().len(), expander.met().len());
        expander.begin_another();
        expander.add(state, Chosen::All);
        let none = expander.edges().len() == edges && expander.met().len() == met;
        // Behind a region that was given up there may be edges.
        let dead = none && !expander.is_endless() && expander.stopped().is_none();
        if dead { Expanded::Dead } else { Expanded::Alive }
    }

    /// Adds all edges of several states to those that are there, but for what is known to be met elsewhere, if that is done best for all at once.
    pub fn add_several(&mut self, states: &[Vec<u8>], known: Option<Known<'_>>) -> Option<&[Part]> {
        self.expander.begin_another();
        self.expander.add_several(states, known)
    }

    /// Adds the edges of those steps of `state` that are in a sleep set.
    pub fn add_sleeping(&mut self, state: &[u8], sleep: u32) {
        self.expander.begin_another();
        self.expander.add(state, Chosen::Steps(self.sets.steps(sleep)));
    }

    /// Expands a state that was visited before for `steps` that were asleep then and are not any more.
    ///
    /// Where no proviso had a say, what the reduction leaves out of the state stays out. If one of these steps is left out, the steps of the set are
    /// explored again, with the sleep set that the state has now. Otherwise a run that begins with that step would be lost: it is
    /// found behind a step of the set, and there the step was put to sleep, by what has turned out to be too much.
    ///
    /// So nothing is lost. Take a run from the state to a deadlock that can't begin with a step which is asleep in the end. It can begin with a step of each
    /// persistent set. Take the last expansion that explored a step with which it can begin, and the first such step there. If behind that the rest of
    /// the run could begin with a sleeping step, the run could too, and that step was asleep at the state and woke up later. Then it was explored, if it is in
    /// the set, or else the steps of the set were, those that are still asleep later; one of them by a later expansion, against the choice.
    pub fn reopen(&mut self, state: &[u8], steps: &[Step], sleep: u32, frontier: &mut dyn Frontier) {
        self.expander.clear();
        self.whole = false;
        self.none_is_first = false;
        self.enabled.clear();
        let chosen = !self.proviso && self.reducer.is_some() && {
            self.system.enabled(state, &mut self.enabled);
            sort_steps(self.order, state, &mut self.enabled);
            self.propose(state, 0)
        };
        if chosen {
            let set: Vec<Step> = self.set.iter().map(|&index| self.enabled[index]).collect();
            let inside = steps.iter().all(|step| set.contains(step));
            let again =
                |step: &Step| if inside { steps.contains(step) } else { !self.sets.contains(sleep, *step) };
            self.enabled.clear();
            self.enabled.extend(set.into_iter().filter(again));
        } else {
            self.enabled.clear();
            self.enabled.extend_from_slice(steps);
            sort_steps(self.order, state, &mut self.enabled);
        }
        self.explored.clear();
        self.explored.resize(self.enabled.len(), false);
        if let Some(sleeper) = &mut self.sleeper {
            sleeper.begin(self.sets.steps(sleep));
        }
        self.set.clear();
        self.set.extend(0..self.enabled.len());
        self.explore(state, AWAKE, frontier);
    }

    /// Expands what [`Chooser::expand`] left out of a state that now has sleep set `sleep`. The steps of the
    /// first set proposed were explored, as far as they are awake.
    pub fn complete(&mut self, state: &[u8], sleep: u32, frontier: &mut dyn Frontier) {
        self.expander.clear();
        let local = self.local_step(state);
        self.enabled.clear();
        self.whole = true;
        self.system.enabled(state, &mut self.enabled);
        sort_steps(self.order, state, &mut self.enabled);
        let proposed = local.is_none() && self.propose(state, 0);
        self.explored.clear();
        self.explored.resize(self.enabled.len(), false);
        if let Some(sleeper) = &mut self.sleeper {
            sleeper.begin(self.sets.steps(sleep));
        }
        if let Some(step) = local {
            self.add_explored(sleep, step);
        }
        if proposed {
            for at in 0..self.set.len() {
                self.add_explored(sleep, self.enabled[self.set[at]]);
            }
        }
        self.set.clear();
        self.set.extend(0..self.enabled.len());
        self.explore(state, sleep, frontier);
    }

    /// Takes note that a step was explored before, if it was awake.
    fn add_explored(&mut self, sleep: u32, step: Step) {
        if let Some(index) = self.enabled.iter().position(|enabled| *enabled == step) {
            self.explored[index] = true;
        }
        if let Some(sleeper) = &mut self.sleeper
            && !self.sets.contains(sleep, step)
        {
            sleeper.add_explored(step);
        }
    }

    /// The same as [`Chooser::bytes`], between two states. Of what may be used, what is remembered of states so that choosing takes less time
    /// may take a part, and is forgotten when it takes more.
    pub fn bytes_within(&mut self, limit: Option<u64>) -> u64 {
        if let Some((limit, reducer)) = limit.zip(self.reducer.as_mut())
            && reducer.bytes() > limit / REMEMBERED
        {
            reducer.forget();
        }
        self.bytes()
    }

    /// Bytes of sleep sets, buffers and what is remembered of states.
    pub fn bytes(&self) -> u64 {
        let reducer = self.reducer.as_ref().map_or(0, |reducer| reducer.bytes());
        self.sets.bytes() + self.expander.bytes() + reducer
    }

    /// Whether the search has to judge the proviso at all.
    pub fn wants_proviso(&self) -> bool {
        self.reducer.is_some() && self.proviso
    }

    /// The violations met in the last expansion.
    pub fn met(&self) -> &[Met] {
        self.expander.met()
    }

    fn propose(&mut self, state: &[u8], attempt: usize) -> bool {
        let Some(reducer) = &mut self.reducer else { return false };
        // A single step is taken in any case, whatever it waits for.
        let is_choice = self.enabled.len() > 1 || reducer.may_choose_nothing();
        if attempt == 0 && is_choice && waits_for_rest(self.system, state, &self.enabled) {
            return false;
        }
        if attempt == 0 && self.none_is_first {
            return reducer.propose_others(state, &self.enabled, &mut self.set);
        }
        reducer.propose(state, &self.enabled, attempt, &mut self.set)
    }

    /// Explores what `self.set` holds, except for sleeping steps and steps explored before. Whether
    /// some of these edges meet the proviso.
    fn explore(&mut self, state: &[u8], sleep: u32, frontier: &mut dyn Frontier) -> bool {
        self.steps.clear();
        for &index in &self.set {
            let step = self.enabled[index];
            if !self.explored[index] && !self.sets.contains(sleep, step) {
                self.explored[index] = true;
                self.steps.push(step);
            }
        }
        let from = self.expander.edges().len();
        self.expander.add(state, Chosen::Steps(&self.steps));
        if let Some(sleeper) = &mut self.sleeper {
            // Steps without a successor fall asleep too: they were explored.
            self.sleeps.resize(from, AWAKE);
            let mut edges = self.expander.edges().successors()[from..].iter().peekable();
            for step in &self.steps {
                let reducer = self.reducer.as_deref_mut();
                let behind = sleeper.take(state, *step, &mut self.sets, reducer);
                while edges.next_if(|e| e.step == *step).is_some() {
                    self.sleeps.push(behind);
                }
            }
        }
        frontier.take(self.expander.edges(), from, &self.sleeps, &self.sets)
    }
}

/// Whether the steps of a set may use objects that what is left out uses too: then sleep sets are judged more strictly
/// under a proviso ([`super::component`]). Sleep sets alone leave nothing out, and the methods of 1992 choose
/// steps that are local, or use objects that the others don't.
fn sets_share_objects(method: Method) -> bool {
    !matches!(method, Method::None | Method::Local | Method::Overman | Method::OvermanLocated)
}

/// Whether some enabled step waited until nothing else could move. It depends on everything that the
/// others do, also on those that are enabled for the same reason among others (`x == 2 || timeout`).
pub fn waits_for_rest(system: &dyn System, state: &[u8], enabled: &[Step]) -> bool {
    system.relations().is_some_and(|relations| relations.some_last_resort(state, enabled))
}

/// Puts the enabled steps of a state into the order in which processes are tried.
pub fn sort_steps(order: Order, state: &[u8], enabled: &mut [Step]) {
    match order {
        Order::Forward => {}
        Order::Reverse => enabled.sort_by_key(|s| Reverse(s.process)),
        Order::Random(seed) => {
            let base = crate::store::hash(state) ^ seed;
            let key = |s: &Step| crate::store::hash(&(base ^ u64::from(s.process.0)).to_le_bytes());
            enabled.sort_by_key(|s| (key(s), s.process));
        }
    }
}
