//! The checking mode finds what a system says wrongly of itself, and nothing else.

mod support;

use mazurka_engine::contract::verify;
use support::{Lie, Walkers};

#[test]
fn an_honest_system_passes() {
    for (circle, shared) in [(false, false), (true, false), (false, true)] {
        let report = verify(&Walkers::new(3, 4, circle, shared), u64::MAX, 5);
        assert!(report.complete, "{:?}", report.breaches);
        assert_eq!(report.states, 65);
    }
}

#[test]
fn an_enabled_step_that_cannot_be_executed_is_named() {
    let mut system = Walkers::new(2, 3, false, false);
    system.lie = Some(Lie::EnabledButStuck);
    let report = verify(&system, u64::MAX, 1);
    assert_eq!(report.breaches[0].message, "the step is enabled but cannot be executed");
    assert_eq!(report.breaches[0].steps, ["0: walk"]);
}

#[test]
fn a_footprint_that_misses_an_operation_is_named() {
    let mut system = Walkers::new(2, 3, false, false);
    system.lie = Some(Lie::HiddenWrite);
    let report = verify(&system, u64::MAX, 1);
    assert!(report.breaches[0].message.starts_with("the order of the steps makes a difference"));
    assert_eq!(report.breaches[0].steps, ["0: walk", "1: walk"]);
}

#[test]
fn a_limit_is_not_called_complete() {
    assert!(!verify(&Walkers::new(3, 4, false, false), 10, 5).complete);
}
