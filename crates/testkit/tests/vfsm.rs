//! Networks of machines, at random and the examples, under every reduction and every kind of information.

use mazurka_engine::checkpoint::{Checkpoints, Refusal};
use mazurka_engine::{
    Config, Limits, Method, Properties, Reduction, Silent, Verdict, check, check_reduction, resume,
};
use mazurka_front::vfsm::{Information, VfsmSystem, parse, scxml};
use mazurka_testkit::compare::{keeps_contract, keeps_promises};
use mazurka_testkit::{compare, every_config, explore, vfsm};

/// A few of the networks that `vfsm-soundness` compares by the thousand.
#[test]
fn every_reduction_agrees_with_the_oracle_on_random_networks() {
    let (mut compared, mut reduced, mut has) = (0, 0, [0; 5]);
    for seed in 0..150 {
        match vfsm::examine(seed, 120, 173) {
            Ok(None) => {}
            Ok(Some(one)) => {
                compared += 1;
                reduced += one.reduced;
                for (count, found) in has.iter_mut().zip(one.has.into_iter().chain([one.livelock])) {
                    *count += u32::from(found);
                }
            }
            Err(difference) => panic!("network {seed}: {difference}\n{}", vfsm::text(seed)),
        }
    }
    assert!(compared >= 15 && reduced >= 20, "{compared} {reduced}");
    assert!(has.iter().all(|count| *count >= 2), "{has:?}");
}

/// The examples with the smallest parameters: contract, checked mode, and all kinds of information.
#[test]
fn the_examples_are_sound_and_without_errors() {
    let define = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    for (name, text, defines) in [
        ("handshake", include_str!("../../../testdata/vfsm/handshake.vfsm"), Vec::new()),
        ("voice_storage", include_str!("../../../testdata/vfsm/voice_storage.vfsm"), define("COMMANDS", "0")),
        ("mfc", include_str!("../../../testdata/vfsm/mfc.vfsm"), define("DIGITS", "1")),
        ("speech_handler", include_str!("../../../testdata/vfsm/speech_handler.vfsm"), define("FRAMES", "1")),
    ] {
        let parsed = parse(name, text, &defines);
        let network = parsed.network.unwrap_or_else(|| panic!("{name}: {:?}", parsed.diagnostics));
        let mut system = VfsmSystem::new(network);
        let facts = explore(&system, 60_000, 0).unwrap_or_else(|unfit| panic!("{name}: {unfit:?}"));
        assert!(facts.deadlocks.is_empty() && facts.violated.is_empty(), "{name}: {:?}", facts.violated);
        if let Err(difference) = keeps_contract(&system, 500) {
            panic!("{name}: {difference}");
        }
        for information in vfsm::INFORMATION {
            system = system.with_information(information);
            for properties in [
                Properties::default(),
                Properties { assertions: false, unreached: false, ..Properties::default() },
            ] {
                let reduction = Reduction { method: Method::Persistent, sleep: false };
                let config = Config { reduction, properties, max_errors: 0, ..Config::default() };
                compare(&system, &facts, &config).unwrap_or_else(|difference| panic!("{name}: {difference}"));
                let graph = check_reduction::explore(&system, 400, &Silent);
                if let Err(difference) = keeps_promises(&graph, &config) {
                    panic!("{name} {information:?}: {difference}");
                }
            }
        }
    }
}

/// A message to a process of higher priority disables a step of the same processor (1996, condition 2.b, which the first
/// version of the algorithm lacked).
#[test]
fn priorities_are_respected() {
    let text = "machine A(to) { inputs I; outputs O; events E; on E: +I; do O: send to.E; S initial { NS: I > T; } T end { E: O; D: I; } }
        machine HIGH(low) { inputs I; outputs O; events E; on E: +I; do O: send low.STOP;
            S initial end { NS: I > T; } T end { E: O; } }
        machine LOW { inputs I, J; events E, STOP; on E: +I; on STOP: +J;
            S initial end { NS: I & J > STOPPED; I > GONE; D: J; } GONE end { D: *; } STOPPED { } }
        system s { processor p { process high { h: HIGH(l); } process low { l: LOW; } }
            processor q { a: A(h); } initially a.E, l.E, l.STOP; }";
    for order in ["initially a.E, l.E, l.STOP;", "initially l.STOP, a.E, l.E;"] {
        let parsed = parse("priorities", &text.replace("initially a.E, l.E, l.STOP;", order), &[]);
        let mut system =
            VfsmSystem::new(parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)));
        let facts = explore(&system, 1_000, 0).unwrap_or_else(|unfit| panic!("{unfit:?}"));
        for information in vfsm::INFORMATION {
            system = system.with_information(information);
            for config in every_config(1).iter().filter(|config| config.keeps_all()) {
                compare(&system, &facts, config)
                    .unwrap_or_else(|difference| panic!("{information:?}: {difference}"));
            }
        }
    }
}

/// State charts: machines that invoke each other, with timers, data and an environment, one of which leaves its bounds.
#[test]
fn every_reduction_agrees_with_the_oracle_on_state_charts() {
    let lock = include_str!("../../../testdata/vfsm/lock.scxml");
    let keypad = include_str!("../../../testdata/vfsm/keypad.scxml");
    let crossing = include_str!("../../../testdata/vfsm/crossing.scxml");
    let counting = "<scxml name='m'><datamodel><data id='n' expr='0' max='3'/></datamodel><state id='a'>
        <invoke id='c'><content><scxml><state id='w'><onentry><send event='up' target='#_parent' delay='1s'/></onentry>
            <transition event='tick' target='w'/></state></scxml></content></invoke>
        <transition event='up' target='a'><assign location='n' expr='n + 1'/></transition></state></scxml>";
    for (name, text, goes_wrong) in
        [("lock", lock, false), ("crossing", crossing, false), ("counting", counting, true)]
    {
        let parsed = scxml::parse_with(name, text, &mut |_| Ok(keypad.to_owned()));
        let network = parsed.network.unwrap_or_else(|| panic!("{name}: {:?}", parsed.diagnostics));
        let mut system = VfsmSystem::new(network);
        if let Err(difference) = keeps_contract(&system, 500) {
            panic!("{name}: {difference}");
        }
        let facts = explore(&system, 20_000, 0).unwrap_or_else(|unfit| panic!("{name}: {unfit:?}"));
        assert_eq!(!facts.violated.is_empty(), goes_wrong, "{name}: {:?}", facts.violated);
        for information in vfsm::INFORMATION {
            system = system.with_information(information);
            for config in every_config(1).iter().filter(|config| config.keeps_all()).step_by(7) {
                compare(&system, &facts, config)
                    .unwrap_or_else(|difference| panic!("{name} {information:?}: {difference}"));
            }
            let graph = check_reduction::explore(&system, 400, &Silent);
            let reduction = Reduction { method: Method::Persistent, sleep: false };
            if let Err(difference) = keeps_promises(&graph, &Config { reduction, ..Config::default() }) {
                panic!("{name} {information:?}: {difference}");
            }
        }
    }
}

/// An overflow that shows only if a receive is put off is found, whatever the information.
#[test]
fn overflows_are_kept() {
    let text = "machine TALKER(to) { inputs I; outputs O; events E; on E: +I; do O: send to.E; S initial { NS: I > T; } T end { E: O; D: I; } }
        machine LISTENER { inputs I; events E; on E: +I; S initial end { D: I; } }
        system s { processor p queue 2 { l: LISTENER; } processor q { a: TALKER(l); } processor r { b: TALKER(l); }
            initially l.E, a.E, b.E; }";
    for information in vfsm::INFORMATION {
        let parsed = parse("overflow", text, &[]);
        let network = parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let system = VfsmSystem::new(network).with_information(information);
        for method in [Method::None, Method::Persistent, Method::Deletion, Method::Conditional] {
            let config = Config { reduction: Reduction { method, sleep: true }, ..Config::default() };
            assert_eq!(
                check(&system, &config, &Silent).verdict,
                Verdict::Violated,
                "{information:?} {method:?}"
            );
        }
    }
    assert_eq!(Information::default(), Information::Auto);
}

/// Where little can be left out, `auto` does not look for it in every state: no more states than without reduction, the
/// same ones in every run, and the same after an interruption. A kind of information that is asked for by name never pauses.
#[test]
fn choosing_pauses_where_it_does_not_pay_and_goes_on_the_same_way() {
    let text = include_str!("../../../testdata/vfsm/cd_remove_restore.vfsm");
    let system = |information| {
        let parsed = parse("cd_remove_restore", text, &[]);
        VfsmSystem::new(parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)))
            .with_information(information)
    };
    let config = |method| Config { reduction: Reduction { method, sleep: false }, ..Config::default() };
    let states =
        |information, method| check(&system(information), &config(method), &Silent).statistics.states;
    let full = states(Information::Auto, Method::None);
    let (always, auto) =
        (states(Information::RunTime, Method::Persistent), states(Information::Auto, Method::Persistent));
    assert!(always < auto && auto < full, "{always} {auto} {full}");
    let file = std::env::temp_dir().join(format!("mazurka-pause-{}.checkpoint", std::process::id()));
    let checkpoints = Some(Checkpoints { file: file.clone(), every: std::time::Duration::from_secs(3600) });
    let sleeping = Reduction { method: Method::Auto, sleep: true };
    for reduction in [config(Method::Persistent).reduction, sleeping] {
        let config = Config { reduction, ..Config::default() };
        let whole = check(&system(Information::Auto), &config, &Silent);
        let mut config = Config { checkpoints: checkpoints.clone(), ..config };
        let mut outcome = None;
        for most in (30_000..).step_by(70_000) {
            config.limits = Limits { states: Some(most), ..Limits::default() };
            outcome = Some(match outcome {
                None => check(&system(Information::Auto), &config, &Silent),
                Some(_) => resume(&system(Information::Auto), &config, &Silent, &file).unwrap(),
            });
            if outcome.as_ref().is_some_and(|outcome| outcome.stopped.is_none()) {
                break;
            }
        }
        let outcome = outcome.unwrap();
        let counts = |of: &mazurka_engine::Outcome| (of.statistics.states, of.statistics.matched, of.verdict);
        assert_eq!(counts(&outcome), counts(&whole), "{reduction:?}");
    }
    // Other information would leave out other steps than those that the saved search left out.
    let refused = resume(
        &system(Information::PerState),
        &Config { checkpoints, ..config(Method::Auto) },
        &Silent,
        &file,
    );
    assert!(matches!(refused, Err(Refusal::Model)), "{refused:?}");
    std::fs::remove_file(&file).unwrap();
}
