//! Well-known models, whose numbers of reachable states are known.

mod support;
use support::{explore, model};

const PETERSON: &str = "
program peterson
var flag: bit[2]
var turn: bit
var inside: byte
process P() {
  start idle
  idle -> ask do flag[_pid] = 1
  ask -> wait do turn = 1 - _pid
  wait -> critical when flag[1 - _pid] == 0 do inside = inside + 1
  wait -> critical when turn == _pid do inside = inside + 1
  critical -> leave do assert inside == 1; inside = inside - 1
  leave -> idle do flag[_pid] = 0
}
start P(), P()
";

#[test]
fn peterson_keeps_one_inside() {
    let found = explore(&model(PETERSON));
    assert!(found.violations.is_empty());
    assert_eq!(found.deadlocks, 0);
    // The same number as a hand-written enumeration gives.
    assert_eq!(found.states.len(), 26);
}

#[test]
fn peterson_without_turn_fails() {
    let broken = PETERSON.replace("when turn == _pid", "when true");
    assert!(!explore(&model(&broken)).violations.is_empty());
}

const PHILOSOPHERS: &str = "
program philosophers
var fork: bit[3]
process P(left: byte, right: byte) {
  start think
  think -> hungry when fork[left] == 0 do fork[left] = 1
  hungry -> eat when fork[right] == 0 do fork[right] = 1
  eat -> full do fork[right] = 0
  full -> think do fork[left] = 0
}
start P(0, 1), P(1, 2), P(2, 0)
";

#[test]
fn three_philosophers_deadlock_once() {
    let found = explore(&model(PHILOSOPHERS));
    assert_eq!(found.deadlocks, 1);
    assert_eq!(found.states.len(), 35);
}

#[test]
fn two_phase_commit_has_288_states() {
    let found = explore(&model(include_str!("models/two_phase_commit.mzk")));
    assert_eq!(found.states.len(), 288);
    assert!(found.violations.is_empty());
}
