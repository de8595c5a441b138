//! A depth limit holds whatever the reduction: no state lies deeper, and nothing is called verified.

use mazurka_engine::{Config, Limits, Method, Reduction, SearchKind, Silent, Verdict, check};
use mazurka_program::Interpreter;
use mazurka_testkit::{corpus, spin};

#[test]
fn no_reduction_goes_deeper_than_allowed() {
    let path = corpus::directory().join("algorithms/peterson.pml");
    let program = spin::read(&path).expect("the model is valid");
    let system = Interpreter::new(program).expect("a lowered program is valid");
    for (_, search) in SearchKind::WHOLE {
        for (name, method) in Method::NAMES {
            for sleep in [false, true] {
                let config = Config {
                    reduction: Reduction { method, sleep },
                    search,
                    limits: Limits { depth: Some(6), ..Limits::default() },
                    ..Config::default()
                };
                let outcome = check(&system, &config, &Silent);
                assert_eq!(outcome.statistics.depth, 6, "{name} {sleep} {search}");
                assert_eq!(outcome.verdict, Verdict::Unknown, "{name} {sleep} {search}");
            }
        }
    }
}
