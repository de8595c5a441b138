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
fn stores_are_related_to_plain_records() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["compare", "forks.mzk", "--stores"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let row = |name: &str| said.out.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
    let plain = row("plain").unwrap();
    assert!(plain.contains("x 1.00") && plain.matches("100.0 %").count() == 2, "{said:?}");
    for name in ["none", "rle", "huffman", "packed", "collapse", "tree", "compact-tree", "disk", "compact"] {
        assert!(row(name).is_some_and(|row| row.contains(" x ")), "{name}: {said:?}");
    }
    assert!(said.out.contains("\nLeast memory that loses no state: "), "{said:?}");
    assert!(said.out.contains("\nnote: where there are fewer than 100,000 states, "), "{said:?}");
    // What a cache and bits take is what they are given.
    assert!(row("cache").is_none() && row("bitstate").is_none(), "{said:?}");
    let said = place.run(&["compare", "forks.mzk", "--stores", "--memory", "8M"]);
    assert!(said.out.contains(" cache ") && said.out.contains(" bitstate "), "{said:?}");
    // Breadth first, states are the queue.
    let said = place.run(&["compare", "forks.mzk", "--stores", "--memory", "8M", "--search", "bfs"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains(" disk ") && !said.out.contains(" compact  "), "{said:?}");
}

#[test]
fn ratios_are_null_where_there_is_nothing_to_relate_to() {
    let place = Place::new().with("forks.mzk", FORKS).with("large.mzk", large());
    let runs = |arguments: &[&str]| {
        let said = place.run(&[&["compare", "--json"], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        json["runs"].as_array().unwrap().clone()
    };
    for run in runs(&["forks.mzk", "--stores"]) {
        assert_eq!(run["ratio_to_none"], 1.0, "{run}");
        assert!(run["bytes_ratio_to_plain"].is_f64() && run["seconds_ratio_to_plain"].is_f64(), "{run}");
        assert_eq!(run["guarantee"] == "probabilistic", run["store"] == "compact", "{run}");
    }
    for run in runs(&["forks.mzk", "--stores", "--reduce", "local"]) {
        assert!(run["complete"] == true && run["ratio_to_none"].is_null(), "{run}");
        assert!(run["bytes_ratio_to_plain"].is_f64(), "{run}");
    }
    for run in runs(&["forks.mzk"]) {
        assert!(run["bytes_ratio_to_plain"].is_null() && run["ratio_to_none"].is_f64(), "{run}");
    }
    for run in runs(&["large.mzk", "--stores", "--states", "100"]) {
        assert!(run["bytes_ratio_to_plain"].is_null() && run["seconds_ratio_to_plain"].is_null(), "{run}");
        assert!(run["ratio_to_none"].is_null(), "{run}");
    }
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
