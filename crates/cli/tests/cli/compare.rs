//! `mazurka compare` from outside.

use crate::support::{FORKS, LOST_UPDATE, Place, large};

#[test]
fn all_reductions_stand_in_one_table() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["compare", "forks.mzk"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for name in ["none", "local", "overman", "ample", "persistent", "stubborn", "conditional", "deletion"] {
        for name in [name.to_owned(), format!("{name}+sleep")] {
            let row = said.out.lines().find(|line| line.split(' ').next() == Some(name.as_str()));
            assert!(row.is_some_and(|row| row.ends_with("violated: deadlock")), "{name}: {said:?}");
        }
    }
    let none = said.out.lines().find(|line| line.starts_with("none ")).unwrap();
    assert!(none.contains("100.0 %"), "{said:?}");
    assert!(
        said.out.starts_with("forks.mzk: search dfs, property deadlock, assert, unreached, "),
        "{said:?}"
    );
    assert!(said.out.contains("\nFewest states: "), "{said:?}");
}

#[test]
fn grades_and_orders_are_columns_where_they_differ() {
    let place = Place::new().with("lost.mzk", LOST_UPDATE);
    let said = place.run(&["compare", "lost.mzk", "--all"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for words in ["overman-located", "reverse", "constant", "object", "violated: assertion"] {
        assert!(said.out.contains(words), "{words}: {said:?}");
    }
    // Without sleep sets the full search does not look at operations, so there is one run an order.
    assert_eq!(said.out.lines().filter(|line| line.starts_with("none ")).count(), 2, "{said:?}");
    assert_eq!(said.out.lines().filter(|line| line.starts_with("none+sleep ")).count(), 8, "{said:?}");
}

#[test]
fn a_run_that_hits_a_limit_is_no_smaller_one() {
    let place = Place::new().with("large.mzk", large());
    let said = place.run(&["compare", "large.mzk", "--states", "100", "--svg", "large.svg"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    let none = said.out.lines().find(|line| line.starts_with("none ")).unwrap();
    assert!(none.contains("> 100 ") && none.ends_with("unknown (state limit)"), "{said:?}");
    assert!(!said.out.contains('%') && !said.out.contains("Fewest"), "{said:?}");
    let drawing = place.read("large.svg");
    assert!(drawing.contains("&gt; 100 (state limit)") && !drawing.contains("<circle"), "{drawing}");
}

#[test]
fn scripts_read_the_same_table() {
    let place = Place::new().with("forks.mzk", FORKS);
    let arguments =
        ["compare", "forks.mzk", "--reduce", "none", "--reduce", "deletion+sleep", "--search", "bfs"];
    let said = place.run(&[&arguments[..], &["--json", "--svg", "forks.svg"]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(json["agree"], true);
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["reduce"], "none");
    assert_eq!(runs[0]["ratio_to_none"], 1.0);
    assert_eq!(runs[1]["kinds"][0], "deadlock");
    assert!(runs[1]["states"].as_u64() <= runs[0]["states"].as_u64());
    assert_eq!(place.read("forks.svg").matches("<circle").count(), 2);
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let place = Place::new().with("forks.mzk", FORKS);
    assert_eq!(place.run(&["compare", "forks.mzk", "--all", "--reduce", "none"]).code, Some(2));
    assert_eq!(place.run(&["compare", "forks.mzk", "--reduce", "magic"]).code, Some(2));
    assert_eq!(place.run(&["compare", "forks.mzk", "--svg", "forks.mzk"]).code, Some(2));
    let random = place.run(&["compare", "forks.mzk", "--search", "random"]);
    assert_eq!((random.code, random.out.as_str()), (Some(2), ""), "{random:?}");
    assert!(random.err.contains("`random` keeps no states"), "{random:?}");
}
