//! `mazurka test`: with a stand-in for cargo that reports what tests would.

#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A program that takes the place of cargo: writes these lines as reports, and says what it was called with.
fn stand_in(name: &str, lines: &[&str], code: i32) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("cargo-{name}"));
    let mut script = String::from("#!/bin/sh\n");
    for line in lines {
        script.push_str(&format!("printf '%s\\n' '{line}' >> \"$MAZURKA_TEST_REPORT\"\n"));
    }
    script.push_str(&format!("echo \"$@\" > '{}'\n", folder.join(format!("called-{name}")).display()));
    script.push_str(&format!(
        "echo \"$MAZURKA_TEST_REPLAY $MAZURKA_TEST_METHOD\" >> '{}'\n",
        folder.join(format!("called-{name}")).display()
    ));
    script.push_str(&format!("echo 'error: it does not compile' >&2\nexit {code}\n"));
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn called(name: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("called-{name}"))).unwrap()
}

fn mazurka(cargo: &PathBuf, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .arg("test")
        .args(arguments)
        .env("CARGO", cargo)
        .output()
        .unwrap()
}

const HOLDS: &str = r#"{"event":"finished","test":"c::good","verdict":"holds","guarantee":"exact","guarantee_reason":null,"executions":6,"redundant":0,"steps":60,"longest":12,"threads":3,"seconds":0.01,"violations":[],"never":[]}"#;
const FAILS: &str = r#"{"event":"finished","test":"c::bad","verdict":"violated","guarantee":"exact","guarantee_reason":null,"executions":2,"redundant":0,"steps":20,"longest":12,"threads":3,"seconds":0.01,"violations":[{"kind":"deadlock","message":"deadlock: no thread can go on","depth":3,"switches":1,"token":"mz1:0x3.1","timeline":"a timeline"}],"never":[]}"#;
const STOPPED: &str = r#"{"event":"finished","test":"c::long","verdict":"unknown","guarantee":"bounded","guarantee_reason":"stopped after 9 executions","executions":9,"redundant":0,"steps":20,"longest":12,"threads":3,"seconds":0.01,"violations":[],"never":[]}"#;

#[test]
fn exit_codes() {
    for (name, lines, code, expected) in [
        ("holds", &[HOLDS][..], 0, 0),
        ("fails", &[HOLDS, FAILS][..], 101, 1),
        ("stopped", &[HOLDS, STOPPED][..], 0, 3),
        ("broken", &[][..], 101, 2),
        ("none", &[][..], 0, 2),
    ] {
        let output = mazurka(&stand_in(name, lines, code), &[]);
        assert_eq!(output.status.code(), Some(expected), "{name}: {output:?}");
    }
}

#[test]
fn what_cargo_says_is_shown_if_nothing_runs() {
    let output = mazurka(&stand_in("says", &[], 101), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("it does not compile"));
}

#[test]
fn json_and_junit() {
    let junit = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("junit.xml");
    let cargo = stand_in("json", &[HOLDS, FAILS, STOPPED], 101);
    let output =
        mazurka(&cargo, &["--json", "--junit", junit.to_str().unwrap(), "--method", "source", "filter"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["verdict"], "violated");
    assert_eq!(value["tests"][1]["violations"][0]["token"], "mz1:0x3.1");
    assert_eq!(value["tests"][0]["executions"], 6);
    let text = fs::read_to_string(junit).unwrap();
    assert!(
        text.contains("<failure type=\"deadlock\"") && text.contains("<skipped message=\"stopped"),
        "{text}"
    );
    assert!(called("json").contains("-- filter\n source"), "{}", called("json"));
}

#[test]
fn replay() {
    let cargo = stand_in("replay", &[FAILS], 101);
    let output = mazurka(&cargo, &["replay", "mz1:0x3.1", "--test", "c::bad"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("a timeline"));
    assert!(called("replay").contains("bad --exact\nmz1:0x3.1"), "{}", called("replay"));
    assert_eq!(mazurka(&cargo, &["replay", "nonsense", "--test", "c::bad"]).status.code(), Some(2));
    assert_eq!(mazurka(&cargo, &["--method", "nonsense"]).status.code(), Some(2));
}
