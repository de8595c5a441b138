//! The memory that a walk through an atomic region without end takes, as the system counts it. A test by itself, since it is
//! the peak of the whole process.

#![cfg(target_os = "linux")]

#[path = "support/nameless.rs"]
mod nameless;

use mazurka_engine::{Config, Limits, Silent, Stop, Verdict, check};
use mazurka_model::{Batch, Chosen, Describe, Step, System};
use nameless::Nameless;

/// Two counters, either of which goes up, without end and in one atomic region.
struct Endless;

impl System for Endless {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 16]);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        for code in 0..2 {
            let step = Step::new(0, code);
            if matches!(chosen, Chosen::Steps(wanted) if !wanted.contains(&step)) {
                continue;
            }
            let at = 8 * code as usize;
            let mut next = state.to_vec();
            let mut counter = [0; 8];
            counter.copy_from_slice(&state[at..at + 8]);
            next[at..at + 8].copy_from_slice(&(u64::from_le_bytes(counter) + 1).to_le_bytes());
            out.push(step, &next);
            out.keep(true);
        }
    }

    fn enabled(&self, _: &[u8], out: &mut Vec<Step>) {
        out.extend((0..2).map(|code| Step::new(0, code)));
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

/// The most bytes that were resident so far.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("there is a peak");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("it is a number") << 10
}

#[test]
fn the_limit_holds_within_five_percent() {
    let before = peak();
    // The larger ones last: a peak does not go down.
    for megabytes in [64, 96, 128, 192] {
        let memory = megabytes << 20;
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let outcome = check(
            &Endless,
            &Config { limits, reduction: "none".parse().unwrap(), ..Config::default() },
            &Silent,
        );
        assert_eq!((outcome.verdict, outcome.stopped), (Verdict::Unknown, Some(Stop::Memory)));
        let taken = peak() - before;
        assert!(taken * 100 <= memory * 105, "{taken} bytes were taken of {memory}");
        assert!(taken * 2 >= memory, "{taken} bytes are too few to tell anything of {memory}");
    }
}
