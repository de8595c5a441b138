//! Two-phase commit: no manager commits while another aborts.
//!
//! ```text
//! cargo run --release -p mazurka --example two_phase_commit -- 9
//! ```

mod native;

use mazurka::{Checker, SearchKind};
use native::TwoPhaseCommit;

/// The states that TLC, SPIN and stateright find.
const KNOWN: [(u32, u64); 4] = [(3, 288), (5, 8_832), (7, 296_448), (9, 10_340_352)];

fn main() {
    let managers = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(5);
    if !(1..=14).contains(&managers) {
        eprintln!("between 1 and 14 resource managers, please");
        std::process::exit(2);
    }
    let model = TwoPhaseCommit { managers };
    for search in [SearchKind::Dfs, SearchKind::Bfs] {
        let report = Checker::new(&model).search(search).run();
        println!("{report}");
        report.assert_holds();
        if let Some((_, states)) = KNOWN.iter().find(|(number, _)| *number == managers) {
            assert_eq!(report.states(), *states);
        }
    }
}
