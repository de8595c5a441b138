//! The checking mode: does a system keep the rules that searches and reductions rest on?
//!
//! Explores the full state space, up to a limit, and at every state compares what the system says
//! with what it does: steps listed as enabled can be executed and the other way round; answers
//! repeat; and, where it has [`Relations`], steps whose footprints say that they are independent
//! commute and neither enable nor disable each other (Godefroid and Pirottin 1993, Definition 5), and
//! nothing is touched that was not announced. A footprint that misses an operation shows up here as
//! a pair of steps and the difference that their order makes.
//!
//! Nothing found within the limit is evidence, not proof: only what was explored was compared.

use crate::config::Dependency;
use crate::expand::Expander;
use crate::reduce::dependency::Judge;
use mazurka_model::{Chosen, Footprint, ProcessId, Relations, Step, System};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// A rule that was broken, where and by which steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// What is wrong, in words.
    pub message: String,
    /// The state in which it shows, as named values.
    pub state: Vec<(String, String)>,
    /// The steps concerned, in words.
    pub steps: Vec<String>,
}

/// What the checking mode found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The rules broken, at most as many as asked for.
    pub breaches: Vec<Breach>,
    /// States compared.
    pub states: u64,
    /// Pairs of steps executed in both orders.
    pub pairs: u64,
    /// Whether the whole state space was compared.
    pub complete: bool,
}

/// Compares what `system` says with what it does, in at most `most_states` states, until
/// `most_breaches` rules were found broken.
pub fn verify(system: &dyn System, most_states: u64, most_breaches: usize) -> Report {
    verify_until(system, most_states, most_breaches, || false)
}

/// The same until `enough` says so, which is asked before each state.
pub fn verify_until(
    system: &dyn System,
    most_states: u64,
    most_breaches: usize,
    enough: impl Fn() -> bool,
) -> Report {
    let mut checker = Checker { system, most_breaches, report: Report::default() };
    let mut first = Expander::new(system);
    first.add_initial();
    let mut queue: VecDeque<Vec<u8>> = VecDeque::new();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    for index in 0..first.edges().len() {
        let state = first.edges().state(index).to_vec();
        if seen.insert(state.clone()) {
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        let done = checker.report.states == most_states || checker.report.breaches.len() >= most_breaches;
        if done || enough() {
            return checker.report;
        }
        checker.report.states += 1;
        for successor in checker.state(&state) {
            if seen.insert(successor.clone()) {
                queue.push_back(successor);
            }
        }
    }
    checker.report.complete = checker.report.breaches.is_empty();
    checker.report
}

/// One enabled step: what it leads to, what goes wrong, and what it says it touches.
struct Move {
    step: Step,
    results: Vec<Vec<u8>>,
    violations: BTreeSet<u32>,
    footprint: Footprint,
}

struct Checker<'s> {
    system: &'s dyn System,
    most_breaches: usize,
    report: Report,
}

impl Checker<'_> {
    fn breach(&mut self, state: &[u8], steps: &[Step], message: String) {
        if self.report.breaches.len() < self.most_breaches {
            let describe = self.system.describe();
            let words = |s: &Step| {
                let text = describe.step(state, *s);
                format!("{}: {}", text.process, text.text)
            };
            self.report.breaches.push(Breach {
                message,
                state: describe.values(state),
                steps: steps.iter().map(words).collect(),
            });
        }
    }

    /// Compares everything at one state; its successors.
    fn state(&mut self, state: &[u8]) -> Vec<Vec<u8>> {
        if self.system.state_size().is_some_and(|size| size != state.len()) {
            self.breach(state, &[], format!("the state has {} bytes, not the announced size", state.len()));
        }
        let moves = self.moves(state);
        self.whole_expansion(state, &moves);
        // What is enabled only because nothing else is, is never chosen apart from the rest.
        let last_resort = |r: &dyn Relations| moves.iter().any(|m| r.is_last_resort(state, m.step));
        if let Some(relations) = self.system.relations().filter(|r| !last_resort(*r)) {
            for (index, a) in moves.iter().enumerate() {
                self.announced(state, a, relations);
                self.enabling(state, a, &moves, relations);
                for b in &moves[index + 1..] {
                    self.pair(state, a, b, relations);
                }
            }
        }
        moves.into_iter().flat_map(|m| m.results).collect()
    }

    /// The enabled steps, each executed by itself, twice.
    fn moves(&mut self, state: &[u8]) -> Vec<Move> {
        let mut steps = Vec::new();
        self.system.enabled(state, &mut steps);
        let mut moves: Vec<Move> = Vec::new();
        for step in steps {
            if moves.iter().any(|m| m.step == step) {
                self.breach(state, &[step], "the step is listed twice among the enabled ones".to_owned());
                continue;
            }
            let (results, violations) = self.execute(state, step);
            if results.is_empty() && violations.is_empty() && !self.is_endless(state, step) {
                self.breach(state, &[step], "the step is enabled but cannot be executed".to_owned());
            }
            if self.execute(state, step) != (results.clone(), violations.clone()) {
                self.breach(state, &[step], "executing the step again gives something else".to_owned());
            }
            let mut footprint = Footprint::default();
            if let Some(relations) = self.system.relations() {
                relations.step(state, step, &mut footprint);
            }
            moves.push(Move { step, results, violations, footprint });
        }
        moves
    }

    /// Whether a step leads into an atomic region that need not end.
    fn is_endless(&self, state: &[u8], step: Step) -> bool {
        let mut expander = Expander::new(self.system);
        expander.add(state, Chosen::Steps(&[step]));
        expander.is_endless()
    }

    fn execute(&self, state: &[u8], step: Step) -> (Vec<Vec<u8>>, BTreeSet<u32>) {
        let mut expander = Expander::new(self.system);
        expander.add(state, Chosen::Steps(&[step]));
        let edges = expander.edges();
        let results = (0..edges.len()).map(|i| edges.state(i).to_vec()).collect();
        (results, expander.met().iter().map(|m| m.violation.place).collect())
    }

    /// The whole expansion is that of the single steps, in order.
    fn whole_expansion(&mut self, state: &[u8], moves: &[Move]) {
        let mut expander = Expander::new(self.system);
        expander.add(state, Chosen::All);
        let edges = expander.edges();
        let single = moves.iter().flat_map(|m| m.results.iter().map(move |r| (m.step, r.as_slice())));
        let whole = edges.successors().iter().enumerate().map(|(i, s)| (s.step, edges.state(i)));
        if let Some(odd) = whole.clone().find(|(step, _)| moves.iter().all(|m| m.step != *step)) {
            self.breach(state, &[odd.0], "the step is executed but not listed as enabled".to_owned());
        } else if !single.eq(whole) {
            let message = "expanding the state gives other successors than its steps one by one";
            self.breach(state, &[], message.to_owned());
        }
    }

    /// A step touches nothing that its process did not announce, now and for the future.
    fn announced(&mut self, state: &[u8], a: &Move, relations: &dyn Relations) {
        let process = a.step.process;
        if !a.footprint.processes.contains(&process) {
            self.breach(state, &[a.step], "the footprint leaves out the process that moves".to_owned());
        }
        if relations.next_is_local(state, process) && !a.footprint.is_local() {
            let message = "the process says that its moves are local, but the step's footprint is not";
            self.breach(state, &[a.step], message.to_owned());
        }
        for mover in &a.footprint.processes {
            self.covered(state, a.step, &a.footprint, *mover, relations);
        }
        let before = relations.processes(state);
        for result in &a.results {
            for p in 0..relations.processes(result) {
                let process = ProcessId(p as u16);
                // Behind a handshake it may be the partner who went on, and created a process.
                let own = [process];
                let owners = if p < before { &own[..] } else { &a.footprint.processes[..] };
                let mut later = Vec::new();
                relations.support(result, process, true, &mut later);
                if !owners.iter().any(|owner| self.supports(state, *owner, &later, relations)) {
                    let message = format!(
                        "after the step, process {p} may touch an object that it, or who created it, did not announce"
                    );
                    self.breach(state, &[a.step], message);
                }
            }
        }
    }

    /// The objects of a footprint are among those that `process` announced for its next moves.
    /// What a handshake touches is announced by both sides together.
    fn covered(
        &mut self,
        state: &[u8],
        step: Step,
        footprint: &Footprint,
        process: ProcessId,
        relations: &dyn Relations,
    ) {
        let mut next = Vec::new();
        if !relations.next_objects(state, process, &mut next) {
            let count = relations.objects().len();
            let mut all = vec![0u64; count.div_ceil(64)];
            (0..count).for_each(|object| all[object / 64] |= 1 << (object % 64));
            if !self.supports(state, process, &all, relations) {
                let message = format!(
                    "a move of process {process} may do anything to every object, but its support leaves some out"
                );
                self.breach(state, &[step], message);
            }
            return;
        }
        if !self.supports(state, process, &next, relations) {
            let message = format!("process {process} announces a next operation outside its support");
            self.breach(state, &[step], message);
        }
        let mut all = next;
        for other in footprint.processes.iter().filter(|p| **p != process) {
            let mut more = Vec::new();
            if !relations.next_objects(state, *other, &mut more) {
                return;
            }
            all.resize(all.len().max(more.len()), 0);
            all.iter_mut().zip(&more).for_each(|(a, m)| *a |= m);
        }
        for access in &footprint.accesses {
            if !has(&all, access.object.index()) {
                let message = format!(
                    "the step uses object {}, which its process did not announce",
                    access.object.index()
                );
                self.breach(state, &[step], message);
                return;
            }
        }
    }

    fn supports(&self, state: &[u8], process: ProcessId, objects: &[u64], relations: &dyn Relations) -> bool {
        [true, false].iter().all(|located| {
            let mut support = Vec::new();
            relations.support(state, process, *located, &mut support);
            (0..objects.len() * 64).all(|bit| !has(objects, bit) || has(&support, bit))
        })
    }

    /// What `a` enables depends on it.
    fn enabling(&mut self, state: &[u8], a: &Move, moves: &[Move], relations: &dyn Relations) {
        let mut judge = Judge::new(relations, Dependency::Refined);
        for result in &a.results {
            let mut later = Vec::new();
            self.system.enabled(result, &mut later);
            for step in later {
                let mut footprint = Footprint::default();
                relations.step(result, step, &mut footprint);
                // A process that did not exist before, as partner of a handshake too, is enabled by
                // its creation: no footprint can say so, and no reduction asks.
                let newborn = |p: &ProcessId| p.index() >= relations.processes(state);
                if moves.iter().any(|m| m.step == step)
                    || footprint.processes.iter().any(newborn)
                    || relations.is_last_resort(result, step)
                {
                    continue;
                }
                if !judge.dependent(state, &a.footprint, &footprint) {
                    let message = "the first step enables the second, but their footprints say that they are independent";
                    self.breach(state, &[a.step, step], message.to_owned());
                }
                if !footprint.processes.iter().any(|p| a.footprint.processes.contains(p)) {
                    self.covered(state, step, &footprint, step.process, relations);
                }
            }
        }
    }

    /// Independent steps commute.
    fn pair(&mut self, state: &[u8], a: &Move, b: &Move, relations: &dyn Relations) {
        let mut judge = Judge::new(relations, Dependency::Refined);
        if judge.dependent(state, &a.footprint, &b.footprint) {
            return;
        }
        self.report.pairs += 1;
        let Some(ab) = self.second(state, a, b) else { return };
        let Some(ba) = self.second(state, b, a) else { return };
        if ab != ba {
            let message = "the order of the steps makes a difference, but their footprints say that they are independent";
            self.breach(state, &[a.step, b.step], message.to_owned());
        }
    }

    /// The states after `a` and then `b`; `None` if that was found to be wrong.
    fn second(&mut self, state: &[u8], a: &Move, b: &Move) -> Option<BTreeSet<Vec<u8>>> {
        let mut all = BTreeSet::new();
        for result in &a.results {
            let (results, violations) = self.execute(result, b.step);
            if results.is_empty() && violations.is_empty() {
                let message =
                    "the first step disables the second, but their footprints say that they are independent";
                self.breach(state, &[a.step, b.step], message.to_owned());
                return None;
            }
            if violations != b.violations {
                let message = "the first step changes what the second one reports, but their footprints say that they are independent";
                self.breach(state, &[a.step, b.step], message.to_owned());
                return None;
            }
            all.extend(results);
        }
        Some(all)
    }
}

fn has(bits: &[u64], bit: usize) -> bool {
    bits.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}
