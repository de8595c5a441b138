//! States that are opened together: each has its own edges, dead end, violations and way, as if it had been opened alone.

#[path = "support/nameless.rs"]
mod nameless;

use mazurka_engine::{Codec, Config, Limits, SearchKind, Silent, Stop, Verdict, check};
use mazurka_model::trace::execute;
use mazurka_model::{Batch, Chosen, Describe, Finding, FindingKind, Step, System, Trace, ViolationKind};
use nameless::Nameless;
use std::time::Duration;

fn config(search: SearchKind, threads: usize) -> Config {
    Config { reduction: "none".parse().unwrap(), search, threads, ..Config::default() }
}

/// One thread that opens several states together after so many.
fn together_from(states: u64) -> Config {
    Config { in_order: states, ..config(SearchKind::Dfs, 1) }
}

/// A cube in which one walks along three axes, the third through an atomic region. It has dead ends, and steps that are wrong, all over.
struct Cube;

const EDGE: u8 = 12;

impl Cube {
    fn is_dead([x, y, z]: [u8; 3]) -> bool {
        (x + 2 * y + 3 * z) % 7 == 6 || x + y + z == 3 * (EDGE - 1)
    }
}

impl System for Cube {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 4]);
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        for step in steps {
            let unwanted = match chosen {
                Chosen::All => false,
                Chosen::Process(process) => process != step.process,
                Chosen::Steps(wanted) => !wanted.contains(&step),
            };
            if unwanted {
                continue;
            }
            out.begin(step, state);
            let mut draft = out.draft();
            // Along the third axis one comes to a half step first, which is the interior of a region.
            let interior = step.code == 2 && draft[3] == 0;
            draft[3] = u8::from(interior);
            draft[step.code as usize] += u8::from(!interior);
            let place = u32::from(draft[0] * 5 + draft[1] * 3 + draft[2]) % 13;
            if place < 4 && !interior {
                out.violate(step, ViolationKind::Assertion, place);
            }
            out.keep(interior);
        }
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let [x, y, z, half] = [state[0], state[1], state[2], state[3]];
        if half == 1 {
            return out.push(Step::new(2, 2));
        }
        if !Cube::is_dead([x, y, z]) {
            let open = [x, y, z].into_iter().enumerate().filter(|(_, at)| at + 1 < EDGE);
            out.extend(open.map(|(axis, _)| Step::new(axis as u16, axis as u32)));
        }
    }
    fn valid_end(&self, _: &[u8]) -> bool {
        false
    }
    fn state_size(&self) -> Option<usize> {
        Some(4)
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

/// Where a run ends, and the places at which its last step was wrong.
fn end_of(run: &Trace) -> (Vec<u8>, Vec<u32>) {
    let (mut state, mut batch) = (vec![0; 4], Batch::default());
    for step in &run.steps {
        state = execute(&Cube, &state, *step, &mut batch).expect("every step can be taken");
    }
    (state, batch.violations().iter().map(|violation| violation.place).collect())
}

#[test]
fn each_of_several_states_has_its_own_dead_end_its_violations_and_its_way() {
    let found_by = |config: Config| {
        let outcome = check(&Cube, &Config { max_errors: 0, ..config }, &Silent);
        let counts = outcome.statistics;
        let (mut dead, mut places) = (Vec::new(), Vec::new());
        for Finding { kind, trace } in &outcome.findings {
            let (state, wrong) = end_of(trace);
            match kind {
                FindingKind::Deadlock => {
                    assert!(Cube::is_dead([state[0], state[1], state[2]]), "{state:?}");
                    dead.push(state);
                }
                FindingKind::Step { place, .. } => {
                    assert!(wrong.contains(place), "{wrong:?}, {place}");
                    places.push(*place);
                }
                other => unreachable!("{other:?}"),
            }
        }
        dead.sort();
        places.sort();
        let counts = (counts.states, counts.transitions(), counts.atomic_steps, counts.errors);
        (outcome.verdict, outcome.guarantee, counts, dead, places)
    };
    let found = |search, threads| found_by(config(search, threads));
    let one = found(SearchKind::Dfs, 1);
    for states in (0..60).chain([200, 500, 1000]) {
        for codec in [Codec::Plain, Codec::Auto] {
            assert_eq!(found_by(Config { codec, ..together_from(states) }), one, "from {states} states on");
        }
    }
    assert!(one.3.len() > 50 && one.4 == [0, 1, 2, 3], "{one:?}");
    for search in [SearchKind::Dfs, SearchKind::Bfs] {
        for threads in [2, 3, 5] {
            for _ in 0..5 {
                assert_eq!(found(search, threads), one, "{threads} threads");
            }
        }
    }
}

/// One step leads into a region that is longer than anyone waits for, and nothing is a valid end.
struct Long;

impl System for Long {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 4]);
    }
    fn expand(&self, state: &[u8], _: Chosen<'_>, out: &mut Batch) {
        let at = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
        out.push(Step::new(0, 0), &(at + 1).to_le_bytes());
        out.keep(true);
    }
    fn enabled(&self, _: &[u8], out: &mut Vec<Step>) {
        out.push(Step::new(0, 0));
    }
    fn valid_end(&self, _: &[u8]) -> bool {
        false
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn a_state_whose_region_was_given_up_is_no_dead_end() {
    for threads in [1, 2] {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        let config = Config { limits, ..config(SearchKind::Dfs, threads) };
        let outcome = check(&Long, &config, &Silent);
        assert_eq!((outcome.verdict, outcome.stopped), (Verdict::Unknown, Some(Stop::Time)));
        assert_eq!(outcome.findings, []);
    }
}
