//! State charts: configurations, queues, timers and machines that are invoked.

use mazurka_front::vfsm::{Parsed, VfsmSystem, scxml};
use mazurka_model::source::Severity;
use mazurka_model::{Batch, Chosen, System};
use std::collections::{BTreeSet, HashSet};

fn parsed(body: &str) -> Parsed {
    scxml::parse("test.scxml", &format!("<scxml name=\"m\">{body}</scxml>"))
}

/// The states in which the outermost machine rests, in everything that can be reached, and the states that are deadlocks.
fn explore(parsed: Parsed) -> (BTreeSet<String>, usize) {
    let system = VfsmSystem::new(parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)));
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut open = vec![batch.state(0).to_vec()];
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    let (mut names, mut deadlocks) = (BTreeSet::new(), 0);
    while let Some(state) = open.pop() {
        assert!(seen.len() < 10_000, "too many states");
        let values = system.describe().values(&state);
        let main = values.iter().find(|(name, _)| *name == system.network().name);
        names.insert(main.map_or_else(String::new, |(_, value)| value.clone()));
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        assert!(batch.violations().is_empty(), "{:?}", batch.violations());
        deadlocks += usize::from(batch.is_empty() && !system.valid_end(&state));
        for index in 0..batch.len() {
            if seen.insert(batch.state(index).to_vec()) {
                open.push(batch.state(index).to_vec());
            }
        }
    }
    names.remove("(start)");
    (names, deadlocks)
}

fn states(body: &str) -> String {
    let (names, deadlocks) = explore(parsed(body));
    format!("{} deadlocks {deadlocks}", names.into_iter().collect::<Vec<_>>().join(" "))
}

#[test]
fn events_that_nobody_sends_come_from_outside() {
    let body = "<state id='a'><transition event='x' target='b'/></state><final id='b'/>";
    assert_eq!(states(body), "a b deadlocks 0");
    // Nobody sends done events but the machine itself.
    let body = "<state id='a'><transition event='done.state.z' target='b'/></state><final id='b'/>";
    assert_eq!(states(body), "a deadlocks 1");
}

#[test]
fn inner_transitions_come_first_and_outer_ones_are_inherited() {
    let body = "<state id='s' initial='b'><transition event='x' target='out'/>
        <state id='a'/><state id='b'><transition event='x' target='a'/></state></state><final id='out'/>";
    assert_eq!(states(body), "a b out deadlocks 0");
}

#[test]
fn parallel_regions_move_together_and_in_is_known() {
    let body = "<parallel id='p'>
        <state id='l'><state id='l1'><transition event='x' target='l2'/></state><state id='l2'/></state>
        <state id='r'><state id='r1'><transition event='x' target='r2'/></state>
            <state id='r2'><transition cond=\"In('l2')\" target='r3'/></state>
            <state id='r3'><transition event='y' target='end'/></state></state>
        </parallel><final id='end'/>";
    assert_eq!(states(body), "end l1+r1 l2+r3 deadlocks 0");
}

#[test]
fn raised_events_and_final_states_are_dealt_with_at_once() {
    let body =
        "<state id='a'><onentry><raise event='go'/></onentry><transition event='go' target='c'/></state>
        <state id='c'><state id='c1'><transition event='x' target='c2'/></state><final id='c2'/>
        <transition event='done.state.c' target='end'/></state><final id='end'/>";
    assert_eq!(states(body), "a c1 c2 end deadlocks 0");
}

#[test]
fn delayed_events_are_timers_and_can_be_cancelled() {
    let body = |cancel: &str| {
        format!(
            "<state id='a'><onentry><send event='t' delay='1s' id='i'/></onentry>
             <transition event='x' target='b'>{cancel}</transition><transition event='t' target='c'/></state>
             <state id='b'><transition event='t' target='c'/></state><final id='c'/>"
        )
    };
    assert_eq!(states(&body("")), "a b c deadlocks 0");
    assert_eq!(states(&body("<cancel sendid='i'/>")), "a b c deadlocks 1");
}

#[test]
fn unknown_conditions_are_tried_both_ways_with_a_note() {
    let body = "<state id='a'><transition event='x' cond='n > 3' target='b'/><transition event='x' target='c'/></state>
        <state id='b'><transition cond='ready' target='d'/></state><final id='c'/><final id='d'/>";
    let notes: Vec<String> = parsed(body).diagnostics.into_iter().map(|one| one.message).collect();
    assert_eq!(
        notes,
        [
            "the condition `n > 3` is not evaluated: both answers are tried",
            "the condition `ready` is not evaluated: both answers are tried"
        ]
    );
    assert_eq!(states(body), "a b c d deadlocks 1");
}

#[test]
fn the_example_invokes_a_machine() {
    let text = include_str!("../../../testdata/vfsm/crossing.scxml");
    let parsed = scxml::parse("crossing.scxml", text);
    assert!(
        parsed.diagnostics.iter().all(|one| one.severity == Severity::Warning),
        "{:?}",
        parsed.diagnostics
    );
    let (names, _) = explore(parsed);
    let expected = ["moving+stop", "moving+warned", "open", "shut+go", "shut+warned"];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_not_supported_is_told() {
    let wrong = |body: &str| {
        let found = parsed(body);
        assert!(found.network.is_none(), "{body}");
        found.diagnostics[0].message.clone()
    };
    assert_eq!(wrong("<state id='a'><transition event='x' target='b'/></state>"), "there is no state `b`");
    assert_eq!(wrong("<state id='a'><history id='h'/></state>"), "history states are not supported");
    assert_eq!(wrong("<state id='a'/><state id='a'/>"), "the state `a` is declared twice");
    assert_eq!(
        wrong("<state id='a'><onentry><if cond='x'/></onentry></state>"),
        "`if` is not supported: data are not evaluated"
    );
    assert_eq!(
        wrong("<state id='a'><invoke src='b.scxml'/></state>"),
        "the machine that is invoked is not here"
    );
    assert_eq!(wrong(""), "there is no state");
    assert_eq!(
        wrong("<state id='a'>"),
        "this is not well-formed XML: ill-formed document: expected `</state>`, but `</scxml>` was found"
    );
    assert!(scxml::parse("x.scxml", "<x/>").network.is_none());
    assert!(scxml::parse("x.scxml", "").network.is_none());
}

#[test]
fn any_part_of_a_file_is_read_without_panic() {
    let text = include_str!("../../../testdata/vfsm/crossing.scxml");
    for end in (0..text.len()).step_by(7) {
        scxml::parse("x.scxml", &text[..end]);
        scxml::parse("x.scxml", &format!("{}{}", &text[..end / 2], &text[end..]));
    }
}
