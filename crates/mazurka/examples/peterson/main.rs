//! Peterson's algorithm, as a Rust model and as a program: mutual exclusion holds, and fails if the turn is yielded too early.
//!
//! ```text
//! cargo run --release -p mazurka --example peterson
//! ```

mod native;
mod program;

use mazurka::program::{Interpreter, text};
use mazurka::{Checker, Config, Method, Outcome, Reduction, SearchKind, Silent, check_system};
use native::{Location, Peterson};

fn main() {
    let right = mazurka::check(&Peterson { yields_first: false });
    println!("{right}");
    right.assert_holds();
    assert_eq!(right.states(), 32);

    let wrong = Checker::new(&Peterson { yields_first: true }).search(SearchKind::Bfs).run();
    println!("{wrong}");
    assert_eq!(wrong.expect_violated().end().location, [Location::Critical; 2]);

    for (yields_first, report) in [(false, &right), (true, &wrong)] {
        let program = check_program(&program::text(yields_first));
        assert_eq!(program.verdict, report.verdict());
    }
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
