//! Trails from outside: saved by `check`, replayed by `replay`, refused when they don't fit.

use crate::support::{FORKS, LOST_UPDATE, Place};

fn checked() -> Place {
    let place = Place::new().with("forks.mzk", FORKS);
    assert_eq!(place.run(&["check", "forks.mzk"]).code, Some(1));
    place
}

#[test]
fn a_trail_is_replayed_with_what_changed() {
    let said = checked().run(&["replay", "forks.mzk.trail"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("  0  start\n     fork = [0, 0]\n"), "{said:?}");
    assert!(said.out.contains("  1  P(0)  "), "{said:?}");
    assert!(said.out.contains("  forks.mzk:6\n"), "{said:?}");
    assert!(said.out.contains("fork: [0, 0] → [1, 0]\n"), "{said:?}");
    assert!(said.out.contains("fork: [1, 0] → [1, 1]\n"), "{said:?}");
    assert!(said.out.ends_with("error: deadlock: no process can move (after 2 steps)\n"), "{said:?}");
}

#[test]
fn the_end_of_a_wrong_step_is_named() {
    let place = Place::new().with("lost.mzk", LOST_UPDATE);
    assert_eq!(place.run(&["check", "lost.mzk", "--search", "bfs"]).code, Some(1));
    let said = place.run(&["replay", "lost.mzk.trail"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let last = said.out.lines().last().unwrap();
    assert!(last.starts_with("error: Judge(2): assertion x == 2 is false (after "), "{last}");
}

#[test]
fn a_trail_saved_elsewhere_finds_its_model() {
    let place = Place::new().with("forks.mzk", FORKS);
    std::fs::create_dir_all(place.path("trails")).unwrap();
    assert_eq!(place.run(&["check", "forks.mzk", "--trail", "trails/one"]).code, Some(1));
    assert!(!place.has("forks.mzk.trail"));
    assert_eq!(place.run(&["replay", "trails/one"]).code, Some(0));
    let missing = place.run(&["check", "forks.mzk", "--trail", "nowhere/one"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
}

#[test]
#[cfg(unix)]
fn nothing_is_saved_beside_a_device() {
    let place = Place::new().with("two.pml", "byte x; active [2] proctype P() { x++; assert(x > 2) }");
    let said = place.run(&["check", "two.pml", "--max-errors", "0", "--trail", "/dev/null"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(!std::path::Path::new("/dev/null.2.trail").exists() && !place.has("two.pml.trail"));
}

#[test]
fn a_trail_knows_how_its_model_was_read() {
    let model = "chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; q!N; q?1; q?N }\n";
    let place = Place::new().with("full.pml", model);
    let check = ["check", "full.pml", "-DN=3", "--full-channel", "lose", "-q"];
    assert_eq!(place.run(&check).code, Some(1));
    for command in [
        &["replay", "full.pml.trail"][..],
        &["msc", "full.pml.trail"],
        &["simulate", "full.pml", "--trail", "full.pml.trail"],
        &["explain", "full.pml", "--trail", "full.pml.trail"],
    ] {
        let said = place.run(command);
        assert!(!said.out.is_empty() && said.err.is_empty(), "{command:?}: {said:?}");
    }
    let other = place.run(&["replay", "full.pml.trail", "-DN=4"]);
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("is not the model"), "{other:?}");
}

#[test]
fn a_moved_model_can_be_named() {
    let place = checked();
    std::fs::rename(place.path("forks.mzk"), place.path("moved.mzk")).unwrap();
    let said = place.run(&["replay", "forks.mzk.trail"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--model"), "{said:?}");
    assert_eq!(place.run(&["replay", "forks.mzk.trail", "--model", "moved.mzk"]).code, Some(0));
}

#[test]
fn a_changed_model_is_refused() {
    let place = checked();
    place.write("forks.mzk", FORKS.replace("fork[other] = 1", "fork[other] = 0"));
    let said = place.run(&["replay", "forks.mzk.trail"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("not the model that forks.mzk.trail was made from"), "{said:?}");
}

#[test]
fn damaged_and_foreign_trails_are_refused() {
    let place = checked();
    let whole = place.read("forks.mzk.trail");
    for (content, message) in [
        (whole[..whole.len() / 2].to_owned(), "the trail is damaged"),
        (whole.replace("\"process\":1", "\"process\":9"), "step 2: process 9 can't take its step"),
        (whole.replace("\"outcome\":0", "\"outcome\":5"), "has no outcome 5"),
        (whole.replace("\"code\":", "\"code\":4294967"), "can't take its step"),
        (whole.replace("\"kind\": \"deadlock\"", "\"kind\": \"assertion\""), "needs a place"),
        (whole.replace("\"version\": 1", "\"version\": 7"), "version 7"),
        (FORKS.to_owned(), "not a trail"),
    ] {
        place.write("other.trail", content);
        let said = place.run(&["replay", "other.trail"]);
        assert_eq!(said.code, Some(2), "{message}: {said:?}");
        assert!(said.err.contains(message), "{message}: {said:?}");
    }
}

#[test]
fn a_trail_with_any_byte_damaged_is_refused() {
    let place = checked();
    let whole = place.read("forks.mzk.trail").into_bytes();
    for (index, byte) in whole.iter().enumerate() {
        let mut damaged = whole.clone();
        damaged[index] = if *byte == b'7' { b'x' } else { b'7' };
        place.write("damaged.trail", damaged);
        let said = place.run(&["replay", "damaged.trail"]);
        assert_eq!(said.code, Some(2), "byte {index}: {said:?}");
        assert!(!said.err.contains("panicked"), "byte {index}: {said:?}");
    }
}

#[test]
fn a_trail_is_no_model() {
    let said = checked().run(&["check", "forks.mzk.trail"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("mazurka replay forks.mzk.trail"), "{said:?}");
}

#[test]
fn only_trails_are_overwritten() {
    let place = checked();
    assert_eq!(place.run(&["check", "forks.mzk"]).code, Some(1));
    let asked = place.run(&["check", "forks.mzk", "--trail", "forks.mzk"]);
    assert_eq!(asked.code, Some(2), "{asked:?}");
    assert_eq!(place.read("forks.mzk"), FORKS);
    place.write("forks.mzk.trail", "my notes");
    let said = place.run(&["check", "forks.mzk"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("not overwritten"), "{said:?}");
    assert_eq!(place.read("forks.mzk.trail"), "my notes");
}
