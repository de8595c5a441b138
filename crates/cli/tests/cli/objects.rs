//! `mazurka objects` from outside.

use crate::support::Place;

#[test]
fn the_list_names_every_object_and_each_has_tables() {
    let place = Place::new();
    let said = place.run(&["objects"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names: Vec<&str> = said
        .out
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(names, mazurka_model::object::table::names());
    for name in names {
        let said = place.run(&["objects", name]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.starts_with(&format!("{name}: ")), "{said:?}");
        assert!(said.out.contains("Conditional dependency") && said.out.contains('▷'), "{said:?}");
    }
}

#[test]
fn the_table_of_the_bounded_queue_is_that_of_the_paper() {
    let said = Place::new().run(&["objects", "FIFO"]);
    let conditional = said.out.split("Conditional dependency").nth(1).unwrap_or_default();
    let send = conditional.lines().find(|line| line.starts_with("Send")).unwrap_or_default();
    let cells: Vec<&str> = send.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(
        cells[..6],
        ["Send", "n < N", "n = 0 or n = N", "n < N", "n = 0", "n = N - 1"],
        "{}",
        said.out
    );
}
