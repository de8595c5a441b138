//! Small systems whose answers are known: processes that test and set shared bytes.

use super::*;
use crate::monitor::Silent;
use crate::outcome::Verdict;
use mazurka_model::object::{ObjectType, variable};
use mazurka_model::trace::execute;
use mazurka_model::{
    Access, Chosen, Describe, Footprint, ObjectId, Operation, ProcessId, Relations, Step, StepText, Trace,
    Violation,
};

/// A transition: from, to, the byte and value waited for, the byte and value set, and whether the process
/// goes on alone afterwards.
type Rule = (u8, u8, Option<(u8, u8)>, Option<(u8, u8)>, bool);

fn rule(from: u8, to: u8) -> Rule {
    (from, to, None, None, false)
}

fn set(from: u8, to: u8, byte: u8, value: u8) -> Rule {
    (from, to, None, Some((byte, value)), false)
}

fn wait(from: u8, to: u8, byte: u8, value: u8) -> Rule {
    (from, to, Some((byte, value)), None, false)
}

fn atomic(rule: Rule) -> Rule {
    (rule.0, rule.1, rule.2, rule.3, true)
}

/// The state: shared bytes, the location of each process, and who goes on alone (0: nobody).
struct Toy {
    bytes: usize,
    processes: Vec<Vec<Rule>>,
    objects: Vec<Box<dyn ObjectType>>,
}

impl Toy {
    fn new(bytes: usize, processes: Vec<Vec<Rule>>) -> Toy {
        let objects = (0..bytes).map(|_| Box::new(variable::Variable) as Box<dyn ObjectType>).collect();
        Toy { bytes, processes, objects }
    }

    fn can(&self, state: &[u8], process: usize, rule: &Rule) -> bool {
        let alone = state[state.len() - 1];
        (alone == 0 || usize::from(alone) == process + 1)
            && state[self.bytes + process] == rule.0
            && rule.2.is_none_or(|(byte, value)| state[usize::from(byte)] == value)
    }

    fn add(&self, process: ProcessId, rule: &Rule, out: &mut Footprint) {
        if let Some((byte, _)) = rule.2 {
            out.access(ObjectId(byte.into()), Operation::new(process, variable::READ));
        }
        if let Some((byte, value)) = rule.3 {
            out.access(ObjectId(byte.into()), Operation::with(process, variable::WRITE, value.into()));
        }
        if rule.4 {
            let all = &self.processes[process.index()];
            let behind = all.iter().filter(|next| next.0 == rule.1);
            behind.for_each(|next| self.add(process, &(next.0, next.1, next.2, next.3, false), out));
        }
    }
}

impl System for Toy {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &vec![0; self.bytes + self.processes.len() + 1]);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        if let Chosen::Steps(wanted) = chosen {
            steps = wanted.iter().copied().filter(|step| steps.contains(step)).collect();
        }
        for step in steps {
            let rule = self.processes[step.process.index()][step.code as usize];
            out.begin(step, state);
            let mut draft = out.draft();
            draft[self.bytes + step.process.index()] = rule.1;
            if let Some((byte, value)) = rule.3 {
                draft[usize::from(byte)] = value;
            }
            let last = draft.len() - 1;
            draft[last] = 0;
            let goes_on = |next: &Rule| self.can(&draft, step.process.index(), next);
            let interior = rule.4 && self.processes[step.process.index()].iter().any(goes_on);
            if interior {
                draft[last] = step.process.0 as u8 + 1;
            }
            out.keep(interior);
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        for (process, rules) in self.processes.iter().enumerate() {
            for (code, rule) in rules.iter().enumerate() {
                if self.can(state, process, rule) {
                    out.push(Step::new(process as u16, code as u32));
                }
            }
        }
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}

impl Relations for Toy {
    fn processes(&self, _: &[u8]) -> usize {
        self.processes.len()
    }
    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.objects
    }
    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        out.clear();
        out.push(state[object.index()].into());
    }
    fn step(&self, _: &[u8], step: Step, out: &mut Footprint) {
        out.clear();
        out.processes.push(step.process);
        self.add(step.process, &self.processes[step.process.index()][step.code as usize], out);
    }
    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        let at = state[self.bytes + process.index()];
        let here = self.processes[process.index()].iter().filter(|rule| rule.0 == at);
        here.for_each(|rule| self.add(process, rule, out));
    }
    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool {
        let mut next = Footprint::default();
        self.next(state, process, &mut next);
        next.is_local()
    }
    fn support(&self, _: &[u8], process: ProcessId, _: bool, out: &mut Vec<u64>) {
        let mut whole = Footprint::default();
        self.processes[process.index()].iter().for_each(|rule| self.add(process, rule, &mut whole));
        out.clear();
        out.push(whole.accesses.iter().fold(0, |bits, access| bits | 1 << access.object.0));
    }
    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        let mut next = Footprint::default();
        self.next(state, process, &mut next);
        out.clear();
        out.push(next.accesses.iter().fold(0, |bits, access| bits | 1 << access.object.0));
        true
    }
}

impl Describe for Toy {
    fn name(&self) -> String {
        "toy".to_owned()
    }
    fn fingerprint(&self) -> u64 {
        0
    }
    fn step(&self, _: &[u8], step: Step) -> StepText {
        StepText { process: step.process.to_string(), ..StepText::default() }
    }
    fn values(&self, _: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }
    fn violation(&self, _: &Violation) -> StepText {
        StepText::default()
    }
}

/// Atom i: byte i is not 0.
struct Bytes(usize);

impl Atoms for Bytes {
    fn count(&self) -> usize {
        self.0
    }
    fn letter(&self, state: &[u8]) -> u64 {
        (0..self.0).fold(0, |letter, byte| letter | u64::from(state[byte] != 0) << byte)
    }
    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool {
        let operation = Operation::new(ProcessId(u16::MAX), variable::READ);
        out.push(Access { object: ObjectId(atom as u32), operation });
        true
    }
}

/// An automaton from its edges: source, target, marks, care, value.
fn acceptor(sets: u32, edges: &[(u32, u32, u64, u64, u64)]) -> Acceptor {
    let states = edges.iter().map(|edge| edge.0.max(edge.1) + 1).max().unwrap_or(1);
    let mut acceptor = Acceptor::new(states, 0, sets);
    for &(source, target, marks, care, value) in edges {
        acceptor.add_edge(source, AcceptorEdge { target, marks, guard: vec![Cube { care, value }] });
    }
    acceptor
}

/// Walks a trace and gives the letters of its states, after a look that it closes.
fn letters(toy: &Toy, atoms: &Bytes, trace: &Trace) -> (Vec<u64>, usize) {
    let mut batch = Batch::default();
    toy.initial(&mut batch);
    let mut states = vec![batch.state(0).to_vec()];
    for step in &trace.steps {
        let next = execute(toy, &states[states.len() - 1], *step, &mut batch).expect("a step of the run");
        states.push(next);
    }
    let again = trace.repeats.expect("a lasso");
    if again == trace.steps.len() {
        let mut enabled = Vec::new();
        toy.enabled(&states[again], &mut enabled);
        assert!(enabled.is_empty(), "the run stands still where it could go on");
    } else {
        assert_eq!(states.pop().as_ref(), Some(&states[again]), "the run does not close");
    }
    (states.iter().map(|state| atoms.letter(state)).collect(), again)
}

struct Case {
    toy: Toy,
    acceptor: Acceptor,
    stutter_invariant: bool,
}

impl Case {
    fn new(toy: Toy, acceptor: Acceptor) -> Case {
        Case { toy, acceptor, stutter_invariant: true }
    }

    /// The verdict under each reduction, which must be one; then the letters of the lasso of each.
    fn check(&self, fairness: Fairness) -> (Verdict, Vec<(Vec<u64>, usize)>) {
        let atoms = Bytes(self.toy.bytes);
        let property = Property {
            number: 0,
            atoms: &atoms,
            acceptor: &self.acceptor,
            stutter_invariant: self.stutter_invariant,
            components: &[u64::MAX],
            safety: false,
            representatives: Representatives::Auto,
            fairness,
            shortest: false,
            emptiness: Algorithm::Components,
        };
        let mut verdicts = Vec::new();
        let mut lassos = Vec::new();
        let mut full = None;
        for method in
            ["none", "local", "overman", "persistent", "stubborn", "conditional", "deletion", "auto"]
        {
            for order in ["forward", "reverse"] {
                let reduction = method.parse().unwrap();
                let config = Config { reduction, order: order.parse().unwrap(), ..Config::default() };
                let nested = Property { emptiness: Algorithm::Nested, ..property };
                let outcome = super::check(&self.toy, &nested, &config, &Silent);
                verdicts.push(outcome.verdict);
                lassos.extend(outcome.findings.iter().map(|found| letters(&self.toy, &atoms, &found.trace)));
                let several = Config { threads: 2, ..config.clone() };
                let outcome = super::check(&self.toy, &property, &several, &Silent);
                verdicts.push(outcome.verdict);
                lassos.extend(outcome.findings.iter().map(|found| letters(&self.toy, &atoms, &found.trace)));
                let outcome = super::check(&self.toy, &property, &config, &Silent);
                verdicts.push(outcome.verdict);
                let states = outcome.statistics.states;
                if outcome.verdict == Verdict::Holds {
                    assert!(states <= *full.get_or_insert(states), "{method} {order}");
                }
                lassos.extend(outcome.findings.iter().map(|found| letters(&self.toy, &atoms, &found.trace)));
            }
        }
        assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "{verdicts:?}");
        (verdicts[0], lassos)
    }

    fn verdict(&self, fairness: Fairness) -> Verdict {
        self.check(fairness).0
    }
}

const NONE: Fairness = Fairness::None;

/// Atom 0 never holds: breaks "finally p".
fn never_p() -> Acceptor {
    acceptor(1, &[(0, 0, 1, 1, 0)])
}

#[test]
fn a_local_loop_starves_another_process_unless_runs_are_fair() {
    let case = Case::new(Toy::new(1, vec![vec![rule(0, 0)], vec![set(0, 1, 0, 1)]]), never_p());
    let (verdict, lassos) = case.check(NONE);
    assert_eq!(verdict, Verdict::Violated);
    assert!(lassos.iter().all(|(letters, _)| letters.iter().all(|letter| *letter == 0)));
    assert_eq!(case.verdict(Fairness::Weak), Verdict::Holds);
    assert_eq!(case.verdict(Fairness::Strong), Verdict::Holds);
}

#[test]
fn weak_fairness_does_not_help_who_is_enabled_now_and_then() {
    // The second process can move only while byte 1 is 1.
    let toggle = vec![set(0, 1, 1, 1), set(1, 0, 1, 0)];
    let enter = vec![(0, 1, Some((1, 1)), Some((0, 1)), false)];
    let case = Case::new(Toy::new(2, vec![toggle, enter]), never_p());
    assert_eq!(case.verdict(Fairness::Weak), Verdict::Violated);
    assert_eq!(case.verdict(Fairness::Strong), Verdict::Holds);
}

#[test]
fn strong_fairness_looks_into_components_that_are_unfair_as_a_whole() {
    // The first process may go round where the second can't move, or where it can.
    let mover = vec![rule(0, 0), set(0, 1, 1, 1), set(1, 0, 1, 0)];
    let enter = vec![(0, 1, Some((1, 1)), Some((0, 1)), false)];
    let case = Case::new(Toy::new(2, vec![mover, enter]), never_p());
    assert_eq!(case.verdict(Fairness::Strong), Verdict::Violated);
}

#[test]
fn a_process_that_goes_on_alone_is_no_excuse_to_be_unfair() {
    let alone = vec![atomic(set(0, 1, 1, 1)), set(1, 0, 1, 0)];
    let case = Case::new(Toy::new(2, vec![alone, vec![set(0, 1, 0, 1)]]), never_p());
    assert_eq!(case.verdict(NONE), Verdict::Violated);
    assert_eq!(case.verdict(Fairness::Weak), Verdict::Holds);
    let for_ever = vec![atomic(rule(0, 0))];
    let case = Case::new(Toy::new(1, vec![for_ever, vec![set(0, 1, 0, 1)]]), never_p());
    assert_eq!(case.verdict(Fairness::Weak), Verdict::Violated);
}

#[test]
fn both_orders_of_visible_steps_are_kept() {
    let toy = || Toy::new(2, vec![vec![set(0, 1, 0, 1)], vec![set(0, 1, 1, 1)]]);
    // Finally p and not q; finally q and not p.
    for value in [1, 2] {
        let witness = acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 3, value), (1, 1, 1, 0, 0)]);
        assert_eq!(Case::new(toy(), witness).verdict(NONE), Verdict::Violated);
    }
}

#[test]
fn the_cycle_condition_is_on_the_system_and_not_on_the_product() {
    let toy = Toy::new(1, vec![vec![rule(0, 0)], vec![set(0, 1, 0, 1), wait(1, 1, 0, 1)]]);
    // s0, s1, t, accept on `not p`; accept on `p`.
    let claim = acceptor(
        1,
        &[
            (0, 1, 0, 1, 0),
            (0, 2, 0, 1, 0),
            (0, 3, 0, 1, 0),
            (1, 0, 0, 1, 0),
            (2, 3, 0, 1, 0),
            (3, 3, 1, 1, 1),
        ],
    );
    assert_eq!(Case::new(toy, claim).verdict(NONE), Verdict::Violated);
}

#[test]
fn a_step_is_not_put_off_for_ever_around_a_cycle_of_several_states() {
    let toy = Toy::new(1, vec![vec![rule(0, 1), rule(1, 2), rule(2, 0)], vec![rule(0, 1), set(1, 2, 0, 1)]]);
    let finally_p = acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 1, 1), (1, 1, 1, 0, 0)]);
    assert_eq!(Case::new(toy, finally_p).verdict(NONE), Verdict::Violated);
}

#[test]
fn runs_that_end_stand_still() {
    let toy = || Toy::new(1, vec![vec![set(0, 1, 0, 1)]]);
    let (verdict, lassos) =
        Case::new(toy(), acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 1, 1), (1, 1, 1, 1, 1)])).check(NONE);
    assert_eq!(verdict, Verdict::Violated);
    assert!(lassos.iter().all(|(letters, again)| letters == &[0, 1] && *again == 1));
    // Finally always not p.
    let case = Case::new(toy(), acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 1, 0), (1, 1, 1, 1, 0)]));
    assert_eq!(case.verdict(NONE), Verdict::Holds);
}

#[test]
fn what_is_seen_inside_an_atomic_region_counts() {
    let toy = || Toy::new(1, vec![vec![atomic(set(0, 1, 0, 1)), set(1, 2, 0, 0)], vec![rule(0, 1)]]);
    let finally_p = || acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 1, 1), (1, 1, 1, 0, 0)]);
    assert_eq!(Case::new(toy(), finally_p()).verdict(NONE), Verdict::Violated);
    // Next p, which no reduction may be used for.
    let next_p = acceptor(1, &[(0, 1, 0, 0, 0), (1, 2, 0, 1, 1), (2, 2, 1, 0, 0)]);
    let case = Case { toy: toy(), acceptor: next_p, stutter_invariant: false };
    assert_eq!(case.verdict(NONE), Verdict::Violated);
}

#[test]
fn acceptance_sets_are_all_needed() {
    let toy = |rules| Toy::new(2, vec![rules]);
    // Again and again p, again and again q.
    let both = || acceptor(2, &[(0, 0, 0, 3, 0), (0, 0, 1, 3, 1), (0, 0, 2, 3, 2), (0, 0, 3, 3, 3)]);
    let round = vec![set(0, 1, 0, 1), set(1, 2, 0, 0), set(2, 3, 1, 1), set(3, 0, 1, 0)];
    let (verdict, lassos) = Case::new(toy(round), both()).check(NONE);
    assert_eq!(verdict, Verdict::Violated);
    assert!(
        lassos
            .iter()
            .all(|(letters, again)| letters[*again..].contains(&1) && letters[*again..].contains(&2))
    );
    let half = vec![set(0, 1, 0, 1), set(1, 0, 0, 0)];
    assert_eq!(Case::new(toy(half), both()).verdict(NONE), Verdict::Holds);
}

#[test]
fn independent_loops_are_reduced() {
    // Six processes that walk on their own; the property looks at a byte that one of them sets at the end.
    let walker = || vec![rule(0, 1), rule(1, 2), rule(2, 3)];
    let mut processes: Vec<Vec<Rule>> = (0..6).map(|_| walker()).collect();
    processes[3].push(set(3, 4, 0, 1));
    let case = Case::new(Toy::new(1, processes), never_p());
    assert_eq!(case.verdict(NONE), Verdict::Holds);
    let atoms = Bytes(1);
    let property = Property {
        number: 0,
        atoms: &atoms,
        acceptor: &case.acceptor,
        stutter_invariant: true,
        components: &[u64::MAX],
        safety: false,
        representatives: Representatives::Auto,
        fairness: NONE,
        shortest: false,
        emptiness: Algorithm::Components,
    };
    let count = |reduction: &str| {
        let config = Config { reduction: reduction.parse().unwrap(), ..Config::default() };
        super::check(&case.toy, &property, &config, &Silent).statistics.states
    };
    let (reduced, full) = (count("auto"), count("none"));
    assert!(reduced < 40 && full > 4000, "{reduced} of {full}");
}

#[test]
fn limits_leave_the_answer_open() {
    let processes = (0..6).map(|_| vec![rule(0, 1), rule(1, 2), rule(2, 0)]).collect();
    let case = Case::new(Toy::new(1, processes), acceptor(1, &[(0, 0, 1, 1, 1)]));
    assert_eq!(case.verdict(NONE), Verdict::Holds);
    let unreachable = acceptor(1, &[(0, 0, 0, 0, 0), (0, 1, 0, 1, 1), (1, 1, 1, 0, 0)]);
    let atoms = Bytes(1);
    let property = Property {
        number: 0,
        atoms: &atoms,
        acceptor: &unreachable,
        stutter_invariant: false,
        components: &[u64::MAX],
        safety: false,
        representatives: Representatives::Auto,
        fairness: NONE,
        shortest: false,
        emptiness: Algorithm::Components,
    };
    for limits in [
        crate::Limits { states: Some(100), ..Default::default() },
        crate::Limits { depth: Some(5), ..Default::default() },
        crate::Limits { memory: Some(20_000), ..Default::default() },
        crate::Limits { time: Some(std::time::Duration::ZERO), ..Default::default() },
    ] {
        for threads in [1, 2, 3] {
            let config = Config { limits, threads, ..Config::default() };
            let outcome = super::check(&case.toy, &property, &config, &Silent);
            assert_eq!(outcome.verdict, Verdict::Unknown, "{limits:?}, {threads} threads");
        }
    }
    // Every state is accepting, those beyond the limit too: nobody waits for them.
    let everything = acceptor(1, &[(0, 0, 1, 0, 0)]);
    let property = Property { acceptor: &everything, ..property };
    let limits = crate::Limits { depth: Some(5), ..Default::default() };
    for threads in [1, 2, 3] {
        let config = Config { limits, threads, ..Config::default() };
        assert_ne!(super::check(&case.toy, &property, &config, &Silent).verdict, Verdict::Holds);
    }
}
