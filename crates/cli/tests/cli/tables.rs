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
