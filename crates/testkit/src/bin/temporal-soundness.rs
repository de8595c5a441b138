//! `temporal-soundness [CASES] [FIRST SEED] [MOST STATES]`: random programs with random formulas, every reduction against the
//! whole product. Prints a difference and exits with 1.

use mazurka_testkit::temporal::{Tally, compare};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default: u64| match numbers.next() {
        Some(Ok(number)) => number,
        None => default,
        Some(Err(error)) => {
            eprintln!("temporal-soundness [CASES] [FIRST SEED] [MOST STATES]: {error}");
            std::process::exit(2)
        }
    };
    let (cases, mut seed, most) = (next(20_000), next(1), next(2_000));
    let mut tally = Tally::default();
    while tally.cases < cases {
        if let Err(difference) = compare(seed, most as usize, &mut tally) {
            println!("{difference}");
            std::process::exit(1);
        }
        seed += 1;
        if seed % 200 == 0 {
            eprintln!("{tally:?}");
        }
    }
    println!("{tally:?}");
}
