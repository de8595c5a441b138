//! Unspecified receptions: which states have one.

mod support;
use mazurka_model::{Batch, Describe, System, ViolationKind};
use support::{explore, model};

/// What is reported of any reachable state, each message once, in order.
fn receptions(source: &str) -> Vec<String> {
    let mut system = model(source);
    assert!(!system.judges_states());
    system.look_for_receptions();
    assert!(system.judges_states());
    let mut out = Vec::new();
    let mut batch = Batch::default();
    for state in explore(&system).states {
        batch.clear();
        system.judge(&state, &mut batch);
        for violation in batch.violations() {
            assert_eq!(violation.kind, ViolationKind::Reception);
            assert!(system.violation(violation).text.starts_with("unspecified reception: "));
            out.push(system.violation_in(&state, violation).text);
        }
    }
    out.sort();
    out.dedup();
    out
}

/// A receiver with these transitions, and a sender that sends 1 and 2 to `q`.
fn receiver(transitions: &str) -> Vec<String> {
    receptions(&format!(
        "program t chan q[2]: byte chan p[2]: byte var x: byte
         process S() {{ start a end location z a -> b do q!1 b -> z do q!2 }}
         process R() {{ local k: byte start a end location z {transitions} }}
         start S(), R()"
    ))
}

#[test]
fn a_message_without_a_receive_is_unspecified() {
    let expected = "unspecified reception: R(1) has no receive for what `q` holds, [1";
    let found = receiver("a -> z do q?2");
    assert_eq!(found, [format!("{expected}; 2]"), format!("{expected}]")]);
    assert_eq!(receiver("a -> z do q?2 a -> z do q?3"), found);
    // A receive from another channel is no excuse.
    assert_eq!(receiver("a -> z do q?2 a -> z do p?k"), found);
    // Only the first message counts where the receive looks only at that.
    assert_eq!(
        receiver("a -> b do q?k b -> z do q?3"),
        ["unspecified reception: R(1) has no receive for what `q` holds, [2]"]
    );
}

#[test]
fn what_can_be_taken_or_put_off_is_not() {
    assert!(receiver("a -> b do q?1 b -> z do q?k").is_empty());
    assert!(receiver("a -> z do q?2 a -> z do q?k").is_empty());
    // Taken from behind the first.
    assert_eq!(receiver("a -> z do q??2").len(), 1);
    assert!(receiver("a -> a when len(q) < 2 do x = 1 a -> z do q??2").is_empty());
    // Something else can be done, or is meant for when nothing can be received.
    assert!(receiver("a -> z do q?3 a -> z do x = 1").is_empty());
    assert!(receiver("a -> z do q?3 a -> z otherwise").is_empty());
    assert!(receiver("a -> z do q?3 a -> z when _timeout").is_empty());
    // No receive from this channel at all: not waiting for its messages.
    assert!(receiver("a -> z do p?3").is_empty());
    assert!(receiver("a -> z when x == 1 do q?3").is_empty());
}

#[test]
fn another_process_may_take_it() {
    let shared = |other: &str| {
        receptions(&format!(
            "program t chan q[1]: byte
             process S() {{ start a end location z a -> z do q!1 }}
             process R() {{ start a end location z a -> z do q?2 }}
             process T() {{ local k: byte start a end location z a -> z do q?{other} }}
             start S(), R(), T()"
        ))
    };
    assert!(shared("k").is_empty());
    assert_eq!(shared("3").len(), 2);
}
