//! Dining philosophers: all states, and the deadlock.
//!
//! ```text
//! cargo run --release -p mazurka --example philosophers -- 13
//! ```

mod native;

use mazurka::{Checker, Method, SearchKind};
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

    let first = Checker::new(&table).search(SearchKind::Bfs).run();
    let deadlock = first.expect_violated();
    assert!((0..philosophers).all(|one| Table::holds(*deadlock.end(), one) == native::LEFT));
}
