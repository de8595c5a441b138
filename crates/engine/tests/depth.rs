//! A stack of a million levels: no call stack, a few dozen bytes a level, and the same counts when
//! steps have to be executed again because their successors were not kept.

#[path = "support/nameless.rs"]
mod nameless;

use mazurka_engine::{Config, SearchKind, Silent, Verdict, check};
use mazurka_model::{Batch, Chosen, Describe, Step, System};
use nameless::Nameless;

/// A line of states, each of which also leads to a side state that leads nowhere.
struct Line {
    length: u32,
    /// Bytes of a state beyond its number.
    ballast: usize,
    /// From this number on the side states are deadlocks.
    wrong_from: u32,
}

impl Line {
    fn state(&self, number: u32, side: bool) -> Vec<u8> {
        let mut state = vec![u8::from(side); 5 + self.ballast];
        state[..4].copy_from_slice(&number.to_le_bytes());
        state
    }
}

impl System for Line {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &self.state(0, false));
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        let number = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
        for step in steps {
            if matches!(chosen, Chosen::Steps(wanted) if !wanted.contains(&step)) {
                continue;
            }
            out.push(step, &self.state(number + u32::from(step.code == 0), step.code == 1));
        }
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let number = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
        if state[4] == 0 && number < self.length {
            out.extend([Step::new(0, 0), Step::new(0, 1)]);
        }
    }
    fn valid_end(&self, state: &[u8]) -> bool {
        state[4] == 1 && u32::from_le_bytes([state[0], state[1], state[2], state[3]]) < self.wrong_from
    }
    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn a_million_levels() {
    let length = 1_000_000;
    // With this ballast the waiting successors take three times the memory that is kept for them.
    let system = Line { length, ballast: 100, wrong_from: length };
    // In depth-first order to the end, with successors that are kept; and as it usually is, with several states opened together, and
    // some that are kept from before.
    for (in_order, kept) in [(u64::MAX, 64 << 20), (Config::default().in_order, 16 << 20)] {
        let config = Config { search: SearchKind::Dfs, in_order, ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        assert_eq!(outcome.verdict, Verdict::Violated);
        assert_eq!(outcome.findings[0].trace.steps.len(), length as usize);
        let all = Config { max_errors: 0, ..config };
        let outcome = check(&system, &all, &Silent);
        assert_eq!(outcome.statistics.states, 2 * u64::from(length) + 1);
        assert_eq!(outcome.statistics.matched, 0);
        assert_eq!(outcome.statistics.depth, u64::from(length));
        let a_level = outcome.statistics.stack_bytes.saturating_sub(kept) / u64::from(length);
        assert!(a_level <= 48, "{a_level} bytes a level");
    }
}

#[test]
fn traces_that_begin_alike_are_those_that_stand_alone() {
    // The second way is longer than what is kept of it for the next.
    for (length, ballast) in [(300, 0), (50_000, 100)] {
        let wrong_from = length - 20;
        let system = Line { length, ballast, wrong_from };
        let config = Config { search: SearchKind::Dfs, max_errors: 0, ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        let mut ends = Vec::new();
        for finding in &outcome.findings {
            let codes: Vec<u32> = finding.trace.steps.iter().map(|step| step.step.code).collect();
            let (last, line) = codes.split_last().unwrap();
            assert!(line.iter().all(|code| *code == 0));
            ends.push((codes.len() as u32, *last));
        }
        ends.sort();
        let sides = (wrong_from..length).map(|number| (number + 1, 1));
        let mut expected: Vec<(u32, u32)> = sides.chain([(length, 0)]).collect();
        expected.sort();
        assert_eq!(ends, expected);
    }
}
