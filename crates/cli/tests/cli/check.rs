//! `mazurka check` from outside: verdicts, exit codes, JSON, trails, interruption.

use crate::support::{FINE, FORKS, LOST_UPDATE, Place, large};
use serde_json::{Value, json};
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_model_without_errors_holds() {
    let place = Place::new().with("fine.mzk", FINE);
    let said = place.run(&["check", "fine.mzk"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.starts_with("fine.mzk: holds (no deadlock, no false assertion, no fault)\n"),
        "{said:?}"
    );
    assert!(said.out.contains("  2 states, 2 transitions (0 matched), depth 1\n"), "{said:?}");
    assert!(said.out.contains("never executed:\n    fine.mzk:7:"), "{said:?}");
    assert_eq!(said.err, "");
    assert!(!place.has("fine.mzk.trail"));
}

#[test]
fn a_deadlock_is_shown_and_saved() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["check", "forks.mzk"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("error: deadlock: no process can move\n --> forks.mzk:6:"), "{said:?}");
    assert!(said.out.contains("The run that leads there, 2 steps:\n  1  P(0)"), "{said:?}");
    assert!(said.out.contains("fork = [1, 1]\n"), "{said:?}");
    assert!(said.out.contains("mazurka replay forks.mzk.trail\n"), "{said:?}");
    assert!(said.out.contains("forks.mzk: violated (1 error; "), "{said:?}");
    assert!(place.read("forks.mzk.trail").contains("\"kind\": \"deadlock\""));
}

#[test]
fn every_reduction_search_and_order_finds_the_errors() {
    let place = Place::new().with("forks.mzk", FORKS).with("lost.mzk", LOST_UPDATE);
    for reduction in ["auto", "none", "local", "overman", "overman-located", "none+sleep", "local+sleep"] {
        for search in ["dfs", "bfs"] {
            for order in ["forward", "reverse", "random:7"] {
                for dependency in ["refined", "conditional", "constant", "object"] {
                    for model in ["forks.mzk", "lost.mzk"] {
                        let said = place.run(&[
                            "check",
                            model,
                            "--quiet",
                            "--reduce",
                            reduction,
                            "--search",
                            search,
                            "--order",
                            order,
                            "--dependency",
                            dependency,
                        ]);
                        assert_eq!(
                            said.code,
                            Some(1),
                            "{model} {reduction} {search} {order} {dependency}: {said:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let place = Place::new().with("lost.mzk", LOST_UPDATE);
    let said = place.run(&["check", "lost.mzk", "--json", "--reduce", "none", "--trail", "t.trail"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let json: Value = serde_json::from_str(&said.out).expect("JSON");
    let mut fields: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let mut expected = [
        "version",
        "model",
        "verdict",
        "guarantee",
        "guarantee_reason",
        "expected_coverage",
        "omission_probability",
        "options",
        "states",
        "matched",
        "transitions",
        "atomic_steps",
        "replaced",
        "distinct_states",
        "depth",
        "errors",
        "violations",
        "unreached",
        "state_bytes",
        "store_bytes",
        "sleep_bytes",
        "bytes_per_state",
        "disk_bytes",
        "peak_memory_bytes",
        "seconds",
        "states_per_second",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["options"]["reduce"], "none");
    assert_eq!(json["errors"], 1);
    let violation = &json["violations"][0];
    assert_eq!(violation["kind"], "assertion");
    assert_eq!(violation["trail"], "t.trail");
    assert!(violation["location"].as_str().unwrap().starts_with("lost.mzk:14:"), "{violation}");
    let states = json["states"].as_u64().unwrap();
    assert_eq!(json["transitions"].as_u64().unwrap(), states + json["matched"].as_u64().unwrap());
    for phase in ["parse", "compile", "search"] {
        assert!(json["seconds"][phase].as_f64().unwrap() >= 0.0);
    }
    assert!(place.has("t.trail") && !place.has("lost.mzk.trail"));
}

/// The options that the JSON of a run says were in force.
fn in_force(place: &Place, arguments: &[&str]) -> Value {
    let said = place.run(&[&["check", "--json"], arguments].concat());
    let mut json: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"));
    json["options"].take()
}

#[track_caller]
fn assert_options(place: &Place, arguments: &[&str], expected: Value) {
    let options = in_force(place, arguments);
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(options[name], *value, "{arguments:?}: {name} of {options:#}");
    }
}

#[test]
fn the_json_says_which_options_were_in_force() {
    let place = Place::new().with("fine.mzk", FINE).with("large.mzk", large()).with(
        "goes.pml",
        "#ifndef N\n#define N 3\n#endif\nbyte n;\nactive proctype P() { do :: n = (n + 1) % N od }\n",
    );
    assert_options(
        &place,
        &["fine.mzk"],
        json!({
            "codec": "plain", "codec_asked": "auto", "optimise": "none", "fair": "none", "emptiness": null,
            "representatives": null, "shortest": false, "swarm": null, "hashes": null, "hash_seed": null,
            "invariant": null, "info": null, "define": [],
        }),
    );
    assert_options(&place, &["fine.mzk", "--optimise", "fold,dead"], json!({ "optimise": "dead,fold" }));
    // Receptions are judged in every state.
    let received = ["goes.pml", "--optimise", "all", "--property", "reception", "-D", "N=4"];
    assert_options(&place, &received, json!({ "optimise": "dead,fold", "define": ["N=4"] }));
    // No state is kept.
    for store in ["bitstate", "compact"] {
        let none = json!({ "store": store, "codec": "none", "codec_asked": "auto" });
        assert_options(&place, &["fine.mzk", "--store", store], none);
    }
    let swarm = ["fine.mzk", "--swarm", "3", "--threads", "2", "--hash-seed", "7"];
    let several = json!({ "store": "bitstate", "swarm": 3, "threads": 2, "hashes": 6, "hash_seed": 7 });
    assert_options(&place, &swarm, several);
    assert_options(
        &place,
        &["fine.mzk", "--search", "random", "--states", "9"],
        json!({ "codec": "none", "depth": 10000 }),
    );
    assert_options(&place, &["fine.mzk", "--store", "disk"], json!({ "store": "disk", "codec": "plain" }));
    let tree = ["large.mzk", "--reduce", "none", "--memory", "3M", "--states", "200000"];
    assert_options(&place, &tree, json!({ "codec": "tree", "codec_asked": "auto" }));
}

#[test]
fn the_json_says_how_runs_were_looked_for() {
    let place = Place::new().with("goes.pml", "byte n;\nactive proctype P() { do :: n = (n + 1) % 3 od }\n");
    let check = |options: &[&str], expected: Value| {
        assert_options(&place, &[&["goes.pml", "--ltl", "[]<> (n == 2)"], options].concat(), expected);
    };
    check(&[], json!({ "emptiness": "scc", "representatives": "stutter", "fair": "none", "search": "dfs" }));
    check(
        &["--emptiness", "ndfs", "--reduce", "none"],
        json!({ "emptiness": "ndfs", "representatives": null }),
    );
    check(&["--shortest", "--search", "bfs"], json!({ "shortest": true, "search": "dfs" }));
    check(&["--store", "bitstate"], json!({ "store": "exact", "codec": "plain", "hashes": null }));
    check(&["--store", "disk", "--codec", "rle"], json!({ "store": "disk", "codec": "rle" }));
    check(&["--on-full", "cache"], json!({ "on_full": "stop" }));
    check(&["--threads", "2"], json!({ "threads": 2, "emptiness": "ndfs" }));
    // Nested search is not possible there, nor are several threads.
    let fair = json!({ "fair": "weak", "representatives": "trace", "emptiness": "scc", "threads": 1 });
    check(&["--fair", "weak", "--emptiness", "ndfs", "--threads", "2"], fair);
    // Whether nobody can move is a matter of all.
    for options in [&[][..], &["--threads", "2"], &["--fair", "weak"]] {
        let blind = [&["goes.pml", "--ltl", "[] (timeout -> n == 1)"], options].concat();
        assert_options(&place, &blind, json!({ "reduce": "none", "representatives": null }));
    }
    let said =
        place.run(&["check", "goes.pml", "--ltl", "[]<> (n == 2)", "--fair", "weak", "--threads", "2"]);
    assert!(!said.out.contains("2 threads"), "{said:?}");
}

#[test]
fn properties_are_checked_as_asked() {
    let place = Place::new().with("forks.mzk", FORKS).with("lost.mzk", LOST_UPDATE);
    let said = place.run(&["check", "forks.mzk", "--property", "assert"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("holds (no false assertion, no fault)"), "{said:?}");
    assert_eq!(place.run(&["check", "lost.mzk", "--property", "deadlock"]).code, Some(0));
    let both = ["check", "lost.mzk", "--property", "deadlock", "--property", "assert"];
    assert_eq!(place.run(&both).code, Some(1));
}

#[test]
fn a_limit_that_is_reached_leaves_the_verdict_open() {
    let place = Place::new().with("large.mzk", large());
    for limit in [["--states", "10"], ["--depth", "3"], ["--time", "0.05"], ["--memory", "64k"]] {
        let said = place.run(&["check", "large.mzk", "--reduce", "none", limit[0], limit[1]]);
        assert_eq!(said.code, Some(3), "{limit:?}: {said:?}");
        assert!(said.out.starts_with("large.mzk: unknown ("), "{limit:?}: {said:?}");
        assert!(!said.out.contains("holds"), "{limit:?}: {said:?}");
    }
    let said = place.run(&["check", "large.mzk", "--reduce", "none", "--states", "10", "--json"]);
    let json: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((json["verdict"].as_str(), json["guarantee"].as_str()), (Some("unknown"), Some("bounded")));
    assert_ne!(json["guarantee_reason"], "");
}

/// A model with states of five thousand bytes, of which few change at a time.
fn long_states() -> &'static str {
    "byte a[5000];\n\
     active [3] proctype P() {\n\
       short i;\n\
       do\n\
       :: i < 4000 -> a[i + _pid] = (a[i + _pid] + 1 + _pid) % 200; i = i + 131\n\
       :: i >= 4000 -> break\n\
       od\n\
     }\n"
}

#[test]
fn the_memory_limit_holds_for_the_process_too() {
    let place = Place::new().with("long.pml", long_states()).with("large.mzk", large());
    let peak = |model: &str, options: &[&str]| {
        let arguments = [&["check", model, "--reduce", "none", "--json"], options].concat();
        let json: Value = serde_json::from_str(&place.run(&arguments).out).expect("JSON");
        json["peak_memory_bytes"].as_u64().unwrap()
    };
    for model in ["long.pml", "large.mzk"] {
        let before = peak(model, &["--states", "1"]);
        let some: [&[&str]; 6] = [
            &["--codec", "plain"],
            &["--codec", "tree"],
            &["--codec", "auto"],
            &["--codec", "collapse"],
            &["--on-full", "bitstate"],
            &["--store", "cache"],
        ];
        for options in some {
            let limit = 24 << 20;
            let limited = [options, &["--memory", "24M", "--states", "300000"]].concat();
            let used = peak(model, &limited).saturating_sub(before);
            assert!(used <= limit / 100 * 105, "{model}, {options:?}: {used} bytes of {limit}");
        }
    }
}

#[test]
fn what_a_reduction_remembers_is_within_the_memory_limit() {
    let text = include_str!("../../../../testdata/algorithms/szymanski.pml");
    let place = Place::new().with("szymanski.pml", text);
    let search = |options: &[&str]| -> Value {
        let arguments = [&["check", "szymanski.pml", "-D", "N=4", "--json"], options].concat();
        serde_json::from_str(&place.run(&arguments).out).expect("JSON")
    };
    let peak = |json: &Value| json["peak_memory_bytes"].as_u64().unwrap();
    let before = peak(&search(&["--states", "1"]));
    let (whole, limited) = (search(&[]), search(&["--memory", "8M"]));
    assert_eq!((&limited["verdict"], &limited["states"]), (&whole["verdict"], &whole["states"]));
    let (limit, used) = (8 << 20, peak(&limited).saturating_sub(before));
    assert!(used <= limit / 100 * 105, "{used} bytes of {limit}");
}

#[test]
fn all_errors_are_found_when_asked_for() {
    let place = Place::new().with("lost.mzk", LOST_UPDATE);
    let arguments = ["check", "lost.mzk", "--reduce", "none", "--max-errors", "0", "--json"];
    let json: Value = serde_json::from_str(&place.run(&arguments).out).expect("JSON");
    let violations = json["violations"].as_array().unwrap();
    assert!(!violations.is_empty());
    for violation in violations {
        let trail = violation["trail"].as_str().unwrap();
        assert_eq!(place.run(&["replay", trail]).code, Some(0), "{trail}");
    }
}

#[test]
fn quiet_is_the_errors_and_the_verdict() {
    let place = Place::new().with("forks.mzk", FORKS).with("fine.mzk", FINE);
    assert_eq!(place.run(&["check", "fine.mzk", "-q"]).out.lines().count(), 1);
    assert_eq!(place.run(&["check", "forks.mzk", "-q"]).out.lines().count(), 2);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new().with("forks.mzk", FORKS);
    let mut child =
        place.command(&["check", "forks.mzk"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{err}");
    assert_eq!(err, "");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_what_it_explored() {
    let place = Place::new().with("large.mzk", large());
    let child = place
        .command(&["check", "large.mzk", "--reduce", "none", "--time", "60", "--memory", "2G"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let said = crate::support::Said::from(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.starts_with("large.mzk: unknown (interrupted"), "{said:?}");
    assert!(said.out.contains(" states, "), "{said:?}");
}

#[test]
fn progress_is_only_written_to_a_file_when_asked_for() {
    let place = Place::new().with("large.mzk", large());
    let run = |more: &[&str]| {
        let mut arguments = vec!["check", "large.mzk", "--reduce", "none", "--time", "1"];
        arguments.extend_from_slice(more);
        place.run(&arguments)
    };
    assert_eq!(run(&[]).err, "");
    assert!(run(&["--progress"]).err.contains(" states, "));
}

/// A corridor: whoever takes one of its states for another meets nothing behind it. So each search of the swarm ends early, sure of nearly all that it met.
#[test]
fn a_swarm_whose_searches_end_early_is_not_sure() {
    let corridor =
        "int i; active proctype P() { do :: i < 500000 -> i++ :: i == 500000 -> assert(false); break od }\n";
    let place = Place::new().with("corridor.pml", corridor);
    let few = ["--swarm", "3", "--memory", "6M", "--hashes", "1", "--reduce", "none", "--quiet", "--json"];
    let said = place.run(&[&["check", "corridor.pml"][..], &few].concat());
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    assert_eq!((said.code, report["verdict"].as_str()), (Some(3), Some("unknown")), "{said:?}");
    assert!(!report["guarantee_reason"].as_str().unwrap().contains("no state is lost"), "{said:?}");
    assert!(report["states"].as_u64().unwrap() < 500_000, "one of them came to the end: {said:?}");
    // Of many that are cut short, the few that end early are those that lost something.
    let cut = ["--swarm", "50", "--states", "40000", "--memory", "6M", "--hashes", "1", "--hash-seed", "3"];
    let said = place.run(&[&["check", "corridor.pml", "--reduce", "none", "--json"][..], &cut].concat());
    assert!(!said.out.contains("no state is lost"), "{said:?}");
}

#[test]
fn a_swarm_keeps_to_its_limits_together() {
    let place = Place::new().with("large.mzk", large());
    let begun = std::time::Instant::now();
    let said =
        place.run(&["check", "large.mzk", "--reduce", "none", "--swarm", "40", "--time", "1", "--json"]);
    assert!(begun.elapsed() < Duration::from_secs(10), "{said:?}");
    assert_eq!(said.code, Some(3), "{said:?}");
    let said =
        place.run(&["check", "large.mzk", "--reduce", "none", "--swarm", "4", "--states", "4000", "--json"]);
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    assert!(report["states"].as_u64().unwrap() <= 4000, "{said:?}");
}

#[test]
fn a_swarm_shows_a_deadlock_once() {
    let place = Place::new().with("forks.mzk", FORKS);
    let errors = |more: &[&str]| {
        let arguments = [&["check", "forks.mzk", "--max-errors", "0", "--json", "--quiet"], more].concat();
        let json: serde_json::Value = serde_json::from_str(&place.run(&arguments).out).expect("JSON");
        (json["errors"].clone(), json["violations"].as_array().unwrap().len())
    };
    // Each search of the swarm comes to it by another way.
    let alone = errors(&["--reduce", "none"]);
    assert_eq!(alone, (1.into(), 1));
    assert_eq!(errors(&["--swarm", "6"]), alone);
}

#[test]
fn the_reduction_is_checked_on_demand() {
    let place = Place::new().with("forks.mzk", FORKS).with("fine.mzk", FINE);
    let said = place.run(&["check", "forks.mzk", "--check-reduction", "--reduce", "conditional+sleep"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.starts_with("checked: the reduction is sound in "), "{said:?}");
    assert!(said.err.contains("(all of the model)"), "{said:?}");
    let said = place.run(&["check", "fine.mzk", "--check-reduction=1"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("a limit was reached"), "{said:?}");
    assert!(said.out.starts_with("fine.mzk: unknown (the reduction was checked in a part"), "{said:?}");
}

#[test]
fn a_mark_of_the_encoding_is_no_part_of_a_model() {
    let place = Place::new().with("fine.mzk", format!("\u{feff}{FINE}"));
    let said = place.run(&["check", "fine.mzk"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn several_threads_find_the_errors_and_their_runs_replay() {
    let place = Place::new().with("forks.mzk", FORKS).with("lost.mzk", LOST_UPDATE).with("fine.mzk", FINE);
    for search in ["dfs", "bfs"] {
        for (model, code) in [("forks.mzk", 1), ("lost.mzk", 1), ("fine.mzk", 0)] {
            let said = place.run(&["check", model, "--threads", "2", "--search", search]);
            assert_eq!(said.code, Some(code), "{said:?}");
            assert!(said.out.contains(&format!("search {search}, order forward, 2 threads\n")), "{said:?}");
        }
        for trail in ["forks.mzk.trail", "lost.mzk.trail"] {
            assert_eq!(place.run(&["replay", trail]).code, Some(0));
        }
    }
    let said = place.run(&["check", "fine.mzk", "--threads", "3", "--json"]);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&json["options"]["threads"], &json["states"]), (&3.into(), &2.into()));
}

#[test]
fn what_several_threads_can_not_do_is_refused_with_what_to_do() {
    let place = Place::new().with("fine.mzk", FINE);
    for (options, message) in [
        (&["--store", "bitstate"][..], "use a swarm"),
        (&["--store", "disk"], "use one thread"),
        (&["--on-full", "cache"], "use one thread"),
        (&["--codec", "tree"], "use the codec plain"),
        (&["--checkpoint", "saved"], "leave the checkpoint out"),
        (&["--depth", "9"], "breadth first"),
    ] {
        let arguments = [&["check", "fine.mzk", "--threads", "2"], options].concat();
        let said = place.run(&arguments);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(message), "{said:?}");
    }
    for options in [&["--swarm", "3"][..], &["--depth", "9", "--search", "bfs"]] {
        let arguments = [&["check", "fine.mzk", "--threads", "2"], options].concat();
        assert!(matches!(place.run(&arguments).code, Some(0 | 3)));
    }
}

#[test]
fn places_that_can_not_be_written_to_are_refused_before_the_search() {
    let place = Place::new().with("fine.mzk", FINE);
    for (arguments, message) in [
        (&["--store", "disk", "--disk", "nowhere"][..], "--disk nowhere: "),
        (&["--store", "disk", "--disk", "fine.mzk"], "--disk fine.mzk: "),
        (&["--checkpoint", "nowhere/c"], "there is no directory nowhere"),
        (&["--checkpoint", "fine.mzk"], "is no checkpoint; it is not overwritten"),
        (&["--checkpoint", "."], "this is a directory"),
    ] {
        let said = place.run(&[&["check", "fine.mzk"], arguments].concat());
        assert!(said.code == Some(2) && said.err.contains(message), "{arguments:?}: {said:?}");
    }
}

#[test]
fn a_checkpoint_is_of_a_model_that_is_read_in_one_way() {
    // `y` is dead where `x` counts.
    let model =
        "byte x; active proctype P() { byte y; do :: x < 200 -> y = x; x = y + 1 :: else -> break od }
                 active proctype Q() { byte z; do :: z < 20 -> z++ :: else -> break od }";
    let place = Place::new().with("m.pml", model);
    for (first, second) in [("none", "dead"), ("dead", "none"), ("none", "merge"), ("all", "dead,fold")] {
        let check = ["check", "m.pml", "--reduce", "none"];
        let saved =
            [&check[..], &["--states", "1000", "--checkpoint", "saved", "--optimise", first]].concat();
        assert_eq!(place.run(&saved).code, Some(3), "{first}");
        let said = place.run(&[&check[..], &["--resume", "saved", "--optimise", second]].concat());
        assert!(said.code == Some(2) && said.err.contains("--optimise"), "{second}: {said:?}");
        let said = place.run(&[&check[..], &["--resume", "saved", "--optimise", first]].concat());
        assert_eq!(said.code, Some(0), "{first}: {said:?}");
        std::fs::remove_file(place.path("saved")).unwrap();
    }
}

#[test]
fn optimised_models_have_fewer_states_and_the_same_errors() {
    let model = "byte n = 2, x; active [2] proctype P() { byte y; y = x; y = y + 1; y = y * n - y; x = y; assert(x < 5) }
                 active proctype Q() { byte z; z = 3; z = z + n; x = x + z }";
    let place = Place::new().with("m.pml", model);
    let states = |optimise: &str| {
        let check = ["check", "m.pml", "--reduce", "none", "--max-errors", "0", "--json", "--optimise"];
        let said = place.run(&[&check[..], &[optimise]].concat());
        assert_eq!(said.code, Some(1), "{optimise}: {said:?}");
        assert_eq!(place.run(&["replay", "m.pml.trail"]).code, Some(0), "{optimise}");
        let json: Value = serde_json::from_str(&said.out).unwrap();
        (json["states"].as_u64().unwrap(), json["errors"].as_u64().unwrap())
    };
    let [none, fold, merge, all] = ["none", "fold", "merge", "all"].map(states);
    assert_eq!(none, fold);
    assert!(merge.0 < none.0 && all.0 <= merge.0, "{none:?} {merge:?} {all:?}");
    assert!(none.1 > 0 && merge.1 > 0 && all.1 > 0, "{none:?} {merge:?} {all:?}");
    let said = place.run(&["check", "m.pml", "--optimise", "dead,what"]);
    assert!(said.code == Some(2) && said.err.contains("dead"), "{said:?}");
}

/// A net whose places get 300 tokens, one by one.
const FILLING: &str =
    "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">
<place id=\"a\"><initialMarking><text>200</text></initialMarking></place>
<place id=\"b\"><initialMarking><text>150</text></initialMarking></place>
<place id=\"c\"/>
<transition id=\"t\"/><transition id=\"u\"/>
<arc id=\"1\" source=\"a\" target=\"t\"/><arc id=\"2\" source=\"t\" target=\"c\"/>
<arc id=\"3\" source=\"b\" target=\"u\"/><arc id=\"4\" source=\"u\" target=\"c\"/>
</page></net></pnml>";

#[test]
fn a_checkpoint_of_a_net_is_of_one_invariant_and_of_any_width() {
    let place = Place::new().with("n.pnml", FILLING);
    let check = ["check", "n.pnml", "--reduce", "none", "--property", "assert", "--invariant"];
    let whole = place.run(&[&check[..], &["c <= 350", "--json"]].concat());
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let saved = ["c <= 350", "--states", "25000", "--checkpoint", "saved"];
    assert_eq!(place.run(&[&check[..], &saved].concat()).code, Some(3));
    // The states that were explored before break this one.
    let said = place.run(&[&check[..], &["c <= 3", "--resume", "saved"]].concat());
    assert!(said.code == Some(2) && said.err.contains("--invariant"), "{said:?}");
    let said =
        place.run(&[&check[..], &["c <= 350", "--resume", "saved", "--every", "30s", "--json"]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let states = |text: &str| serde_json::from_str::<Value>(text).unwrap()["states"].clone();
    assert_eq!(states(&said.out), states(&whole.out));
}

#[test]
fn random_runs_find_errors_and_never_that_there_are_none() {
    let place = Place::new().with("forks.mzk", FORKS).with("fine.mzk", FINE).with("lost.mzk", LOST_UPDATE);
    for model in ["forks.mzk", "lost.mzk"] {
        let said = place.run(&["check", model, "--search", "random"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert_eq!(place.run(&["replay", &format!("{model}.trail")]).code, Some(0));
        let again = place.run(&["check", model, "--search", "random", "--quiet"]);
        assert_eq!(again.code, Some(1), "{again:?}");
    }
    let said = place.run(&["check", "fine.mzk", "--search", "random", "--states", "5000"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains("unknown") && said.out.contains("random runs"), "{said:?}");
    let said = place.run(&["check", "fine.mzk", "--search", "random", "--store", "bitstate"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("random runs keep no states"), "{said:?}");
}

#[test]
fn the_long_help_says_what_each_property_needs() {
    let said = Place::new().run(&["check", "--help"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let row = |name: &str| said.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or("");
    assert_eq!(row("deadlock  ").matches("nothing").count(), 4, "{}", said.out);
    for proviso in ["component", "stack", "closed set", "way out"] {
        assert!(row("assert (faults").contains(proviso), "{proviso}: {}", said.out);
        assert!(!row(&format!("{proviso}  ")).is_empty(), "{proviso} is not explained: {}", said.out);
    }
    assert!(said.out.contains(" or in turn to such a one\n"), "a line is too long: {}", said.out);
    let short = Place::new().run(&["check", "-h"]);
    assert!(!short.out.contains("closed set") && short.out.contains("Example:\n"), "{}", short.out);
}
