//! Peterson's algorithm: mutual exclusion holds, and fails if the turn is yielded too early.
//!
//! ```text
//! cargo run --release -p mazurka --example peterson
//! ```

mod native;

use mazurka::{Checker, SearchKind};
use native::{Location, Peterson};

fn main() {
    let right = mazurka::check(&Peterson { yields_first: false });
    println!("{right}");
    right.assert_holds();
    assert_eq!(right.states(), 32);

    let wrong = Checker::new(&Peterson { yields_first: true }).search(SearchKind::Bfs).run();
    println!("{wrong}");
    assert_eq!(wrong.expect_violated().end().location, [Location::Critical; 2]);
}
