//! An atomic region that never ends, or need not end: the other processes are not forgotten over it, and the
//! ways out of it are found. SPIN has no counts to compare with, because it goes round until it is too deep.

use mazurka_engine::{Config, Dependency, Guarantee, Order, Silent, StoreKind, Verdict, check};
use mazurka_program::{Interpreter, text};
use mazurka_testkit::{every_config, spin};

const ENDLESS: &str = "
program endless
process P() { atomic location l   l -> l }
process Q() { end location b      a -> b do assert false }
start P(), Q()
";

#[test]
fn no_search_is_caught_in_an_endless_region() {
    let program = text::parse("endless.mzk", ENDLESS).program.expect("the model is a program");
    let system = Interpreter::new(program).expect("a parsed program is valid");
    for config in every_config(7).into_iter().filter(|c| c.properties.assertions) {
        let outcome = check(&system, &config, &Silent);
        assert_eq!(outcome.verdict, Verdict::Violated, "{config:?}");
    }
}

/// Two processes, of which one can go round for ever in its atomic sequence and can leave it at each round.
const EXIT: &str = "
byte x, y;
active proctype P() { atomic { do :: x = 1 - x :: x == 1 -> break od; y++ }; assert(y < WORST) }
active proctype Q() { y++ }
";

#[test]
fn every_search_finds_the_ways_out_of_a_region_that_need_not_end() {
    for (worst, verdict) in [("3", Verdict::Holds), ("2", Verdict::Violated)] {
        let program = spin::program("exit.pml", &EXIT.replace("WORST", worst)).expect("the model is right");
        let system = Interpreter::new(program).expect("a lowered program is valid");
        let mut full = None;
        let few = |c: &Config| {
            c.order == Order::Forward && c.dependency == Dependency::Refined && c.store == StoreKind::Exact
        };
        for config in every_config(7).into_iter().filter(|c| c.properties.assertions && few(c)) {
            let outcome = check(&system, &config, &Silent);
            assert_eq!(outcome.verdict, verdict, "{config:?}");
            if verdict == Verdict::Holds {
                assert_eq!(outcome.guarantee, Guarantee::Exact, "{config:?}");
                // The first configuration reduces nothing.
                let most = *full.get_or_insert(outcome.statistics.states);
                assert!(outcome.statistics.states <= most, "{config:?}");
            }
        }
    }
}
