//! Random Promela programs, here and in SPIN: as many states and transitions, and the same verdict.
//!
//! On top of the comparison with SPIN, breadth-first search must store as many states as depth-first
//! search, and every reduction must find the errors of the full search. A program with too many states,
//! or one that SPIN refuses, is passed over; one that SPIN accepts and we refuse is a difference. What
//! the fast C compiler shows is confirmed with the usual one before it counts.

use crate::campaign::program_seed;
use crate::compare::{compare, every_config, keeps_contract};
use crate::oracle::explore;
use crate::promela::{self, shrink::shrink};
use crate::spin::{self, Counts, Verifier};
use fastrand::Rng;
use mazurka_engine::{Method, SearchKind};
use mazurka_program::Interpreter;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many programs are to be compared.
    pub programs: u64,
    /// Different seeds give different programs.
    pub seed: u64,
    /// Programs with more states are passed over.
    pub most_states: u64,
    /// How many threads.
    pub jobs: usize,
    /// Stop after so many differences.
    pub most_differences: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { programs: 2_000, seed: 1, most_states: 20_000, jobs: 2, most_differences: 5 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs compared.
    pub programs: u64,
    /// Programs with too many states, or whose search does not end.
    pub large: u64,
    /// Programs that SPIN refuses.
    pub refused: u64,
    /// Why SPIN refused the last of them.
    pub refusal: String,
    /// States of all programs compared.
    pub states: u64,
    /// Programs with 10 to 20,000 states.
    pub medium: u64,
    /// Programs with a false assertion.
    pub violated: u64,
    /// Programs with an invalid end state.
    pub deadlocking: u64,
    /// The differences.
    pub differences: Vec<Difference>,
}

/// A program on which the tools differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the program.
    pub seed: u64,
    /// What differs, on the small program.
    pub message: String,
    /// A small program that shows it.
    pub text: String,
}

/// What came of one program.
enum Judged {
    Same(Counts),
    Large,
    Refused(String),
    Different(String),
}

/// The longest atomic sequence of a program that is compared.
const LONGEST_REGION: u64 = 5_000;
/// States in which the checking mode looks at a program.
const CHECKED_STATES: u64 = 500;
/// States that the searches with reduction of one program may visit together, about.
const BUDGET: u64 = 20_000;
/// How often a program that is being shrunk is tried.
const MOST_TRIALS: usize = 600;

/// Compares the programs of `plan`. `progress` is told the summary so far now and then.
pub fn run(plan: &Plan, progress: &(dyn Fn(&Summary) + Sync)) -> Summary {
    let summary = Mutex::new(Summary::default());
    let next = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                while !enough.load(Ordering::Relaxed) {
                    let seed = program_seed(plan.seed, next.fetch_add(1, Ordering::Relaxed));
                    let text = promela::text(seed);
                    let judged = judge(&text, seed, plan.most_states);
                    let difference = match &judged {
                        Judged::Different(message) => confirm(&text, seed, plan.most_states, message),
                        _ => None,
                    };
                    let mut all = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    all.add(judged);
                    all.differences.extend(difference);
                    let met =
                        all.programs >= plan.programs || all.refused + all.large > 20 * plan.programs + 100;
                    if met || all.differences.len() >= plan.most_differences {
                        enough.store(true, Ordering::Relaxed);
                    }
                    if all.programs % 64 == 0 {
                        progress(&all);
                    }
                }
            });
        }
    });
    summary.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Summary {
    fn add(&mut self, judged: Judged) {
        match judged {
            Judged::Large => self.large += 1,
            Judged::Refused(why) => {
                self.refused += 1;
                self.refusal = why;
            }
            Judged::Different(_) => self.programs += 1,
            Judged::Same(counts) => {
                self.programs += 1;
                self.states += counts.states;
                self.medium += u64::from((10..=20_000).contains(&counts.states));
                self.violated += u64::from(counts.assertion);
                self.deadlocking += u64::from(counts.invalid_end);
            }
        }
    }
}

/// Compares one program.
fn judge(text: &str, seed: u64, most_states: u64) -> Judged {
    judge_with(&Verifier::quickest(), text, seed, most_states)
}

fn judge_with(verifier: &Verifier, text: &str, seed: u64, most_states: u64) -> Judged {
    let program = match spin::program("random.pml", text) {
        Ok(program) => program,
        Err(message) => {
            return match verifier.theirs_of(text) {
                Ok(_) => Judged::Different(format!("SPIN accepts what we refuse: {message}")),
                Err(why) => Judged::Refused(why),
            };
        }
    };
    let Ok(ours) = spin::ours(program.clone(), most_states) else { return Judged::Large };
    let Ok(system) = Interpreter::new(program) else { return Judged::Large };
    let Ok(facts) = explore(&system, most_states, LONGEST_REGION) else { return Judged::Large };
    // Where a model goes wrong in a way that SPIN has no answer to, there is nothing to compare.
    if facts.violated.iter().any(|(kind, _)| *kind == "fault") {
        return Judged::Large;
    }
    let theirs = match verifier.theirs_of(text) {
        Ok(counts) => counts,
        Err(why) => return Judged::Refused(why),
    };
    if ours != theirs {
        return Judged::Different(format!("SPIN: {theirs}; ours: {ours}"));
    }
    let mut configs = every_config(seed);
    let plain = |c: &mazurka_engine::Config| {
        c.reduction.method == Method::None && !c.reduction.sleep && c.search == SearchKind::Bfs
    };
    let breadth = configs.iter().position(plain).unwrap_or_default();
    configs.swap(0, breadth);
    Rng::with_seed(seed).shuffle(&mut configs[1..]);
    configs.truncate((BUDGET / facts.states.max(1)).clamp(6, 40) as usize);
    let mut found = configs.iter().filter_map(|config| compare(&system, &facts, config).err());
    match found.next().or_else(|| keeps_contract(&system, CHECKED_STATES).err()) {
        Some(difference) => Judged::Different(difference.to_string()),
        None => Judged::Same(ours),
    }
}

/// Makes a difference small, and confirms it with the usual C compiler.
fn confirm(text: &str, seed: u64, most_states: u64, message: &str) -> Option<Difference> {
    let mut message = message.to_owned();
    let small = shrink(text, MOST_TRIALS, &mut |text| match judge(text, seed, most_states) {
        Judged::Different(found) => {
            // A program that we refuse may be simplified to one that is refused for another reason.
            let same_kind = found.starts_with("SPIN accepts") == message.starts_with("SPIN accepts");
            if same_kind {
                message = found;
            }
            same_kind
        }
        _ => false,
    });
    match judge_with(&Verifier::quick(), &small, seed, most_states) {
        Judged::Different(_) => Some(Difference { seed, message, text: small }),
        _ => None,
    }
}
