//! Persistent sets as closed sets of moves (Godefroid and Pirottin 1993, Definitions 8, 9 and 12).
//!
//! The graph of [`super::moves`] says which moves must come along. From each enabled step the
//! smallest closed set that contains it is sought; of those the one with the fewest enabled steps is
//! proposed first, then the others. What a move that is not enabled waits for leaves a choice between
//! conditions. [`Effort::Quick`] takes the condition that brings the fewest enabled steps, one move
//! after another. [`Effort::Deletion`] also starts from all moves and takes out one after
//! another for as long as an enabled step is left (Valmari's deletion algorithm): no closed set within
//! the result is smaller.
//!
//! Where conditions on states are checked ([`Aim`]), the sets also contain what must happen before one is
//! false, closed in the same way. Every run from here to a violation then takes a step of the set, the first
//! of which can as well be taken first; so the way to a violation gets shorter with every step, and no
//! proviso is needed (Schmidt 1999, Kristensen and Valmari 2000). If no step of such a set is enabled, no
//! violation lies ahead.
//!
//! By *processes* ([`Scope::Process`]) all alternatives of a process come together: the algorithm of
//! Overman with operations instead of objects, as in the 1996 paper. By *moves* each alternative is a
//! node of its own, as in the stubborn sets of Valmari.

use super::Reducer;
use super::bits::Bits;
use super::deletion::Deletion;
use super::dependency::Judge;
use super::memory::Memory;
use super::moves::Moves;
use mazurka_model::{Relations, Step};

/// What comes along together.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All alternatives of a process.
    Process,
    /// Each alternative by itself.
    Move,
}

/// How hard small sets are sought.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One closure for each enabled step.
    Quick,
    /// The deletion algorithm as well, unless a single step was found.
    Deletion,
}

/// What the sets must lead to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Every deadlock: any closed set with an enabled step will do.
    Deadlocks,
    /// Every kind of violation of a condition on states.
    Violations,
    /// Both.
    Both,
}

/// Proposes closed sets, those with the fewest enabled steps first.
pub struct Stubborn<'s> {
    moves: Moves<'s>,
    scope: Scope,
    effort: Effort,
    aim: Aim,
    closed: Bits,
    work: Vec<usize>,
    /// The enabled steps of the closure at hand.
    chosen: Bits,
    /// The enabled steps of the closed sets that were found, so many of them.
    candidates: Vec<Vec<usize>>,
    used: usize,
    /// The nodes that come along next.
    new: Vec<usize>,
    /// The nodes that some enabled step takes.
    enabled: Bits,
    /// The last closure chose between conditions.
    chose: bool,
    /// Some closure of this state did: others might be smaller.
    alternatives: bool,
    /// What must be in the set because a violation waits for it: one of these sets.
    aims: Vec<Bits>,
    deletion: Deletion,
    /// The first set was found without looking for others.
    hurried: bool,
    /// Whether it turned to the state for it, and took note of its steps.
    turned: bool,
    begun: bool,
    /// First sets of states like those met before.
    memory: Memory,
    /// Single steps are looked for first, and what is known of processes is kept.
    haste: bool,
    /// Nodes with which all enabled steps come along, whatever is chosen.
    hopeless: Bits,
    /// The first step of the present state that is all its process can do, and is local.
    local: Option<usize>,
}

impl<'s> Stubborn<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>, scope: Scope, effort: Effort) -> Stubborn<'s> {
        Stubborn {
            moves: Moves::new(relations, judge),
            scope,
            effort,
            aim: Aim::Deadlocks,
            closed: Bits::default(),
            work: Vec::new(),
            chosen: Bits::default(),
            candidates: Vec::new(),
            used: 0,
            new: Vec::new(),
            enabled: Bits::default(),
            chose: false,
            alternatives: false,
            aims: Vec::new(),
            deletion: Deletion::default(),
            hurried: false,
            turned: false,
            begun: false,
            memory: Memory::default(),
            haste: true,
            hopeless: Bits::default(),
            local: None,
        }
    }

    /// The same, for sets that lead to this.
    pub fn aiming(mut self, aim: Aim) -> Stubborn<'s> {
        self.aim = aim;
        self
    }

    /// The same without haste: nothing is kept from state to state, and all sets are sought before one is proposed. What is
    /// proposed must not differ.
    pub fn without_haste(mut self) -> Stubborn<'s> {
        self.haste = false;
        self
    }

    fn insert(&mut self, node: usize) {
        match self.scope {
            Scope::Move => {
                if !self.closed.contains(node) {
                    self.closed.insert(node);
                    self.work.push(node);
                }
            }
            Scope::Process => {
                let (first, count) = self.moves.siblings(node);
                for sibling in first..first + count {
                    if !self.closed.contains(sibling) {
                        self.closed.insert(sibling);
                        self.work.push(sibling);
                    }
                }
            }
        }
    }

    fn insert_new(&mut self) {
        for index in 0..self.new.len() {
            self.insert(self.new[index]);
        }
    }

    /// Closes what is in `self.work`; false if it comes to as many steps as `most`.
    fn close(&mut self, state: &[u8], most: usize) -> bool {
        self.chosen.empty();
        while let Some(node) = self.work.pop() {
            if self.hopeless.contains(node) {
                return false;
            }
            self.chosen.unite(self.moves.set_of_steps(node));
            if self.chosen.count() >= most {
                return false;
            }
            let (closed, enabled) = (&self.closed, &self.enabled);
            let best = match self.moves.choices(state, node) {
                [] => continue,
                [only] => only,
                several => {
                    self.chose = true;
                    let size = |c: &&Bits| (c.common_without(enabled, closed), c.count());
                    match several.iter().min_by_key(size) {
                        Some(best) => best,
                        None => continue,
                    }
                }
            };
            match self.scope {
                Scope::Move => {
                    best.list_without(closed, &mut self.work);
                    self.closed.unite(best);
                }
                Scope::Process => {
                    self.new.clear();
                    best.list_without(closed, &mut self.new);
                    self.insert_new();
                }
            }
        }
        true
    }

    fn keep(&mut self) {
        if self.used == self.candidates.len() {
            self.candidates.push(Vec::new());
        }
        let candidate = &mut self.candidates[self.used];
        candidate.clear();
        candidate.extend(self.chosen.iter());
        if !self.candidates[..self.used].contains(&self.candidates[self.used]) {
            self.used += 1;
        }
    }

    /// Looks for a step that makes a closed set alone, the first of which is what [`Stubborn::seek`] would find. That is
    /// quick, because a closure is given up as soon as another step comes along, and in most systems that have
    /// something to reduce it is found in most states.
    fn seek_single(&mut self, state: &[u8], enabled: &[Step]) -> Option<usize> {
        self.begun = false;
        for step in only_steps(enabled) {
            let alone = self.moves.is_local(state, enabled[step].process) || {
                self.begin_once(state, enabled);
                self.closes_alone(state, step, enabled.len())
            };
            if alone {
                return Some(step);
            }
        }
        self.begin_once(state, enabled);
        None
    }

    fn begin_once(&mut self, state: &[u8], enabled: &[Step]) {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(state, enabled);
        }
    }

    /// Whether the closure of a step has no other step.
    fn closes_alone(&mut self, state: &[u8], step: usize, steps: usize) -> bool {
        self.start(Some(step), None);
        let alone = self.close(state, 2);
        if steps == 2 {
            // That is all there is to look for.
            self.alternatives |= self.chose;
            if !alone && !self.chose {
                let (moves, hopeless) = (&self.moves, &mut self.hopeless);
                moves.nodes_of(step).for_each(|node| hopeless.insert(node));
            }
        }
        alone
    }

    fn turn_once(&mut self, state: &[u8]) {
        if !std::mem::replace(&mut self.turned, true) {
            self.moves.turn(state);
        }
    }

    /// Takes note of the steps of a state.
    fn begin(&mut self, state: &[u8], enabled: &[Step]) {
        self.used = 0;
        self.alternatives = false;
        self.turn_once(state);
        self.moves.list(state, enabled);
        let nodes = self.moves.nodes();
        self.enabled.clear(nodes);
        for node in 0..nodes {
            if !self.moves.steps_of(node).is_empty() {
                self.enabled.insert(node);
            }
        }
        self.hopeless.clear(nodes);
        self.chosen.clear(enabled.len());
    }

    /// Looks for closed sets in the state to which it turned.
    fn seek(&mut self, state: &[u8], enabled: &[Step]) {
        let nodes = self.moves.nodes();
        if self.aim == Aim::Deadlocks {
            let fewest = self.seek_from(state, enabled.len(), None);
            return self.refine(state, enabled.len(), fewest, None);
        }
        let mut aims = std::mem::take(&mut self.aims);
        if self.moves.before_violation(state, &mut aims) {
            let mut best = (usize::MAX, 0);
            for (index, aim) in aims.iter().enumerate() {
                best = best.min((self.seek_from(state, enabled.len(), Some(aim)), index));
            }
            if let Some(aim) = aims.get(best.1) {
                self.refine(state, enabled.len(), best.0, Some(aim));
            }
            // Nothing can lead to a violation.
            if aims.is_empty() {
                let mut nothing = Bits::default();
                nothing.clear(nodes);
                let fewest = self.seek_from(state, enabled.len(), Some(&nothing));
                self.refine(state, enabled.len(), fewest, Some(&nothing));
            }
        }
        self.aims = aims;
    }

    /// Looks for closed sets that contain `aim`, if there is one: the fewest steps of any that was found.
    fn seek_from(&mut self, state: &[u8], steps: usize, aim: Option<&Bits>) -> usize {
        let first = self.used;
        self.hopeless.clear(self.moves.nodes());
        if aim.is_some() && self.aim == Aim::Violations {
            self.close_from(state, steps, None, aim);
        } else {
            for step in 0..steps {
                // A closed set within one that was found is looked for only if effort is asked for.
                let found = || self.candidates[first..self.used].iter().any(|c| c.contains(&step));
                if (self.effort == Effort::Quick || self.moves.are_constant()) && found() {
                    continue;
                }
                if self.close_from(state, steps, Some(step), aim) {
                    if self.candidates[self.used - 1].len() == 1 {
                        break;
                    }
                } else if !self.chose || self.moves.are_constant() {
                    // What comes along with this step is everything, whoever brings it along.
                    let (moves, hopeless) = (&self.moves, &mut self.hopeless);
                    moves.nodes_of(step).for_each(|node| hopeless.insert(node));
                }
            }
        }
        self.candidates[first..self.used].iter().map(Vec::len).min().unwrap_or(steps)
    }

    /// Tries the deletion algorithm if that may find less than `fewest` steps, and sorts what was found.
    fn refine(&mut self, state: &[u8], steps: usize, fewest: usize, aim: Option<&Bits>) {
        // Where nothing was chosen the closures are the smallest closed sets there are.
        let smaller = self.alternatives || self.moves.are_constant();
        if self.effort == Effort::Deletion && fewest > 1 && smaller {
            self.delete(state, steps, aim);
        }
        self.candidates[..self.used].sort_by_key(Vec::len);
    }

    /// The closure of a step and an aim, if it is not everything.
    fn close_from(&mut self, state: &[u8], steps: usize, step: Option<usize>, aim: Option<&Bits>) -> bool {
        self.start(step, aim);
        let small = self.close(state, steps);
        self.alternatives |= self.chose;
        if small {
            self.keep();
        }
        small
    }

    /// Begins a closure of a step and an aim.
    fn start(&mut self, step: Option<usize>, aim: Option<&Bits>) {
        self.closed.clear(self.moves.nodes());
        self.work.clear();
        self.new.clear();
        self.new.extend(step.into_iter().flat_map(|step| self.moves.nodes_of(step)));
        self.new.extend(aim.into_iter().flat_map(Bits::iter));
        self.insert_new();
        self.chose = false;
    }

    /// The deletion algorithm: from all moves, none of `aim` given up.
    fn delete(&mut self, state: &[u8], steps: usize, aim: Option<&Bits>) {
        let by_process = self.scope == Scope::Process;
        self.deletion.load(&mut self.moves, state, by_process);
        let order: Vec<usize> = self.enabled.iter().collect();
        let may_be_empty = aim.is_some() && self.aim == Aim::Violations;
        if let Some(aim) = aim {
            self.deletion.protect(aim);
        }
        for node in order {
            self.deletion.take_out(node, (!may_be_empty).then_some(&self.enabled));
        }
        self.chosen.empty();
        for node in self.deletion.left().iter() {
            self.chosen.unite(self.moves.set_of_steps(node));
        }
        if self.chosen.count() < steps {
            self.keep();
        }
    }
}

impl Stubborn<'_> {
    /// The first set at a state, where single steps are looked for first and other sets only if there is none.
    fn hurry(&mut self, state: &[u8], enabled: &[Step], set: &mut Vec<usize>) -> bool {
        set.clear();
        if let Some(step) = self.seek_single(state, enabled) {
            set.push(step);
            self.hurried = true;
            return true;
        }
        if enabled.len() == 2 {
            self.refine(state, 2, 2, None);
        } else {
            self.seek(state, enabled);
        }
        self.propose_next(enabled, 0, set)
    }

    /// The first step that is all its process can do, and is local or may be enough by itself for another reason; if it is local.
    fn first_local(&self, state: &[u8], enabled: &[Step]) -> Option<usize> {
        if !self.puts_local_first() {
            return None;
        }
        let relations = self.moves.relations();
        let process = |step: usize| enabled[step].process;
        let is_local = |step: usize| relations.next_is_local(state, process(step));
        let mut candidates = only_steps(enabled)
            .filter(|&step| is_local(step) || relations.may_be_alone(state, process(step)));
        candidates.next().filter(|&step| is_local(step))
    }

    /// What [`Stubborn::hurry`] finds, from memory if a state like this one was met before.
    fn recall(&mut self, state: &[u8], enabled: &[Step], set: &mut Vec<usize>) -> bool {
        self.turn_once(state);
        if let Some(some) = self.memory.recall(&mut self.moves, state, enabled, set) {
            (self.hurried, self.begun) = (true, false);
            return some;
        }
        self.moves.open_journal();
        let some = self.hurry(state, enabled, set);
        self.memory.keep(&mut self.moves, state, enabled, some.then_some(set.as_slice()));
        some
    }

    /// Puts the local step before all sets that were found.
    fn put_local_first(&mut self) {
        let Some(step) = self.local else { return };
        let found = self.candidates[..self.used].iter().position(|set| *set == [step]);
        let at = found.unwrap_or_else(|| {
            self.candidates.insert(self.used, vec![step]);
            self.used += 1;
            self.used - 1
        });
        self.candidates[..=at].rotate_right(1);
    }

    /// A set that was found.
    fn propose_next(&self, enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        let Some(candidate) = self.candidates[..self.used].get(attempt) else { return false };
        set.clear();
        set.extend_from_slice(candidate);
        set.len() < enabled.len()
    }
}

/// The steps that are the only ones of their processes: all steps of a process come along together.
fn only_steps(enabled: &[Step]) -> impl Iterator<Item = usize> + '_ {
    let process = |step: usize| enabled.get(step).map(|step| step.process);
    (0..enabled.len()).filter(move |&step| {
        process(step.wrapping_sub(1)) != process(step) && process(step + 1) != process(step)
    })
}

impl Stubborn<'_> {
    /// The first set at a state whose first local step is `local`.
    fn propose_first(
        &mut self,
        state: &[u8],
        enabled: &[Step],
        local: Option<usize>,
        set: &mut Vec<usize>,
    ) -> bool {
        (self.hurried, self.turned, self.local) = (false, false, local);
        if !self.haste {
            self.moves = self.moves.afresh();
        }
        // Without effort, sets within those that were found are not looked for.
        let all = self.effort == Effort::Quick || self.aim != Aim::Deadlocks || self.moves.are_constant();
        if all || !self.haste {
            self.begin(state, enabled);
            self.seek(state, enabled);
            self.put_local_first();
            self.propose_next(enabled, 0, set)
        } else if let Some(step) = local {
            (self.hurried, self.begun) = (true, false);
            set.clear();
            set.push(step);
            true
        } else if self.memory.is_awake() {
            self.recall(state, enabled, set)
        } else {
            self.turn_once(state);
            self.hurry(state, enabled, set)
        }
    }
}

impl Reducer for Stubborn<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if enabled.len() < 2 && !self.may_choose_nothing() {
            return false;
        }
        if attempt == 0 {
            let local = self.first_local(state, enabled);
            return self.propose_first(state, enabled, local, set);
        }
        if std::mem::take(&mut self.hurried) {
            // The first set was not enough.
            self.begin_once(state, enabled);
            self.seek(state, enabled);
            self.put_local_first();
        }
        self.propose_next(enabled, attempt, set)
    }

    fn propose_others(&mut self, state: &[u8], enabled: &[Step], set: &mut Vec<usize>) -> bool {
        if enabled.len() < 2 && !self.may_choose_nothing() {
            return false;
        }
        debug_assert_eq!(self.first_local(state, enabled), None);
        self.propose_first(state, enabled, None, set)
    }

    fn puts_local_first(&self) -> bool {
        let constant = self.moves.relations().futures_are_constant();
        self.effort == Effort::Deletion && self.aim == Aim::Deadlocks && !constant
    }

    fn number_of(&mut self, state: &[u8], step: Step) -> Option<u32> {
        self.haste.then(|| self.moves.number_of_step(state, step)).flatten()
    }

    fn bytes(&self) -> u64 {
        self.memory.bytes() + self.moves.bytes()
    }

    fn forget(&mut self) {
        self.memory.forget();
        self.moves.forget();
    }

    fn may_choose_nothing(&self) -> bool {
        self.aim == Aim::Violations
    }
}
