//! The printed tables: the paper's own for the bounded channel, cell by cell, and the form of all.

use mazurka_model::object::fifo::Fifo;
use mazurka_model::object::semaphore::Semaphore;
use mazurka_model::object::table::{self, Tables};
use mazurka_model::object::variable::Variable;

fn channel() -> Tables {
    let objects = [Fifo { capacity: 1 }, Fifo { capacity: 2 }, Fifo { capacity: 3 }];
    Tables::of(&[&objects[0], &objects[1], &objects[2]]).expect("there are objects")
}

fn assert_begins(cells: &[Vec<String>], expected: [[&str; 5]; 5]) {
    for (row, expected) in cells.iter().zip(expected) {
        assert_eq!(row[..5], expected);
    }
}

/// Godefroid and Pirottin 1993, Example 5.
#[test]
fn conditional_dependency_of_a_channel_is_the_papers() {
    let tables = channel();
    assert_eq!(tables.operations[..5], ["Send", "Receive", "Length", "Empty", "Full"]);
    assert_begins(
        &tables.conditional,
        [
            ["n < N", "n = 0 or n = N", "n < N", "n = 0", "n = N - 1"],
            ["n = 0 or n = N", "n > 0", "n > 0", "n = 1", "n = N"],
            ["n < N", "n > 0", "-", "-", "-"],
            ["n = 0", "n = 1", "-", "-", "-"],
            ["n = N - 1", "n = N", "-", "-", "-"],
        ],
    );
}

/// The same paper, the end of section 5.
#[test]
fn might_interact_of_a_channel_is_the_papers() {
    assert_begins(
        &channel().interacts,
        [
            ["n < N", "n = N", "n < N", "n < N", "n = N - 1"],
            ["n = 0", "n > 0", "n > 0", "n = 1", "n > 0"],
            ["n < N", "n > 0", "-", "-", "-"],
            ["n = 0", "n > 0", "-", "-", "-"],
            ["n < N", "n = N", "-", "-", "-"],
        ],
    );
}

/// The refined operations of the channel, and the semaphore: what other processes may bring about counts.
#[test]
fn might_interact_of_other_operations() {
    let channel = channel();
    let row = |name: &str| channel.operations.iter().position(|operation| *operation == name);
    let receive_is = &channel.interacts[row("ReceiveIs").expect("it is an operation")];
    assert_eq!(receive_is[..5], ["n = 0 or n = 1", "n > 0", "n > 0", "n = 1", "n > 0"]);
    let semaphore = Tables::of(&[&Semaphore { initial: 0 }]).expect("there is an object");
    assert_eq!(
        semaphore.interacts,
        [
            ["n > 0", "n = 0", "n > 0", "n > 0"],
            ["-", "-", "+", "+"],
            ["n > 0", "+", "-", "-"],
            ["n > 0", "n = 0", "-", "-"],
        ]
    );
}

/// The same paper, Example 4, with `Empty` and `Full` beside `Length`.
#[test]
fn constant_dependency_of_a_channel_is_the_papers() {
    assert_begins(
        &channel().constant,
        [
            ["+", "+", "+", "+", "+"],
            ["+", "+", "+", "+", "+"],
            ["+", "+", "-", "-", "-"],
            ["+", "+", "-", "-", "-"],
            ["+", "+", "-", "-", "-"],
        ],
    );
}

/// The same paper, Example 3.
#[test]
fn constant_dependency_of_a_variable_is_the_papers() {
    let tables = Tables::of(&[&Variable]).expect("there is an object");
    assert_eq!(tables.operations[..3], ["Read", "Write", "Add"]);
    let papers: Vec<&[String]> = tables.constant[..3].iter().map(|row| &row[..3]).collect();
    assert_eq!(papers, [["-", "+", "+"], ["+", "+", "+"], ["+", "+", "-"]]);
}

/// Every cell of every table has a condition of its own, and every object a summary.
#[test]
fn all_tables_can_be_printed() {
    assert_eq!(table::names().len(), 20);
    for name in table::names() {
        assert!(table::summary(name).is_some_and(|summary| summary.ends_with('.')));
        let text = table::tables(name).expect("the library knows its names");
        assert!(!text.contains("sometimes"), "{name}:\n{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{name}:\n{text}");
    }
    assert_eq!(table::tables("teapot"), None);
}

/// What a person sees.
#[test]
fn rendering() {
    let expected = "\
Constant dependency

DEP.   Test  Set  Clear
-----------------------
Test   -     +    +
Set    +     -    +
Clear  +     +    -

Conditional dependency

DEP.   Test   Set    Clear
--------------------------
Test   -      clear  set
Set    clear  -      +
Clear  set    +      -

Might interact (row ▷ column)

▷      Test   Set    Clear
--------------------------
Test   -      clear  set
Set    clear  -      +
Clear  set    +      -
";
    assert_eq!(table::tables("flag").as_deref(), Some(expected));
}
