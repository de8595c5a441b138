//! What the facade promises beyond the engine: footprints turn reductions on and never change an answer,
//! assertions on states turn them off, initial states are judged, states of any serde type work, and a
//! model that breaks the rules is told so instead of being believed.

use mazurka::object::variable::{READ, Variable, WRITE};
use mazurka::{
    Assertions, Checker, Dependency, FindingKind, Footprint, Footprints, Method, Model, Native, ObjectId,
    ObjectSet, ObjectType, Operation, ProcessId, SearchKind, Serialised, System, Verdict,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

#[path = "../examples/philosophers/native.rs"]
#[allow(dead_code)]
mod philosophers;
use philosophers::{LEFT, Table};

const SEARCHES: [SearchKind; 2] = [SearchKind::Dfs, SearchKind::Bfs];
const METHODS: [Method; 4] = [Method::None, Method::Local, Method::Overman, Method::OvermanLocated];
const DEPENDENCIES: [Dependency; 4] =
    [Dependency::Object, Dependency::Constant, Dependency::Conditional, Dependency::Refined];

#[test]
fn every_reduction_finds_the_deadlock_and_none_adds_states() {
    let table = Table { philosophers: 6 };
    for search in SEARCHES {
        for method in METHODS {
            for dependency in DEPENDENCIES {
                for sleep in [false, true] {
                    let checker = Checker::new(&table).search(search).reduce(method).sleep_sets(sleep);
                    let report = checker.dependency(dependency).assertions(false).all_errors().run();
                    assert!(report.states() <= 728, "{report}");
                    assert_eq!(report.counterexamples.len(), 1, "{report}");
                    let end = *report.expect_violated().end();
                    assert!((0..6).all(|one| Table::holds(end, one) == LEFT));
                }
            }
        }
    }
}

#[test]
fn several_threads_find_the_deadlock_and_all_states() {
    let table = Table { philosophers: 6 };
    for search in SEARCHES {
        for threads in [1, 2, 3] {
            let checker = Checker::new(&table).search(search).reduce(Method::None).threads(threads);
            let report = checker.assertions(false).all_errors().run();
            assert_eq!((report.states(), report.counterexamples.len()), (728, 1), "{report}");
        }
    }
}

/// Two processes write their own variable, twice each; flags tell which assertion is wanted, and whether
/// process 1 writes the variable of process 0 without saying so.
#[derive(Copy, Clone, Default)]
struct Writers {
    on_states: bool,
    lies: bool,
}

impl Model for Writers {
    type State = [u8; 2];
    type Action = u8;

    fn initial(&self) -> Vec<[u8; 2]> {
        vec![[0; 2]]
    }

    /// Listed backwards: the order of processes is the adapter's to mend.
    fn actions(&self, state: &[u8; 2], out: &mut Vec<u8>) {
        out.extend([1, 0].into_iter().filter(|&process| state[usize::from(process)] < 2));
    }

    fn next(&self, state: &[u8; 2], process: &u8) -> Option<[u8; 2]> {
        let mut next = *state;
        next[usize::from(*process)] += 1;
        if self.lies && *process == 1 {
            next[0] = 0;
        }
        Some(next)
    }

    fn valid_end(&self, _state: &[u8; 2]) -> bool {
        true
    }

    fn assertions(&self, out: &mut Assertions<Self>) {
        if self.on_states {
            // False only in the middle of the diamond, which a reduction leaves out.
            out.state("not both at one", |_, state| *state != [1, 1]);
        } else {
            out.step("only upwards", |_, before, process, after| {
                after[usize::from(*process)] > before[usize::from(*process)]
            });
        }
    }

    fn process(&self, process: &u8) -> ProcessId {
        ProcessId(u16::from(*process))
    }

    fn footprints(&self) -> Option<&dyn Footprints<State = [u8; 2], Action = u8>> {
        Some(self)
    }
}

impl Footprints for Writers {
    type State = [u8; 2];
    type Action = u8;

    fn processes(&self) -> usize {
        2
    }

    fn objects(&self) -> Vec<Box<dyn ObjectType>> {
        vec![Box::new(Variable), Box::new(Variable)]
    }

    fn value(&self, state: &[u8; 2], object: ObjectId, out: &mut Vec<i64>) {
        out.push(i64::from(state[object.index()]));
    }

    fn code(&self, _process: &u8) -> u32 {
        0
    }

    fn footprint(&self, state: &[u8; 2], &process: &u8, out: &mut Footprint) {
        let me = ProcessId(u16::from(process));
        let after = i64::from(state[usize::from(process)]) + 1;
        out.access(ObjectId(u32::from(process)), Operation::new(me, READ));
        out.access(ObjectId(u32::from(process)), Operation::with(me, WRITE, after));
    }

    fn moves(&self, state: &[u8; 2], process: ProcessId, out: &mut Vec<u8>) {
        if state[process.index()] < 2 {
            out.push(process.0 as u8);
        }
    }

    fn touches(&self, process: ProcessId, objects: &mut ObjectSet) {
        objects.insert(ObjectId(u32::from(process.0)));
    }
}

#[test]
fn assertions_on_states_turn_reductions_off() {
    for search in SEARCHES {
        let on_states = Writers { on_states: true, lies: false };
        let report = Checker::new(&on_states).search(search).reduce(Method::Overman).run();
        assert_eq!(report.expect_violated().end(), &[1, 1]);
        assert!(report.outcome.notes.iter().any(|note| note.contains("not both at one")), "{report}");
        assert!(Native::new(&on_states).relations().is_none());
        assert!(Native::without_assertions(&on_states).relations().is_some());

        let on_steps = Writers::default();
        let full = Checker::new(&on_steps).search(search).reduce(Method::None).run();
        let reduced = Checker::new(&on_steps).search(search).reduce(Method::Overman).run();
        full.assert_holds();
        reduced.assert_holds();
        assert_eq!((full.states(), reduced.states()), (9, 5));
    }
}

#[test]
fn footprints_are_compared_with_what_actions_do() {
    for (states, report) in [
        (728, mazurka::verify(&Table { philosophers: 6 }, 1_000)),
        (9, mazurka::verify(&Writers::default(), 1_000)),
    ] {
        assert_eq!(report.breaches, []);
        assert!(report.complete && report.pairs > 0);
        assert_eq!(report.states, states);
    }
    let lies = mazurka::verify(&Writers { on_states: true, lies: true }, 1_000);
    assert!(lies.breaches[0].message.contains("order of the steps makes a difference"), "{lies:?}");
}

#[test]
fn processes_come_in_ascending_order() {
    let model = Writers::default();
    let mut steps = Vec::new();
    Native::new(&model).enabled(&[0, 0], &mut steps);
    assert_eq!(steps.iter().map(|step| step.process.0).collect::<Vec<_>>(), [0, 1]);
}

/// Starts wrong.
struct Wrong;

impl Model for Wrong {
    type State = u8;
    type Action = ();

    fn initial(&self) -> Vec<u8> {
        vec![0, 7]
    }

    fn actions(&self, _state: &u8, out: &mut Vec<()>) {
        out.push(());
    }

    fn next(&self, state: &u8, _action: &()) -> Option<u8> {
        state.checked_sub(1)
    }

    fn valid_end(&self, state: &u8) -> bool {
        *state == 0
    }

    fn assertions(&self, out: &mut Assertions<Self>) {
        out.state("small", |_, state| *state < 5);
    }
}

#[test]
fn initial_states_are_judged() {
    let first = mazurka::check(&Wrong);
    assert_eq!(first.verdict(), Verdict::Violated);
    assert_eq!((first.expect_violated().initial, first.expect_violated().steps.len()), (7, 0));
    let all = Checker::new(&Wrong).all_errors().run();
    assert_eq!((all.verdict(), all.states()), (Verdict::Violated, 8));
    assert_eq!(all.statistics().errors, 3, "7, and 6 and 5 on the way down");
    Checker::new(&Wrong).assertions(false).run().assert_holds();
}

/// A state that is no plain-old-data: messages in flight, by their number of copies.
struct Mail;

impl Model for Mail {
    type State = Serialised<BTreeMap<String, u8>>;
    type Action = String;

    fn initial(&self) -> Vec<Self::State> {
        vec![Serialised(BTreeMap::from([("ping".to_owned(), 2), ("pong".to_owned(), 1)]))]
    }

    fn actions(&self, state: &Self::State, out: &mut Vec<String>) {
        out.extend(state.keys().cloned());
    }

    fn next(&self, state: &Self::State, message: &String) -> Option<Self::State> {
        let mut next = state.clone();
        let copies = next.get_mut(message)?;
        *copies -= 1;
        if *copies == 0 {
            next.remove(message);
        }
        Some(next)
    }
}

#[test]
fn serialised_states_work() {
    for search in SEARCHES {
        let report = Checker::new(&Mail).search(search).all_errors().run();
        assert_eq!((report.states(), report.transitions()), (6, 8));
        let deadlock = report.expect_violated();
        assert_eq!(deadlock.kind, FindingKind::Deadlock);
        assert!(deadlock.end().is_empty());
        assert_eq!(deadlock.steps.len(), 3);
    }
}

/// Depends on more than its state: what is asked more often than a search needs is answered otherwise.
struct Moody {
    answers: AtomicU32,
    patience: u32,
}

impl Model for Moody {
    type State = u8;
    type Action = ();

    fn initial(&self) -> Vec<u8> {
        vec![0]
    }

    fn actions(&self, _state: &u8, out: &mut Vec<()>) {
        out.push(());
    }

    fn next(&self, state: &u8, _action: &()) -> Option<u8> {
        let answers = self.answers.fetch_add(1, Ordering::Relaxed);
        (*state < 3 && answers < self.patience).then_some(state + 1)
    }
}

#[test]
fn what_can_not_be_repeated_is_not_believed() {
    let mut doubts = 0;
    for patience in 0..30 {
        let report = mazurka::check(&Moody { answers: AtomicU32::new(0), patience });
        if report.counterexamples.is_empty() {
            doubts += 1;
            assert_eq!(report.verdict(), Verdict::Unknown, "{report}");
            assert!(!report.outcome.guarantee_reason.is_empty(), "{report}");
        } else {
            assert_eq!(report.verdict(), Verdict::Violated, "{report}");
        }
    }
    assert!(doubts > 0);
}
