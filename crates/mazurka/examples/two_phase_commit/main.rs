//! Two-phase commit, as a Rust model and as a program: no manager commits while another aborts.
//!
//! ```text
//! cargo run --release -p mazurka --example two_phase_commit -- 9
//! ```
//!
//! A second number is that of the threads.

mod native;
mod program;

use mazurka::program::{Interpreter, text};
use mazurka::{Checker, Config, Method, Outcome, Reduction, SearchKind, Silent, check_system};
use native::TwoPhaseCommit;

/// The states that TLC, SPIN and stateright find.
const KNOWN: [(u32, u64); 4] = [(3, 288), (5, 8_832), (7, 296_448), (9, 10_340_352)];

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|number| number.parse().ok());
    let managers = number(1).unwrap_or(5);
    let threads = number(2).unwrap_or(1) as usize;
    if !(1..=14).contains(&managers) {
        eprintln!("between 1 and 14 resource managers, please");
        std::process::exit(2);
    }
    let model = TwoPhaseCommit { managers };
    for search in [SearchKind::Dfs, SearchKind::Bfs] {
        let report = Checker::new(&model).search(search).threads(threads).run();
        println!("{report}");
        report.assert_holds();
        if let Some((_, states)) = KNOWN.iter().find(|(number, _)| *number == managers) {
            assert_eq!(report.states(), *states);
        }
    }
    let program = check_program(&program::text(managers));
    println!("as a program: {}, {} states", program.verdict.name(), program.statistics.states);
    if let Some((_, states)) = KNOWN.iter().find(|(number, _)| *number == managers) {
        assert_eq!(program.statistics.states, *states);
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
