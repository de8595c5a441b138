//! Compiled code gives the state graph of the interpreter: the models of `testdata/`, and random programs. The
//! command `jit-diff` compares more of them.

use mazurka_program::{Interpreter, Program};
use mazurka_testkit::compiled::{Agreement, compare};
use mazurka_testkit::{campaign, corpus, generate, promela, spin, through};
use std::path::{Path, PathBuf};

const MOST_STATES: u64 = 2_000;

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

/// Compares programs; how many there were, and what was compared. Agreement means nothing where the interpreter does
/// the work of compiled code.
fn agree(programs: impl Iterator<Item = (String, Option<Program>)>) -> (u64, Agreement) {
    let (mut count, mut all) = (0, Agreement::default());
    for (name, program) in programs {
        match program.and_then(|program| compare(program, MOST_STATES)) {
            None => {}
            Some(Ok(found)) => {
                count += 1;
                all.states += found.states;
                all.violations += found.violations;
                all.edges += found.edges;
                all.interior += found.interior;
                all.left += found.left;
                all.walked += found.walked;
                all.together += found.together;
                all.left_out += found.left_out;
                all.interpreted += found.interpreted;
            }
            Some(Err(found)) => panic!("{name}: {found}"),
        }
    }
    assert_eq!(all.interpreted, 0);
    assert!(all.left < all.edges, "{all:?}");
    (count, all)
}

#[test]
fn the_corpus_has_the_same_graphs() {
    let mut paths = Vec::new();
    files(&corpus::directory(), "mzk", &mut paths);
    files(&corpus::directory(), "pml", &mut paths);
    paths.sort();
    let programs = paths.iter().map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.display().to_string();
        let program = match path.extension().is_some_and(|e| e == "mzk") {
            true => mazurka_program::text::parse(&name, &text).program,
            false => spin::program(&name, &text).ok(),
        };
        (name, program)
    });
    let (count, all) = agree(programs);
    assert!(
        count > 100
            && all.violations > 0
            && all.interior > 0
            && all.walked > 100
            && all.together > 1_000
            && all.left_out > 500,
        "{count} {all:?}"
    );
}

#[test]
fn random_program_text_has_the_same_graphs() {
    let programs = (0..600).map(|index| {
        let seed = campaign::program_seed(11, index);
        (format!("program {seed}"), Some(generate::program(seed)))
    });
    let (count, all) = agree(programs);
    assert!(
        count > 400
            && all.violations > 100
            && all.interior > 100
            && all.walked > 100
            && all.together > 1_000
            && all.left_out > 500,
        "{count} {all:?}"
    );
}

#[test]
fn random_regions_have_the_same_graphs() {
    let programs = (0..200).map(|index| {
        let seed = campaign::program_seed(13, index);
        (format!("program {seed} with regions"), Some(through::hold(generate::program(seed), seed)))
    });
    let (count, all) = agree(programs);
    assert!(
        count > 100 && all.interior > 100 && all.walked > 1_000 && all.together > 1_000,
        "{count} {all:?}"
    );
}

#[test]
fn random_promela_has_the_same_graphs() {
    let programs = (0..300).map(|index| {
        let seed = campaign::program_seed(12, index);
        (format!("Promela {seed}"), spin::program("random", &promela::text(seed)).ok())
    });
    let (count, all) = agree(programs);
    assert!(
        count > 150
            && all.violations > 10
            && all.interior > 10
            && all.walked > 100
            && all.together > 1_000
            && all.left_out > 500,
        "{count} {all:?}"
    );
}

/// Arithmetic at its limits, where a machine differs from what a program means.
#[test]
fn arithmetic_is_that_of_the_interpreter() {
    let least = i32::MIN;
    let values = [0, 1, -1, 2, -3, 7, 31, 32, 33, 255, 256, 65_535, i32::MAX, least];
    let operators = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="];
    for operator in operators {
        let mut source = String::from(
            "program arithmetic\nvar a: int\nvar b: int\nvar r: int\nvar s: short\nvar t: bit\n\
             var u: unsigned(5)\nprocess P() {\n  end location done\n",
        );
        // The least number can't be written, so each is a sum of two.
        let text = |value: i32| format!("({} + {})", value / 2, value - value / 2);
        for a in values {
            // Where a divisor is 0 the interpreter would do all of it.
            for b in values.into_iter().filter(|b| *b != 0 || !["/", "%"].contains(&operator)) {
                let (a, b) = (text(a), text(b));
                source += &format!(
                    "  begin -> done do a = {a}; b = {b}; r = a {operator} b; s = r; t = r; u = r\n"
                );
            }
        }
        source += "}\nstart P()\n";
        let parsed = mazurka_program::text::parse("arithmetic.mzk", &source);
        let program = parsed.program.unwrap_or_else(|| panic!("{:?}\n{source}", parsed.diagnostics));
        assert!(Interpreter::new(program.clone()).is_ok());
        let found = compare(program, 10_000).expect("it can be compiled").unwrap_or_else(|d| panic!("{d}"));
        assert!(found.edges > 100 && found.left == 0, "{operator}: {found:?}");
    }
}
