//! State charts: configurations, queues, timers and machines that are invoked.

use mazurka_front::vfsm::{self, Parsed, VfsmSystem, scxml};
use mazurka_model::source::Severity;
use mazurka_model::{Batch, Chosen, System};
use std::collections::{BTreeSet, HashSet};

fn parsed(body: &str) -> Parsed {
    scxml::parse("test.scxml", &format!("<scxml name=\"m\">{body}</scxml>"))
}

/// How many states, steps, deadlocks and steps that go wrong there are.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    states: usize,
    steps: usize,
    deadlocks: usize,
    wrong: usize,
}

fn counts(parsed: Parsed) -> Counts {
    let system = VfsmSystem::new(parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)));
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut open = vec![batch.state(0).to_vec()];
    let mut seen: HashSet<Vec<u8>> = open.iter().cloned().collect();
    let mut counts = Counts { states: 0, steps: 0, deadlocks: 0, wrong: 0 };
    while let Some(state) = open.pop() {
        assert!(seen.len() < 10_000, "too many states");
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        counts.wrong += batch.violations().len();
        counts.deadlocks +=
            usize::from(batch.is_empty() && batch.violations().is_empty() && !system.valid_end(&state));
        for index in 0..batch.len() {
            counts.steps += 1;
            if seen.insert(batch.state(index).to_vec()) {
                open.push(batch.state(index).to_vec());
            }
        }
    }
    counts.states = seen.len();
    counts
}

/// A chart has as many states and steps as a network that was written by hand for the same purpose.
fn same(body: &str, network: &str) -> Counts {
    let chart = counts(parsed(body));
    assert_eq!(chart, counts(vfsm::parse("test.vfsm", network, &[])), "{body}\n{network}");
    chart
}

/// A machine by hand: its register is empty where it rests, as that of a chart is.
fn by_hand(kind: &str, parts: &str, states: &str, rest: &str) -> String {
    format!(
        "{kind} machine M {{ outputs O; events START, FORGET; inputs I_START; on START: -* +I_START; on FORGET: -*;
            do O: feedback FORGET; {parts}
            BEGIN initial {{ NS: I_START > A; }} {states} }}
        system m {{ {rest} initially m.START; }}"
    )
}

const ONE: &str = "processor p queue 8 internal 8 { m: M; }";

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

/// Two events that are sent later are two, though they have the same name: the second one comes as well.
#[test]
fn delayed_events_of_two_places_are_under_way_at_once() {
    let body = "<state id='a'><onentry><send event='t' delay='1s'/><send event='t' delay='2s'/></onentry>
        <transition event='t' target='b'/></state><state id='b'><transition event='t' target='c'/></state><final id='c'/>";
    assert_eq!(states(body), "a b c deadlocks 0");
    let parts = "inputs I_T; timers T, U; outputs OT; on T: -* +I_T; on U: -* +I_T; do OT: start T, start U; do OS: stop T, stop U; outputs OS;";
    let states = "A { E: O, OT; NS: I_T > B; } B { E: O; NS: I_T > C; } C end { E: O, OS; IA: I_T ? O; }";
    same(body, &by_hand("", parts, states, ONE));
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
fn data_are_part_of_states_and_conditions_on_them_are_known() {
    let body = "<datamodel><data id='n' expr='0'/></datamodel>
        <state id='a'><transition event='x' cond='n &lt; 2' target='a'><assign location='n' expr='n + 1'/></transition>
        <transition event='x' target='b'/></state><final id='b'/>";
    assert_eq!(states(body), "a (n=0) a (n=1) a (n=2) b (n=2) deadlocks 0");
    assert!(parsed(body).diagnostics.is_empty());
    let states =
        "A initial { } state N[i in 0..2] { E: O; F: X; NS: I_X > N[i + 1] else B; } B end { E: O; }";
    let states = states.replace("A initial { }", "A { NS: always > N[0]; }");
    let hand = by_hand("free", "inputs I_X; events X; on X: -* +I_X;", &states, ONE);
    let counts = same(body, &hand);
    assert_eq!((counts.states, counts.deadlocks), (5, 0));
}

#[test]
fn truth_values_other_data_and_wider_conditions_are_evaluated() {
    // Both are told apart by what they were before: the second datum gets what the first one was.
    let body = "<datamodel><data id='p'>true</data><data id='q' expr='false'/></datamodel>
        <state id='a'><transition event='x' cond='p || q' target='a'><assign location='q' expr='p &amp;&amp; !q'/>
        <assign location='p' expr='false'/></transition>
        <transition event='x' cond='!p &amp;&amp; q == false' target='b'/></state><final id='b'/>";
    assert_eq!(
        states(body),
        "a (p=false, q=false) a (p=false, q=true) a (p=true, q=false) b (p=false, q=false) deadlocks 0"
    );
    let states = "A { E: O; F: X; NS: I_X > C; } C { E: O; F: X; NS: I_X > D; } D { E: O; F: X; NS: I_X > B; } B end { E: O; }";
    same(body, &by_hand("free", "inputs I_X; events X; on X: -* +I_X;", states, ONE));
}

#[test]
fn a_value_that_leaves_its_bounds_is_reported_and_not_wrapped() {
    let body = |bounds: &str| {
        format!(
            "<datamodel><data id='n' expr='0' {bounds}/></datamodel>
             <state id='a'><transition event='x' target='a'><assign location='n' expr='n + 1'/></transition></state>"
        )
    };
    // One step beyond what it begins with, and no further.
    let found = counts(parsed(&body("")));
    assert_eq!((found.states, found.wrong), (3, 1));
    let found = counts(parsed(&body("min='0' max='5'")));
    assert_eq!((found.states, found.wrong), (7, 1));
    let system = VfsmSystem::new(parsed(&body("m:max='1' xmlns:m='x'")).network.unwrap());
    assert_eq!(system.network().outside[0].0, "`n` would be 2, outside of -1..1");
    // Within its bounds it never goes wrong.
    let good = "<datamodel><data id='n' expr='0'/></datamodel><state id='a'>
        <transition event='x' cond='n != 3' target='a'><assign location='n' expr='n + 1'/></transition>
        <transition event='y' cond='n &gt; 0' target='a'><assign location='n' expr='n - 1'/></transition></state>";
    let found = counts(parsed(good));
    assert_eq!((found.states, found.wrong, found.deadlocks), (5, 0, 0));
}

#[test]
fn branches_are_chosen_by_data_and_active_states() {
    let body = "<datamodel><data id='n' expr='0'/></datamodel>
        <state id='a'><onentry><if cond='n == 0'><raise event='zero'/><assign location='n' expr='1'/>
            <elseif cond='n == 1 &amp;&amp; !In(&quot;a&quot;)'/><raise event='never'/>
            <elseif cond='n == 1'/><raise event='one'/><assign location='n' expr='2'/>
            <else/><raise event='more'/></if></onentry>
        <transition event='zero' target='a'/><transition event='one' target='a'/><transition event='more' target='b'/>
        <transition event='never' target='c'/></state><final id='b'/><state id='c'/>";
    assert_eq!(states(body), "a (n=1) a (n=2) b (n=2) deadlocks 0");
    let parts = "inputs I_Z, I_O, I_M; events Z, ONE, MORE; outputs OZ, OO, OM; on Z: -* +I_Z; on ONE: -* +I_O; on MORE: -* +I_M;
        do OZ: send m.Z; do OO: send m.ONE; do OM: send m.MORE;";
    let states = "A { E: O, OZ; NS: I_Z > A1; } A1 { E: O, OO; NS: I_O > A2; } A2 { E: O, OM; NS: I_M > B; } B end { E: O; }";
    same(body, &by_hand("", parts, states, ONE));
}

#[test]
fn unknown_values_and_branches_are_tried_both_ways_with_notes() {
    let body = "<datamodel><data id='n' expr='0'/></datamodel>
        <state id='a'><transition event='x' target='b'><assign location='n' expr='_event.data'/></transition></state>
        <state id='b'><transition event='x' cond='n == 0' target='c'/><transition event='x' target='d'>
            <if cond='late()'><raise event='y'/></if></transition></state>
        <final id='c'/><state id='d'><transition event='y' target='c'/></state>";
    let notes: Vec<String> = parsed(body).diagnostics.into_iter().map(|one| one.message).collect();
    assert_eq!(
        notes,
        [
            "`_event.data` is not evaluated: `n` is not known behind it",
            "the condition `n == 0` is not evaluated: both answers are tried",
            "the condition `late()` is not evaluated: both answers are tried"
        ]
    );
    assert_eq!(states(body), "a (n=0) b (n=?) c (n=?) d (n=?) deadlocks 1");
    // A script may do anything to data, and so may a call.
    for change in
        ["<script>n = 7</script>", "<assign location='m' expr='f()'/>", "<assign location='n.x' expr='1'/>"]
    {
        let body = format!(
            "<datamodel><data id='n' expr='0'/><data id='m' expr='0'/></datamodel>
             <state id='a'><onentry>{change}</onentry><transition cond='n == 0' target='b'/></state><final id='b'/>"
        );
        let (names, deadlocks) = explore(parsed(&body));
        assert!(names.iter().any(|name| name.starts_with("a (n=?")), "{change} {names:?}");
        assert_eq!(deadlocks, 1, "{change}");
    }
}

#[test]
fn an_event_for_another_machine_can_be_sent_later() {
    let child = "<invoke id='c'><content><scxml><state id='w'><transition event='go' target='v'/></state><state id='v'/></scxml></content></invoke>";
    let body = |cancel: &str| {
        format!(
            "<state id='a'>{child}<onentry><send event='go' target='#_c' delay='1s' id='i'/></onentry>
             <transition event='x'>{cancel}</transition></state>"
        )
    };
    let hand = |cancel: &str| {
        let parts = format!(
            "timers T; inputs I_X, I_T; events X; outputs ON, OS, OC, OB; on X: -* +I_X; on T: -* +I_T;
             do ON: start T; do OS: send c.GO; do OC: {cancel}; do OB: send c.START;"
        );
        let states = "A { E: O, ON, OB; NS: always > B; } B { F: X; IA: I_T ? OS, O; NS: I_X > C; } C { E: OC, O; NS: always > B; }";
        let child = "machine C { outputs O; events START, FORGET, GO; inputs I_START, I_GO; on START: -* +I_START; on FORGET: -*; on GO: -* +I_GO;
             do O: feedback FORGET; BEGIN initial end { IA: I_GO ? O; NS: I_START > W; } W { E: O; NS: I_GO > V; } V { E: O; IA: I_GO ? O; } }";
        let rest =
            "processor p { process c queue 8 internal 8 { c: C; } process m queue 8 internal 8 { m: M; } }";
        format!("{child} {}", by_hand("free", &parts, states, rest))
    };
    same(&body(""), &hand("nothing"));
    same(&body("<cancel sendid='i'/>"), &hand("stop T"));
    assert_eq!(counts(parsed(&body("<cancel sendid='i'/>"))).wrong, 0);
}

/// Neither machine keeps events of the environment from the other.
#[test]
fn events_from_outside_come_to_whoever_waits_for_them() {
    let child = "<invoke id='c'><content><scxml><state id='w'><transition event='tick' target='w'/></state></scxml></content></invoke>";
    let body = format!("<state id='a'>{child}<transition event='x' target='b'/></state><final id='b'/>");
    assert_eq!(states(&body), "a b deadlocks 0");
}

#[test]
fn history_states_stand_for_what_was_active() {
    let body = |kind: &str| {
        format!(
            "<state id='s' initial='a'><history id='h' type='{kind}'><transition target='b'/></history>
               <state id='a'><transition event='x' target='b'/></state>
               <state id='b' initial='b1'><state id='b1'><transition event='x' target='b2'/></state><state id='b2'/></state>
               <transition event='out' target='o'/></state>
             <state id='o'><transition event='back' target='h'/></state>"
        )
    };
    let hand = |deep: &str| {
        let parts = "inputs I_X, I_OUT, I_BACK; events X, OUT, BACK; on X: -* +I_X; on OUT: -* +I_OUT; on BACK: -* +I_BACK;";
        // Of each state there is one for each memory: none yet, a, b or its first state, the second.
        let mut states = "A { NS: always > P0; }".to_owned();
        for memory in 0..4 {
            let back = [("P", 1), ("P", 1), ("Q", 2), (deep, 3)][memory];
            let place = |state: &str, memory: usize| format!("{state}{memory}");
            states += &format!(
                " P{memory} {{ E: O; F: X, OUT; NS: I_X > Q{memory}; I_OUT > OUT1; }}
                  Q{memory} {{ E: O; F: X, OUT; NS: I_X > R{memory}; I_OUT > OUT2; }}
                  R{memory} {{ E: O; F: OUT; NS: I_OUT > OUT3; }}"
            );
            if memory > 0 {
                states +=
                    &format!(" OUT{memory} {{ E: O; F: BACK; NS: I_BACK > {}; }}", place(back.0, back.1));
            }
        }
        by_hand("free", parts, &states, ONE)
    };
    // A shallow one remembers that b was active, whichever of its states was.
    let shallow = counts(parsed(&body("shallow")));
    let deep = same(&body("deep"), &hand("R"));
    assert!(shallow.states < deep.states, "{shallow:?} {deep:?}");
    let (names, _) = explore(parsed(&body("shallow")));
    assert!(names.contains("b1 [h: b]") && !names.contains("b2 [h: b2]"), "{names:?}");
    // Without a history its transition says what is entered, and what is done then.
    let fresh = "<state id='o'><transition event='x' target='h'/></state><state id='s'><history id='h'>
        <transition target='b'><raise event='y'/></transition></history><state id='a'/>
        <state id='b'><transition event='y' target='c'/></state><final id='c'/></state>";
    assert_eq!(states(fresh), "b c o deadlocks 1");
}

#[test]
fn first_states_can_have_actions_and_ends_stop_timers() {
    let body = "<state id='s'><initial><transition target='b'><raise event='y'/></transition></initial>
        <state id='a'/><state id='b'><transition event='y' target='c'/></state><state id='c'/></state>";
    assert_eq!(states(body), "b c deadlocks 1");
    let body =
        "<state id='a'><onentry><send event='t' delay='1s'/></onentry><transition event='x' target='b'/>
        <transition event='t' target='c'/></state><final id='b'/><final id='c'/>";
    let counts = counts(parsed(body));
    // Before the beginning, a with the timer, a with its message, b and c with nothing.
    assert_eq!(counts.states, 5, "{counts:?}");
}

#[test]
fn machines_of_other_files_are_read_and_told_apart() {
    let main = "<scxml name='m'><state id='a'><invoke src='sub/one.scxml'><param name='n' expr='1'/></invoke>
        <transition event='done.invoke.one' target='b'/></state><final id='b'/></scxml>";
    let one = "<scxml><datamodel><data id='n' expr='0'/></datamodel><state id='x'><transition cond='n == 1' target='y'/></state><final id='y'/></scxml>";
    let mut load =
        |name: &str| if name == "sub/one.scxml" { Ok(one.to_owned()) } else { Err("gone".to_owned()) };
    let read = scxml::parse_with("m.scxml", main, &mut load);
    let fingerprint = read.network.as_ref().unwrap().fingerprint;
    let (names, deadlocks) = explore(read);
    assert_eq!((names.into_iter().collect::<Vec<_>>().join(" "), deadlocks), ("a b".to_owned(), 0));
    // What another file says is part of the model.
    let mut other = |_: &str| Ok(one.replace("n == 1", "n == 2"));
    let read = scxml::parse_with("m.scxml", main, &mut other);
    assert_ne!(read.network.as_ref().unwrap().fingerprint, fingerprint);
    let (_, deadlocks) = explore(read);
    assert_eq!(deadlocks, 1);
    let mut same_again = |_: &str| Ok(main.to_owned());
    let read = scxml::parse_with("m.scxml", main, &mut same_again);
    assert!(read.network.is_none() && read.diagnostics[0].message.starts_with("files invoke each other"));
    let mut broken =
        |_: &str| Ok("<scxml><state id='a'><transition event='x' target='q'/></state></scxml>".to_owned());
    let read = scxml::parse_with("m.scxml", main, &mut broken);
    let found = &read.diagnostics[0];
    let place = read.sources.locate(found.span.unwrap()).unwrap();
    assert_eq!((found.message.as_str(), place.file.as_str()), ("there is no state `q`", "sub/one.scxml"));
}

#[test]
fn active_states_can_be_asked_about() {
    let body = "<datamodel><data id='n' expr='0'/></datamodel><parallel id='p'><state id='l'/><state id='r'>
        <transition event='x' cond='n == 0' target='r'><assign location='n' expr='1'/></transition></state></parallel>";
    let system = VfsmSystem::new(parsed(body).network.unwrap());
    for name in ["m@p", "m@l", "m@l+r", "m@(start)"] {
        assert!(system.condition(name).is_ok(), "{name}");
    }
    assert!(system.condition("m@q").is_err());
}

#[test]
fn the_example_of_two_files_is_read() {
    let text = include_str!("../../../testdata/vfsm/lock.scxml");
    let keypad = include_str!("../../../testdata/vfsm/keypad.scxml");
    let parsed = scxml::parse_with("lock.scxml", text, &mut |_| Ok(keypad.to_owned()));
    let notes: Vec<&str> = parsed.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(notes, ["the condition `code.isRight()` is not evaluated: both answers are tried"]);
    let names: BTreeSet<String> = explore(parsed).0;
    assert!(
        names.contains("blocked (wrong=0, alarmed=true)") && names.contains("open (wrong=0, alarmed=false)"),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name.contains("wrong=4")), "{names:?}");
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
        let error = found.diagnostics.iter().find(|one| one.severity == Severity::Error);
        error.map(|one| one.message.clone()).unwrap_or_default()
    };
    assert_eq!(wrong("<state id='a'><transition event='x' target='b'/></state>"), "there is no state `b`");
    assert_eq!(
        wrong("<state id='a'><history id='h'/></state>"),
        "a history state needs one transition, and nothing else"
    );
    assert_eq!(
        wrong("<state id='a'><history id='h'><transition target='b'/></history></state><state id='b'/>"),
        "the state `b` is not within `a`, so a history state of it can't stand for it"
    );
    assert_eq!(wrong("<state id='a'/><state id='a'/>"), "the state `a` is declared twice");
    let entry = |content: &str| wrong(&format!("<state id='a'><onentry>{content}</onentry></state>"));
    assert_eq!(entry("<if/>"), "`if` needs a `cond`");
    assert_eq!(entry("<if cond='x'><else/><elseif cond='y'/></if>"), "`elseif` stands behind `else`");
    assert_eq!(entry("<else/>"), "`else` stands outside of an `if`");
    assert_eq!(entry("<foreach array='x' item='y'/>"), "`foreach` is not supported: lists are not evaluated");
    assert_eq!(
        entry("<send event='e' targetexpr='x'/>"),
        "`send` needs its `target` and `type` as they are; expressions are not evaluated"
    );
    let data = |data: &str| wrong(&format!("<datamodel>{data}</datamodel><state id='a'/>"));
    assert_eq!(data("<data id='n' expr='3' max='2'/>"), "`n` begins outside its own bounds");
    assert_eq!(data("<data id='n' min='x'/>"), "`min` must be a whole number, not `x`");
    assert_eq!(data("<data id='n'/><data id='n'/>"), "the datum `n` is declared twice");
    assert_eq!(
        wrong("<state id='a'><invoke src='b.scxml'/></state>"),
        "the machine `b.scxml` can't be read: there is only one file"
    );
    assert_eq!(wrong("<state id='a'><invoke/></state>"), "the machine that is invoked is not here");
    assert_eq!(
        wrong("<state id='a'><invoke src='x' autoforward='true'/></state>"),
        "`autoforward` is not supported"
    );
    let many: String = (0..70).map(|event| format!("<transition event='e{event}' target='a'/>")).collect();
    assert_eq!(wrong(&format!("<state id='a'>{many}</state>")), "there are 70 events, and at most 63 fit");
    let guesses: String =
        (0..7).map(|guess| format!("<transition event='e' cond='f{guess}()' target='a'/>")).collect();
    assert_eq!(
        wrong(&format!("<state id='a'>{guesses}</state>")),
        "more than 6 conditions on data meet where `a` is active"
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
    for text in [
        include_str!("../../../testdata/vfsm/crossing.scxml"),
        include_str!("../../../testdata/vfsm/lock.scxml"),
    ] {
        for end in (0..text.len()).step_by(7) {
            scxml::parse("x.scxml", &text[..end]);
            scxml::parse("x.scxml", &format!("{}{}", &text[..end / 2], &text[end..]));
        }
    }
}
