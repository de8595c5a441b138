//! Wrong command lines, files and models: exit code 2 and a message that helps, never a panic.

use crate::support::{FINE, FORKS, Place};

#[track_caller]
fn refused(place: &Place, arguments: &[&str], message: &str) {
    let said = place.run(arguments);
    assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
    assert_eq!(said.out, "", "{arguments:?}");
    assert!(said.err.contains(message), "{arguments:?} should say `{message}`: {}", said.err);
    assert!(!said.err.contains("panicked") && !said.err.contains('\u{1b}'), "{}", said.err);
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new().with("latin.mzk", b"program p\n\xe4");
    refused(&place, &["check", "missing.mzk"], "missing.mzk: there is no such file");
    refused(&place, &["check", "."], "this is a directory");
    refused(
        &place,
        &["check", "latin.mzk"],
        "latin.mzk: this is not UTF-8 text: the first wrong byte is on line 2",
    );
    refused(&place, &["replay", "missing.trail"], "there is no such file");
}

#[test]
fn kinds_of_model_that_are_not_supported_yet() {
    let place = Place::new()
        .with("a.vfsm", "")
        .with("a.pnml", "<pnml/>")
        .with("net.xml", "<?xml version=\"1.0\"?>\n<pnml></pnml>")
        .with("letter.txt", "Dear reader");
    refused(&place, &["check", "a.vfsm"], "there is no system");
    refused(&place, &["check", "a.pnml"], "there is no net in this file");
    refused(&place, &["check", "net.xml"], "there is no net in this file");
    refused(&place, &["check", "letter.txt"], "no model that mazurka knows");
}

#[test]
fn a_program_is_recognised_by_its_content() {
    let place = Place::new().with("model", format!("// a remark\n\n{FINE}"));
    assert_eq!(place.run(&["check", "model"]).code, Some(0));
}

#[test]
fn a_wrong_model_is_shown_where_it_is_wrong() {
    let place = Place::new().with("wrong.mzk", FORKS.replace("fork[other] = 1", "knife = 1"));
    refused(&place, &["check", "wrong.mzk"], "wrong.mzk:7:");
    refused(&place, &["check", "wrong.mzk"], "knife");
}

#[test]
fn a_model_in_which_no_process_runs() {
    let place = Place::new()
        .with("empty.pml", "")
        .with("asleep.pml", "proctype P() { skip }\n")
        .with("empty.mzk", "")
        .with("asleep.mzk", "program p\nvar x: byte\nprocess P() {\n  start a\n  a -> a do x = 1\n}\n");
    for command in ["check", "simulate"] {
        refused(&place, &[command, "empty.pml"], "no process runs in this model");
        refused(&place, &[command, "empty.mzk"], "no process runs in this model");
        refused(&place, &[command, "asleep.mzk"], "no process runs in this model");
        refused(&place, &[command, "asleep.pml"], "asleep.pml:1:10");
        refused(&place, &[command, "asleep.pml"], "help: write `active proctype P`");
    }
}

#[test]
fn values_that_are_wrong() {
    let place = Place::new().with("fine.mzk", FINE);
    for (option, value, message) in [
        ("--reduce", "magic", "unknown"),
        ("--dependency", "none", "unknown"),
        ("--search", "luck", "unknown"),
        ("--order", "random:x", "random:SEED"),
        ("--store", "bucket", "unknown"),
        ("--on-full", "pray", "unknown"),
        ("--hashes", "0", "1..=14"),
        ("--swarm", "0", "1..=10000"),
        ("--every", "5min", "--checkpoint"),
        ("--resume", "nowhere", "can't go on from nowhere"),
        ("--resume", "fine.mzk", "it is not a checkpoint"),
        ("--codec", "zip", "unknown"),
        ("--engine", "steam", "jit and interpreter"),
        ("--fair", "luck", "unknown"),
        ("--threads", "0", "1 to 1024"),
        ("--threads", "many", "1 to 1024"),
        ("--property", "promise", "unknown"),
        ("--property", "claim:p", "states no property"),
        ("--ltl", "[] (", ""),
        ("--ltl", "[] p", ""),
        ("-D", "3=N", "can't be the name of a macro"),
        ("--memory", "much", "512M"),
        ("--depth", "-1", ""),
        ("--time", "soon", "seconds"),
        ("--max-errors", "x", "invalid"),
        ("--nonsense", "1", "unexpected"),
    ] {
        refused(&place, &["check", "fine.mzk", option, value], message);
    }
    let now = [
        "check",
        "fine.mzk",
        "--store",
        "exact",
        "--codec",
        "plain",
        "--engine",
        "interpreter",
        "--fair",
        "none",
        "--threads",
        "1",
    ];
    assert_eq!(place.run(&now).code, Some(0));
}

#[test]
fn options_that_contradict_each_other() {
    let place = Place::new().with("forks.mzk", FORKS);
    let both = ["check", "forks.mzk", "--search", "random", "--check-reduction"];
    refused(&place, &both, "random runs are not reduced");
    for (store, codec, message) in [
        (&["--store", "bitstate"][..], "rle", "nothing for a codec"),
        (&["--store", "compact"], "tree", "nothing for a codec"),
        (&["--swarm", "2"], "huffman", "nothing for a codec"),
        (&["--store", "cache"], "collapse", "keep what states have in common"),
        (&["--on-full", "cache"], "tree", "keep what states have in common"),
        (&["--store", "disk"], "compact-tree", "a tree is kept in memory"),
    ] {
        refused(&place, &[&["check", "forks.mzk", "--codec", codec], store].concat(), message);
    }
    let counted = ["check", "forks.mzk", "--spin-counts", "--optimise"];
    for optimise in ["all", "dead", "merge,fold"] {
        refused(&place, &[&counted[..], &[optimise]].concat(), "leave --optimise out");
    }
    assert_eq!(place.run(&[&counted[..], &["none"]].concat()).code, Some(1));
    refused(&place, &["graph", "forks.mzk", "--search", "random"], "`random` keeps no states");
    for command in ["graph", "compare"] {
        assert!(!place.run(&[command, "--help"]).out.contains("runs at random"));
    }
}

#[test]
fn what_is_no_command() {
    let place = Place::new();
    refused(&place, &["dance"], "unrecognized");
    refused(&place, &["tables", "table9"], "there are table2, figure1");
    refused(&place, &["objects", "hammer"], "hammer");
    refused(&place, &["tables", "--reduce", "overman"], "no table has `overman`; there are none, local, ");
    refused(&place, &["check"], "FILE");
}

#[test]
fn help_shows_an_example_of_each_command() {
    let place = Place::new();
    for command in ["check", "replay", "tables", "objects"] {
        let said = place.run(&[command, "--help"]);
        assert_eq!(said.code, Some(0));
        assert!(said.out.contains(&format!("Example:\n  mazurka {command}")), "{said:?}");
    }
}
