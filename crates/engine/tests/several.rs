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

/// The enabled steps of a state that are chosen.
fn wanted(system: &dyn System, state: &[u8], chosen: Chosen<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    system.enabled(state, &mut steps);
    steps.retain(|step| match chosen {
        Chosen::All => true,
        Chosen::Process(process) => process == step.process,
        Chosen::Steps(wanted) => wanted.contains(step),
    });
    steps
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
        for step in wanted(self, state, chosen) {
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
        for codec in [Codec::Plain, Codec::Auto, Codec::Tree] {
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

/// Five walkers, each on a line of its own whose places are numbers that have nothing to do with each other.
struct Lines {
    /// States have several lengths.
    uneven: bool,
}

const PLACES: u64 = 9;

impl Lines {
    fn number(place: u64) -> u64 {
        (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn places(state: &[u8]) -> [u64; 5] {
        std::array::from_fn(|walker| {
            let bytes = state[8 * walker..][..8].try_into().unwrap_or_default();
            (0..PLACES).find(|place| Lines::number(*place) == u64::from_le_bytes(bytes)).unwrap_or(PLACES)
        })
    }

    fn state(&self, places: [u64; 5]) -> Vec<u8> {
        let mut state: Vec<u8> =
            places.iter().flat_map(|place| Lines::number(*place).to_le_bytes()).collect();
        if self.uneven {
            state.extend(std::iter::repeat_n(7, (places[4] % 3) as usize));
        }
        state
    }
}

impl System for Lines {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &self.state([0; 5]));
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let places = Lines::places(state);
        for step in wanted(self, state, chosen) {
            let mut next = places;
            next[step.code as usize] = (next[step.code as usize] + 1) % PLACES;
            out.push(step, &self.state(next));
        }
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let places = Lines::places(state);
        // Where all walkers are at their ends nobody moves.
        if places != [PLACES - 1; 5] {
            out.extend((0..5).map(|walker| Step::new(walker as u16, walker)));
        }
    }
    fn valid_end(&self, _: &[u8]) -> bool {
        false
    }
    fn state_size(&self) -> Option<usize> {
        (!self.uneven).then_some(40)
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn a_tree_that_grows_and_is_made_anew_finds_what_plain_records_do() {
    for uneven in [false, true] {
        let system = Lines { uneven };
        let found_by = |config: Config| {
            let outcome = check(&system, &Config { max_errors: 0, ..config }, &Silent);
            let mut batch = Batch::default();
            let mut dead: Vec<Vec<u8>> = Vec::new();
            for Finding { kind, trace } in &outcome.findings {
                assert_eq!(*kind, FindingKind::Deadlock);
                let mut state = system.state([0; 5]);
                for step in &trace.steps {
                    state = execute(&system, &state, *step, &mut batch).expect("every step can be taken");
                }
                dead.push(state);
            }
            dead.sort();
            let counts = outcome.statistics;
            (outcome.verdict, outcome.guarantee, outcome.stopped, counts.states, counts.transitions(), dead)
        };
        let plain = found_by(config(SearchKind::Dfs, 1));
        assert_eq!((plain.3, plain.5.len()), (PLACES.pow(5), 1));
        for states in [0, 100, 16_000, 17_000, 40_000] {
            let together = Config { codec: Codec::Tree, ..together_from(states) };
            assert_eq!(found_by(together), plain, "from {states} states on");
        }
        // Plain records become a tree on the way.
        for memory in [2 << 20, 3 << 20] {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let auto = Config { codec: Codec::Auto, limits, ..together_from(100) };
            assert_eq!(found_by(auto), plain, "{memory} bytes");
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

/// Two wheels, and something that becomes longer.
struct Growing {
    most: usize,
    wheel: u8,
}

impl System for Growing {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 2]);
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        for step in wanted(self, state, chosen) {
            out.begin(step, state);
            let mut draft = out.draft();
            match step.code {
                0 => draft.extend(&[1]),
                wheel => draft[wheel as usize - 1] = (draft[wheel as usize - 1] + 1) % self.wheel,
            }
            out.keep(false);
        }
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        if state.len() < self.most {
            out.push(Step::new(0, 0));
        }
        out.push(Step::new(1, 1));
        out.push(Step::new(2, 2));
    }
    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }
    fn state_size(&self) -> Option<usize> {
        None
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn no_state_of_many_lengths_is_taken_for_another() {
    for (most, wheel) in [(60, 40), (250, 16), (40, 50)] {
        let system = Growing { most, wheel };
        let expected = u64::from(wheel) * u64::from(wheel) * (most as u64 - 1);
        for in_order in [0, 1000, 1 << 17] {
            for codec in [Codec::Plain, Codec::Auto, Codec::Tree, Codec::CompactTree] {
                let config =
                    Config { reduction: "none".parse().unwrap(), in_order, codec, ..Config::default() };
                let states = check(&system, &config, &Silent).statistics.states;
                assert_eq!(states, expected, "{most} {wheel} {in_order} {codec:?}");
            }
        }
    }
}
