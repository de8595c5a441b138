//! An atomic region that never ends is cut; the other processes are not forgotten over it.

use mazurka_engine::{Silent, Verdict, check};
use mazurka_program::{Interpreter, text};
use mazurka_testkit::every_config;

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
