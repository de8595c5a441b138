//! Dining philosophers, as a Rust model and as a program: all states, the deadlock, and the deadlock again
//! under a reduction.
//!
//! ```text
//! cargo run --release -p mazurka --example philosophers -- 13
//! ```

mod native;
mod program;

use mazurka::program::{Interpreter, text};
use mazurka::{Checker, Config, Method, Outcome, Reduction, SearchKind, Silent, check_system};
use native::Table;

fn main() {
    let philosophers = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(8);
    if !(2..=20).contains(&philosophers) {
        eprintln!("between 2 and 20 philosophers, please");
        std::process::exit(2);
    }
    let table = Table { philosophers };

    let all = Checker::new(&table).search(SearchKind::Bfs).reduce(Method::None).all_errors().run();
    println!("{all}");
    assert_eq!(all.states(), 3u64.pow(philosophers) - 1);
    assert_eq!(all.counterexamples.len(), 1);

    let program = check_program(&program::text(philosophers));
    assert_eq!(program.statistics.states, all.states());
    assert_eq!(program.statistics.transitions(), all.transitions());

    let first = Checker::new(&table).search(SearchKind::Bfs).run();
    let deadlock = first.expect_violated();
    assert!((0..philosophers).all(|one| Table::holds(*deadlock.end(), one) == native::LEFT));

    let reduced = Checker::new(&table).reduce(Method::Overman).assertions(false).all_errors().run();
    println!("{reduced}");
    assert_eq!(reduced.counterexamples.len(), 1);
}

/// Checks the program with this text, without reduction.
fn check_program(text: &str) -> Outcome {
    let parsed = text::parse("example.mzk", text);
    let program = parsed.program.expect("the text of the example is a program");
    let system = Interpreter::new(program).expect("a parsed program is valid");
    let reduction = Reduction { method: Method::None, sleep: false };
    let config = Config { reduction, max_errors: 0, ..Config::default() };
    check_system(&system, &config, &Silent).0
}
