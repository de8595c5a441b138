//! Traces of a small hand-written system that must be confirmed, and many that must be refused.
//!
//! The system has one process and one byte of state, so each move can be read off the table:
//!
//! ```text
//! 0 --0--> 1 or 2      (one step, two outcomes)
//! 1 --1--> 3           3 has no step and is no valid end
//! 1 --2--> 4           4 has no step and is a valid end
//! 2 --3--> 5 (within an atomic region), 5 has no step
//! 2 --4--> 6, asserting falsely at place 40
//! 6 --5--> nothing: a fault at place 50
//! ```

use mazurka_model::trace::TraceStep;
use mazurka_model::{
    Batch, Chosen, Describe, Finding, FindingKind, Step, StepText, System, Trace, Violation, ViolationKind,
};
use mazurka_replay::{End, Reason, Refusal, Simulation, confirm};

struct Maze;

impl Maze {
    fn moves(state: u8) -> &'static [u32] {
        match state {
            0 => &[0],
            1 => &[1, 2],
            2 => &[3, 4],
            6 => &[5],
            _ => &[],
        }
    }
}

impl System for Maze {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0]);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let wanted: Vec<u32> = match chosen {
            Chosen::Steps(steps) => steps.iter().map(|s| s.code).collect(),
            Chosen::All | Chosen::Process(_) => Maze::moves(state[0]).to_vec(),
        };
        for code in wanted {
            assert!(Maze::moves(state[0]).contains(&code), "replay must not ask for a step not enabled");
            let step = Step::new(0, code);
            match code {
                0 => {
                    out.push(step, &[1]);
                    out.push(step, &[2]);
                }
                3 => {
                    out.begin(step, &[5]);
                    out.keep(true);
                }
                4 => {
                    out.violate(step, ViolationKind::Assertion, 40);
                    out.push(step, &[6]);
                }
                5 => out.violate(step, ViolationKind::Fault, 50),
                _ => out.push(step, &[code as u8 + 2]),
            }
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        out.extend(Maze::moves(state[0]).iter().map(|code| Step::new(0, *code)));
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        state[0] == 4
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}

impl Describe for Maze {
    fn name(&self) -> String {
        "maze".to_owned()
    }
    fn fingerprint(&self) -> u64 {
        1
    }
    fn step(&self, _state: &[u8], _step: Step) -> StepText {
        StepText::default()
    }
    fn values(&self, _state: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }
    fn violation(&self, _violation: &Violation) -> StepText {
        StepText::default()
    }
}

/// A finding whose steps are given as (code, outcome).
fn finding(kind: FindingKind, steps: &[(u32, u32)]) -> Finding {
    let steps =
        steps.iter().map(|(code, outcome)| TraceStep { step: Step::new(0, *code), outcome: *outcome });
    Finding { kind, trace: Trace { initial: 0, steps: steps.collect(), repeats: None } }
}

fn refused(kind: FindingKind, steps: &[(u32, u32)]) -> Refusal {
    confirm(&Maze, &finding(kind, steps)).expect_err("this trace must be refused")
}

const ASSERTION: FindingKind = FindingKind::Step { kind: ViolationKind::Assertion, place: 40 };
const FAULT: FindingKind = FindingKind::Step { kind: ViolationKind::Fault, place: 50 };

#[test]
fn a_deadlock_is_confirmed_with_its_states() {
    let run = confirm(&Maze, &finding(FindingKind::Deadlock, &[(0, 0), (1, 0)])).unwrap();
    assert_eq!(run.before(0), [0]);
    assert_eq!(run.before(1), [1]);
    assert_eq!(run.end(), [3]);
    assert_eq!(run.violation(), None);
}

#[test]
fn the_outcome_number_decides_where_a_step_leads() {
    let run = confirm(&Maze, &finding(ASSERTION, &[(0, 1), (4, 0)])).unwrap();
    assert_eq!(run.before(1), [2]);
    assert_eq!(run.end(), [6]);
    let violation = run.violation().unwrap();
    assert_eq!((violation.step, violation.place), (Step::new(0, 4), 40));
}

#[test]
fn a_fault_needs_no_successor() {
    let run = confirm(&Maze, &finding(FAULT, &[(0, 1), (4, 0), (5, 0)])).unwrap();
    assert_eq!(run.steps[2].after, None);
    assert_eq!(run.end(), [6]);
}

#[test]
fn a_missing_initial_state_is_refused() {
    let mut missing = finding(FindingKind::Deadlock, &[(0, 0), (1, 0)]);
    missing.trace.initial = 1;
    let refusal = confirm(&Maze, &missing).unwrap_err();
    assert_eq!(refusal.reason, Reason::NoSuchInitialState { given: 1, count: 1 });
    assert_eq!(refusal.at, None);
}

#[test]
fn a_step_that_is_not_enabled_is_refused() {
    let refusal = refused(FindingKind::Deadlock, &[(0, 0), (3, 0)]);
    assert_eq!(refusal, Refusal { at: Some(1), reason: Reason::NotEnabled(Step::new(0, 3)) });
    assert_eq!(refusal.to_string(), "step 2: process 0 can't take its step 3 here");
}

#[test]
fn an_outcome_that_does_not_exist_is_refused() {
    let refusal = refused(FindingKind::Deadlock, &[(0, 2), (1, 0)]);
    let reason = Reason::NoSuchOutcome { step: Step::new(0, 0), given: 2, count: 2 };
    assert_eq!(refusal, Refusal { at: Some(0), reason });
    let refusal = refused(ASSERTION, &[(0, 1), (4, 1)]);
    assert_eq!(refusal.at, Some(1));
    assert!(matches!(refusal.reason, Reason::NoSuchOutcome { given: 1, count: 1, .. }));
}

#[test]
fn an_outcome_that_leads_elsewhere_is_refused_where_it_shows() {
    // With the other outcome of the first step the second is not possible.
    assert_eq!(refused(FindingKind::Deadlock, &[(0, 1), (1, 0)]).at, Some(1));
}

#[test]
fn a_state_that_can_move_is_no_deadlock() {
    let refusal = refused(FindingKind::Deadlock, &[(0, 0)]);
    assert_eq!(refusal.reason, Reason::StillEnabled(Step::new(0, 1)));
    assert_eq!(refused(FindingKind::Deadlock, &[]).at, None);
}

#[test]
fn a_valid_end_is_no_deadlock() {
    assert_eq!(refused(FindingKind::Deadlock, &[(0, 0), (2, 0)]).reason, Reason::ValidEnd);
}

#[test]
fn the_middle_of_an_atomic_region_is_no_deadlock() {
    assert_eq!(refused(FindingKind::Deadlock, &[(0, 1), (3, 0)]).reason, Reason::WithinAtomic);
}

#[test]
fn a_trace_cannot_go_on_after_a_fault() {
    let refusal = refused(FindingKind::Deadlock, &[(0, 1), (4, 0), (5, 0)]);
    assert_eq!(refusal.at, Some(2));
    assert!(matches!(refusal.reason, Reason::NoSuchOutcome { count: 0, .. }));
}

#[test]
fn the_violation_must_be_the_claimed_one() {
    let elsewhere = FindingKind::Step { kind: ViolationKind::Assertion, place: 41 };
    let refusal = refused(elsewhere, &[(0, 1), (4, 0)]);
    assert_eq!(
        refusal.to_string(),
        "step 2: a false assertion number 41 was claimed, but the step reports a false assertion number 40"
    );
    let otherwise = FindingKind::Step { kind: ViolationKind::Fault, place: 40 };
    assert!(matches!(refused(otherwise, &[(0, 1), (4, 0)]).reason, Reason::NotViolated { .. }));
    assert!(matches!(refused(ASSERTION, &[(0, 1)]).reason, Reason::NotViolated { .. }));
}

#[test]
fn the_wrong_step_must_be_the_last() {
    // The assertion fails at the second step; the third reports only its fault.
    let refusal = refused(ASSERTION, &[(0, 1), (4, 0), (5, 0)]);
    assert_eq!(refusal.at, Some(2));
    assert_eq!(refused(ASSERTION, &[]).reason, Reason::NoStep);
}

/// Takes the choice with this code and outcome.
fn take(simulation: &mut Simulation<'_>, code: u32, outcome: u32) {
    let step = TraceStep { step: Step::new(0, code), outcome };
    let choice = simulation.choice(step).expect("this step is possible");
    simulation.take(choice);
}

#[test]
fn a_run_that_just_stops_is_confirmed() {
    let run = confirm(&Maze, &finding(FindingKind::Stopped, &[(0, 1)])).unwrap();
    assert_eq!((run.end(), run.violation()), (&[2][..], None));
    assert_eq!(refused(FindingKind::Stopped, &[(0, 0), (3, 0)]).at, Some(1));
}

#[test]
fn a_simulation_walks_ends_and_goes_back() {
    let mut simulation = Simulation::new(&Maze, 0).unwrap();
    assert!(Simulation::new(&Maze, 1).is_none());
    assert_eq!((simulation.choices().len(), simulation.end()), (2, None));
    assert!(!simulation.back());
    take(&mut simulation, 0, 0);
    take(&mut simulation, 2, 0);
    assert_eq!(simulation.end(), Some(End::Proper));
    assert_eq!(simulation.finding().kind, FindingKind::Stopped);
    assert!(simulation.back());
    take(&mut simulation, 1, 0);
    assert_eq!(simulation.end(), Some(End::Wrong(FindingKind::Deadlock)));
    assert!(simulation.choices().is_empty());
    // Whatever it walked can be confirmed.
    let finding = simulation.finding();
    assert_eq!(confirm(&Maze, &finding).unwrap(), simulation.run());
}

#[test]
fn a_simulation_stops_at_a_wrong_step() {
    let mut simulation = Simulation::new(&Maze, 0).unwrap();
    take(&mut simulation, 0, 1);
    assert_eq!(simulation.choice(TraceStep { step: Step::new(0, 7), outcome: 0 }), None);
    take(&mut simulation, 4, 0);
    assert_eq!(simulation.end(), Some(End::Wrong(ASSERTION)));
    assert!(simulation.choices().is_empty());
    assert!(confirm(&Maze, &simulation.finding()).is_ok());
}
