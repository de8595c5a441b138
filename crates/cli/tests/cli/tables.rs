//! `mazurka tables` from outside.

use crate::support::Place;

#[test]
fn all_numbers_of_table_2_and_figure_1_agree() {
    let said = Place::new().run(&["tables"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    for number in ["100,001 / 450,002", "100,001 / 111,112", "47 / 52", "9 / 12", "5 / 4"] {
        assert!(said.out.matches(number).count() >= 2, "{number} should stand there twice:\n{}", said.out);
    }
    assert!(said.out.contains("All 12 pairs compared agree.\n"), "{}", said.out);
    assert!(said.out.contains("All 2 pairs compared agree.\n"), "{}", said.out);
}

#[test]
fn other_sizes_are_compared_with_formulas() {
    let said = Place::new().run(&["tables", "table2", "-n", "3", "-m", "4"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains("All 9 pairs compared agree.\n"), "{}", said.out);
    assert!(said.out.contains("65 / 146"), "{}", said.out);
}

#[test]
fn a_thousand_processes_are_a_line() {
    let arguments = ["tables", "table2", "-n", "1000", "--reduce", "local", "--states", "9500"];
    let said = Place::new().run(&arguments);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert_eq!(said.out.matches("9,002 / 9,002").count(), 2, "{}", said.out);
    assert!(said.out.contains("too many") && !said.out.contains("classic"), "{}", said.out);
}

#[test]
fn the_pipeline_of_1993_comes_out() {
    let said = Place::new().run(&["tables", "pipeline"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(
        said.out.matches("972 / 3,348").count() == 2 && said.out.matches("13 / 13").count() == 2,
        "{}",
        said.out
    );
    assert!(said.out.contains("All 10 pairs compared agree.\n"), "{}", said.out);
    // What the printed test keeps is more.
    assert!(said.out.contains("no open node"), "{}", said.out);
    let said = Place::new().run(&["tables", "p1"]);
    assert!(said.code == Some(0) && said.out.contains("All 3 pairs compared agree.\n"), "{}", said.out);
}

#[test]
fn a_table_has_only_the_reductions_that_it_shows() {
    for (table, reduction, where_it_is) in [
        ("dtp", "conditional", "dtp-1993, pipeline, p1"),
        ("table2", "deletion", "dtp-1993"),
        ("figure1", "none+sleep", "table2, dtp, p1"),
        ("dtp-1993", "none", "table2, figure1, dtp, pipeline, p1"),
    ] {
        let said = Place::new().run(&["tables", table, "--reduce", reduction]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.out.is_empty(), "{said:?}");
        assert!(
            said.err.contains(&format!("the table `{table}` has no `{reduction}`; there are ")),
            "{said:?}"
        );
        assert!(said.err.contains(&format!("it is in {where_it_is}\n")), "{said:?}");
    }
    let said = Place::new().run(&["tables", "--reduce", "ample"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("no table has `ample`; there are none, local, "), "{said:?}");
    let said = Place::new().run(&["tables", "vfsm", "--reduce", "none"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}

#[test]
fn refused_reductions_and_those_of_the_help_are_all_there_are() {
    let help = Place::new().run(&["tables", "--help"]).out;
    let lines: Vec<&str> = help.lines().map(str::trim).collect();
    for table in ["table2", "figure1", "pipeline", "p1"] {
        let line = lines.iter().position(|line| line.starts_with(&format!("{table} "))).unwrap();
        for reduction in lines[line + 1].split(", ") {
            let said = Place::new().run(&["tables", table, "--reduce", reduction]);
            assert_eq!(said.code, Some(0), "{table} {reduction}: {said:?}");
            assert!(!said.out.contains("All 0 pairs"), "{table} {reduction}: {said:?}");
        }
    }
}

#[test]
fn refined_dependencies_store_no_more_than_the_paper() {
    let said = Place::new().run(&["tables", "dtp-1993", "--reduce", "conditional"]);
    if said.err.contains("there is no such file") {
        return;
    }
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("All 2 pairs compared agree.\n"), "{said:?}");
    assert_eq!(said.out.matches("251,409 / 648,467").count(), 4, "{said:?}");
    assert!(said.out.contains("9,920 / 10,367") && said.out.contains("8,521 / 8,968"), "{said:?}");
}
