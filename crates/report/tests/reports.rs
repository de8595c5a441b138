//! What people and scripts read, word for word.

mod support;

use mazurka_engine::{Codec, Config, Guarantee, Outcome, Statistics, Stop, Verdict};
use mazurka_model::source::Span;
use mazurka_model::trace::TraceStep;
use mazurka_model::{Finding, FindingKind, Place, Step, Trace, ViolationKind};
use mazurka_replay::{Run, confirm};
use mazurka_report::run::Detail;
use mazurka_report::{Checked, Colour, Reading, Shown};
use std::time::Duration;
use support::Clerks;

fn run(kind: FindingKind, steps: &[(u16, u32)]) -> Run {
    let steps = steps
        .iter()
        .map(|(process, code)| TraceStep { step: Step::new(*process, *code), outcome: 0 })
        .collect();
    confirm(&Clerks::new(), &Finding { kind, trace: Trace { initial: 0, steps, repeats: None } }).unwrap()
}

fn deadlock() -> Run {
    run(FindingKind::Deadlock, &[(0, 0), (1, 0)])
}

fn assertion() -> Run {
    let kind = FindingKind::Step { kind: ViolationKind::Assertion, place: 2 };
    run(kind, &[(0, 0), (0, 1), (0, 2)])
}

fn outcome(verdict: Verdict) -> Outcome {
    Outcome {
        verdict,
        guarantee: Guarantee::Exact,
        guarantee_reason: String::new(),
        stopped: None,
        findings: Vec::new(),
        unreached: Vec::new(),
        statistics: Statistics {
            states: 1_200,
            matched: 34,
            depth: 7,
            state_bytes: 4,
            store_bytes: 24_000,
            sleep_bytes: 4_800,
            search_time: Duration::from_millis(500),
            ..Statistics::default()
        },
        config: Config {
            reduction: "local+sleep".parse().unwrap(),
            codec: Codec::Plain,
            ..Config::default()
        },
        runs: None,
        notes: Vec::new(),
    }
}

fn checked<'a>(outcome: &'a Outcome, describe: &'a Clerks, runs: Vec<Run>) -> Checked<'a> {
    let trail = |index| Some(format!("clerks {index}.trail"));
    Checked {
        reading: Reading {
            optimise: "none".to_owned(),
            codec_asked: "auto".to_owned(),
            ..Reading::default()
        },
        model: "clerks.mzk",
        outcome,
        describe,
        violations: runs
            .into_iter()
            .enumerate()
            .map(|(index, run)| Shown { run, trail: trail(index) })
            .collect(),
        temporal: Vec::new(),
        parse: Duration::from_millis(250),
        compile: Duration::ZERO,
        peak_memory: 1 << 20,
    }
}

fn text(checked: &Checked<'_>) -> String {
    let mut out = Vec::new();
    checked.write(&mut out, Colour::Never).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn assert_text(actual: &str, expected: &str) {
    assert!(actual == expected, "--- expected\n{expected}\n--- actual\n{actual}");
}

#[test]
fn a_replayed_run_shows_only_what_changed() {
    let clerks = Clerks::new();
    let mut out = Vec::new();
    let detail = Detail { changes: true, at_most: None };
    mazurka_report::run::write(&mut out, &deadlock(), &clerks, detail, Colour::Never).unwrap();
    let expected = "  0  start
     clerk(0) = line 2
     clerk(1) = line 2
     stamp[0] = 0
     stamp[1] = 0
  1  clerk(0)  take own  clerks.mzk:2
                 clerk(0): line 2 → line 3
                 stamp[0]: 0 → 1
  2  clerk(1)  take own  clerks.mzk:2
                 clerk(1): line 2 → line 3
                 stamp[1]: 0 → 2
";
    assert_text(&String::from_utf8(out).unwrap(), expected);
    assert_eq!(
        mazurka_report::run::ending(&deadlock(), &clerks),
        "deadlock: no process can move (after 2 steps)"
    );
    assert_eq!(
        mazurka_report::run::ending(&assertion(), &clerks),
        "clerk(0): assertion `letters == 0` is false (after 3 steps)"
    );
}

#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let clerks = Clerks::new();
    let mut out = Vec::new();
    let detail = Detail { changes: false, at_most: Some(2) };
    mazurka_report::run::write(&mut out, &assertion(), &clerks, detail, Colour::Never).unwrap();
    let expected = "  1  clerk(0)  take own             clerks.mzk:2
  …  1 step left out
  3  clerk(0)  assert letters == 0  clerks.mzk:4
";
    assert_text(&String::from_utf8(out).unwrap(), expected);
}

#[test]
fn many_values_are_cut_short() {
    let mut out = Vec::new();
    mazurka_report::run::write_end(&mut out, &deadlock(), &Clerks::new(), 1).unwrap();
    assert_text(&String::from_utf8(out).unwrap(), "    clerk(0) = line 3\n    … and 3 more\n");
}

#[test]
fn a_violation_shows_what_where_and_how() {
    let clerks = Clerks::new();
    let mut outcome = outcome(Verdict::Violated);
    outcome.statistics.errors = 2;
    outcome.stopped = Some(Stop::Errors);
    let expected = "\
error: assertion `letters == 0` is false
 --> clerks.mzk:4:12
  |
4 |     assert letters == 0
  |            ^^^^^^^^^^^^ executed by clerk(0)

The run that leads there, 3 steps:
  1  clerk(0)  take own             clerks.mzk:2
  2  clerk(0)  take other           clerks.mzk:3
  3  clerk(0)  assert letters == 0  clerks.mzk:4
It ends with:
    clerk(0) = line 5
    clerk(1) = line 2
    stamp[0] = 1
    stamp[1] = 1
Saved as clerks 0.trail; to see what each step changes: mazurka replay 'clerks 0.trail'

error: deadlock: no process can move
 --> clerks.mzk:2:5
  |
2 |     take own
  |     ^^^^^^^^ the last step before the deadlock

The run that leads there, 2 steps:
  1  clerk(0)  take own  clerks.mzk:2
  2  clerk(1)  take own  clerks.mzk:2
It ends with:
    clerk(0) = line 3
    clerk(1) = line 3
    stamp[0] = 1
    stamp[1] = 2
Saved as clerks 1.trail; to see what each step changes: mazurka replay 'clerks 1.trail'

clerks.mzk: violated (2 errors; there may be more)
  1,200 states, 1,234 transitions (34 matched), depth 7
  reduction local+sleep, dependency refined, search dfs, order forward
  states of 4 B, 23.4 kB to store them (4.7 kB of it for sleep sets); 0.50 s, 2,400 states a second
";
    assert_text(&text(&checked(&outcome, &clerks, vec![assertion(), deadlock()])), expected);
}

#[test]
fn a_verdict_says_what_it_covers() {
    let clerks = Clerks::new();
    let mut outcome = outcome(Verdict::Holds);
    outcome.unreached = vec![Place {
        number: 2,
        text: "take other".to_owned(),
        span: Some(Span { file: 0, start: 37, end: 47 }),
    }];
    outcome.notes = vec!["sleep sets were of no use".to_owned()];
    let expected = "\
clerks.mzk: holds (no deadlock, no false assertion, no fault)
  1,200 states, 1,234 transitions (34 matched), depth 7
  reduction local+sleep, dependency refined, search dfs, order forward
  states of 4 B, 23.4 kB to store them (4.7 kB of it for sleep sets); 0.50 s, 2,400 states a second
  never executed:
    clerks.mzk:3:5: take other
  note: sleep sets were of no use
";
    assert_text(&text(&checked(&outcome, &clerks, Vec::new())), expected);
    outcome.config.properties.assertions = false;
    assert!(text(&checked(&outcome, &clerks, Vec::new())).starts_with("clerks.mzk: holds (no deadlock)\n"));
}

#[test]
fn an_unknown_verdict_never_sounds_like_a_verified_one() {
    let clerks = Clerks::new();
    let mut outcome = outcome(Verdict::Unknown);
    outcome.guarantee = Guarantee::Bounded;
    outcome.guarantee_reason = Stop::Memory.reason().to_owned();
    let text = text(&checked(&outcome, &clerks, Vec::new()));
    let first = text.lines().next().unwrap();
    let expected =
        "clerks.mzk: unknown (the memory limit was reached; nothing is wrong in what was explored)";
    assert_eq!(first, expected);
    assert!(!text.contains("holds"));
}

#[test]
fn quiet_is_a_line_for_each_error_and_the_verdict() {
    let clerks = Clerks::new();
    let mut outcome = outcome(Verdict::Violated);
    outcome.statistics.errors = 1;
    let mut out = Vec::new();
    checked(&outcome, &clerks, vec![assertion()]).write_quietly(&mut out, Colour::Never).unwrap();
    let expected = "\
clerks.mzk:4:12: assertion `letters == 0` is false
clerks.mzk: violated (1 error)
";
    assert_text(&String::from_utf8(out).unwrap(), expected);
}

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let clerks = Clerks::new();
    let mut outcome = outcome(Verdict::Violated);
    outcome.statistics.errors = 1;
    outcome.config.limits.time = Some(Duration::from_millis(1500));
    let span = Some(Span { file: 0, start: 37, end: 47 });
    outcome.unreached = vec![
        Place { number: 2, text: "take other".to_owned(), span },
        Place { number: 3, text: "nowhere".to_owned(), span: None },
    ];
    let json = mazurka_report::json::check(&checked(&outcome, &clerks, vec![assertion()]), "9.9.9").unwrap();
    let expected = r#"{
  "version": "9.9.9",
  "model": "clerks.mzk",
  "verdict": "violated",
  "guarantee": "exact",
  "guarantee_reason": "",
  "expected_coverage": null,
  "omission_probability": null,
  "options": {
    "reduce": "local+sleep",
    "dependency": "refined",
    "search": "dfs",
    "order": "forward",
    "store": "exact",
    "on_full": "stop",
    "hashes": null,
    "hash_seed": null,
    "swarm": null,
    "codec": "plain",
    "codec_asked": "auto",
    "engine": "interpreter",
    "optimise": "none",
    "threads": 1,
    "property": [
      "deadlock",
      "assert",
      "unreached"
    ],
    "fair": "none",
    "emptiness": null,
    "representatives": null,
    "shortest": false,
    "invariant": null,
    "info": null,
    "define": [],
    "memory": null,
    "depth": null,
    "time": 1.5,
    "states": null,
    "max_errors": 1,
    "full_channel": "block",
    "spin_counts": false
  },
  "states": 1200,
  "matched": 34,
  "transitions": 1234,
  "atomic_steps": 0,
  "replaced": 0,
  "distinct_states": null,
  "depth": 7,
  "errors": 1,
  "violations": [
    {
      "kind": "assertion",
      "message": "assertion `letters == 0` is false",
      "location": "clerks.mzk:4:12",
      "depth": 3,
      "trail": "clerks 0.trail"
    }
  ],
  "unreached": [
    "clerks.mzk:3:5",
    "nowhere"
  ],
  "state_bytes": 4,
  "store_bytes": 24000,
  "sleep_bytes": 4800,
  "bytes_per_state": 20.0,
  "disk_bytes": 0,
  "peak_memory_bytes": 1048576,
  "seconds": {
    "parse": 0.25,
    "compile": 0.0,
    "search": 0.5
  },
  "states_per_second": 2400.0
}"#;
    assert_text(&json, expected);
}
