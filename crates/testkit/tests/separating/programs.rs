//! The programs, in Promela.

use super::{is_reduced, kept, promela};

pub const IGNORING: &str = "
byte p;
active proctype Spinner() { bit x; do :: x = 1 - x od }
active proctype Setter() { p = 1; assert(p == 0) }";

/// A process that goes on locally for ever must not be the only one that is ever explored.
#[test]
fn ignoring() {
    let system = promela(IGNORING);
    kept(&system, &["assertion"]);
    assert!(is_reduced(&system));
}

/// A receive and a test for full are independent while the channel holds one message of two, but not after the
/// next send.
#[test]
fn conditional_dependency_along_the_way() {
    kept(
        &promela(
            "chan q = [2] of { byte };
             active proctype Receiver() { q?_ }
             active proctype Sender() { q!1; q!1; if :: full(q) -> assert(false) :: else fi }",
        ),
        &["assertion"],
    );
}

#[test]
fn else_beside_a_poll() {
    let system = promela(
        "chan q = [1] of { byte };
         active proctype Looker() { bit x; do :: q?[1] -> break :: else -> x = 1 - x od; assert(false) }
         active proctype Sender() { byte y; y = 1; q!1 }",
    );
    kept(&system, &["assertion"]);
    assert!(is_reduced(&system));
}

#[test]
fn a_timeout_when_others_have_stopped() {
    let system = promela(
        "byte g;
         active proctype Worker() { bit y; y = 1; y = 0; g == 1; g = 2 }
         active proctype Watcher() { timeout -> assert(g == 2) }",
    );
    kept(&system, &["assertion", "deadlock"]);
}

#[test]
fn the_number_of_processes() {
    kept(
        &promela(
            "proctype Counter() { byte n; n = _nr_pr; assert(_nr_pr == n) }
             proctype Brief() { byte x; x = 1 }
             init { run Counter(); run Brief() }",
        ),
        &["assertion"],
    );
}

#[test]
fn whether_another_process_can_move() {
    let system = promela(
        "byte g;
         active proctype Waiter() { g == 1 }
         active proctype Looker() { bit x; do :: enabled(0) -> assert(false) :: else -> x = 1 - x od }
         active proctype Setter() { byte y; y = 1; g = 1 }",
    );
    kept(&system, &["assertion"]);
}

#[test]
fn a_process_that_is_provided_for() {
    kept(
        &promela(
            "byte turn, g;
             active proctype Guest() provided (turn == 0) { byte x; x = 1; x = 2; assert(g == 0) }
             active proctype Host() { turn = 1; g = 1; turn = 0 }",
        ),
        &["assertion"],
    );
}

#[test]
fn who_moved_last() {
    kept(
        &promela(
            "active proctype Looker() { bit x; do :: _last == 1 -> assert(false) :: else -> x = 1 - x od }
             active proctype Other() { byte y; y = 1 }",
        ),
        &["assertion"],
    );
}

/// The sender has to wait for the receiver inside its atomic region, and others see it there.
#[test]
fn atomicity_that_is_lost() {
    kept(
        &promela(
            "chan c = [0] of { byte }; byte g;
             active proctype Sender() { byte x; atomic { x = 1; g = 1; c!x; g = 2 } }
             active proctype Receiver() { byte y; y = 1; y = 2; c?_ }
             active proctype Witness() { assert(g != 1) }",
        ),
        &["assertion"],
    );
}

/// It is broken only between two steps of one process.
#[test]
fn an_invariant_over_two_variables() {
    kept(
        &promela(
            "bit a, b;
             active proctype Both() { a = 1; b = 1 }
             active proctype Witness() { assert(!(a && !b)) }",
        ),
        &["assertion"],
    );
}

#[test]
fn an_offer_that_nobody_takes() {
    let system = promela(
        "chan c = [0] of { byte };
         active proctype Sender() { c!1 }
         active proctype Busy() { byte x; x = 1; x = 2 }",
    );
    kept(&system, &["deadlock"]);
}

pub const DISABLED_ALTERNATIVE: &str = "
chan q = [1] of { byte };
active proctype Chooser() { byte y; if :: q?_ -> assert(false) :: y = 1 fi }
active proctype Sender() { q!1 }
active proctype Receiver() { q?_ }";

/// The only step that is enabled is local, but the receive beside it may become possible.
#[test]
fn disabled_alternatives() {
    kept(&promela(DISABLED_ALTERNATIVE), &["assertion", "deadlock"]);
}

pub const PROVISO_WITH_SLEEP: &str = "
byte g;
active proctype Spinner() { bit x; do :: x = 1; x = 0 od }
active proctype Writer() { g = 1; g = 2; assert(false) }";

/// An edge that sleeps is not explored, and does not leave the stack.
#[test]
fn the_proviso_with_sleep_sets() {
    let system = promela(PROVISO_WITH_SLEEP);
    kept(&system, &["assertion"]);
    assert!(is_reduced(&system));
}

/// Only both sends of the step together fill the channel.
#[test]
fn steps_with_several_operations() {
    kept(
        &promela(
            "chan q = [2] of { byte }; bit done;
             active proctype Sender() { atomic { q!1; q!2 }; done = 1 }
             active proctype Looker() { bit y; y = full(q); done -> assert(y) }",
        ),
        &["assertion"],
    );
}

#[test]
fn an_escape_from_a_local_loop() {
    kept(
        &promela(
            "bit g;
             active proctype Looper() { bit x; { do :: x = 1 - x od } unless { g -> assert(false) } }
             active proctype Setter() { byte y; y = 1; g = 1 }",
        ),
        &["assertion"],
    );
}

pub const LATE_CREATION: &str = "
byte g;
active proctype Reader() { byte v; v = g; assert(v == g) }
proctype Writer() { g = 1 }
init { byte x; x = 1; x = 2; run Writer() }";

/// What a process may still create may touch things too.
#[test]
fn late_creation() {
    let system = promela(LATE_CREATION);
    kept(&system, &["assertion"]);
    assert!(is_reduced(&system));
}

/// The sender's code names no channel; it receives one.
#[test]
fn channels_as_values() {
    kept(
        &promela(
            "chan pass = [1] of { chan }; chan q = [1] of { byte };
             active proctype Looker() { empty(q) -> assert(empty(q)) }
             active proctype Sender() { chan c; pass?c; c!1 }
             active proctype Owner() { pass!q }",
        ),
        &["assertion", "deadlock"],
    );
}

/// The claim to be the only reader is false, and a reduction that believes it loses the error.
#[test]
fn a_false_claim_to_read_alone() {
    kept(
        &promela(
            "chan q = [1] of { byte };
             active proctype Claimer() { xr q; q?_ }
             active proctype Sender() { xs q; q!1 }
             active proctype Other() { q?_; assert(false) }",
        ),
        &["assertion", "deadlock"],
    );
}
