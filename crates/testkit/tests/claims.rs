//! Claims to use a channel alone (`xr`, `xs`) that come by parameters: compared with what the others may do, by the interpreter and by
//! machine code alike, with and without reduction.

use mazurka_engine::{Config, Method, Reduction, Silent, check};
use mazurka_jit::Compiled;
use mazurka_model::System;
use mazurka_program::Interpreter;
use mazurka_testkit::spin;

/// The doubts about the claims of a model, which are the same however it is searched.
fn doubts(source: &str) -> Vec<String> {
    let program = spin::program("claims.pml", source).expect("the model is in order");
    let interpreter = || Box::new(Interpreter::new(program.clone()).expect("the model can be executed"));
    let none = Reduction { method: Method::None, sleep: false };
    let mut found: Vec<Vec<String>> = Vec::new();
    for reduction in [none, Config::default().reduction] {
        let compiled = Compiled::new(interpreter()).expect("the model can be compiled");
        for system in [interpreter() as Box<dyn System>, Box::new(compiled)] {
            let outcome = check(&*system, &Config { reduction, ..Config::default() }, &Silent);
            found.push(outcome.notes.into_iter().filter(|note| note.contains("in doubt")).collect());
        }
    }
    assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
    found.swap_remove(0)
}

/// A sender and a receiver that claim what they are given, started in some way.
fn started(how: &str) -> String {
    format!(
        "chan q = [1] of {{ byte }}; chan r = [1] of {{ byte }};
         proctype Sender(chan out) {{ xs out; out!1 }}
         proctype Receiver(chan in) {{ byte x; xr in; in?x }}
         proctype Thief(chan c) {{ byte x; c?x }}
         init {{ {how} }}"
    )
}

#[test]
fn claims_that_are_true_are_not_doubted() {
    let none: [&str; 0] = [];
    assert_eq!(doubts(&started("run Sender(q); run Receiver(q)")), none);
    // Each has a channel of its own.
    assert_eq!(doubts(&started("run Sender(q); run Sender(r); run Receiver(q); run Receiver(r)")), none);
    // What was done before is no matter.
    assert_eq!(doubts(&started("byte x; q!2; q?x; run Sender(q); run Receiver(q)")), none);
}

#[test]
fn claims_that_another_process_contradicts_are_doubted() {
    assert_eq!(
        doubts(&started("run Sender(q); run Receiver(q); run Thief(q)")),
        ["`xr in` in `Receiver` is in doubt: a process `Thief` may receive from the channel while it lives"]
    );
    // Whoever comes first.
    assert_eq!(
        doubts(&started("run Thief(q); run Receiver(q); q!3")),
        ["`xr in` in `Receiver` is in doubt: a process `Thief` may receive from the channel while it lives"]
    );
    assert_eq!(
        doubts(&started("run Sender(q); run Receiver(q); q!3")),
        ["`xs out` in `Sender` is in doubt: a process `init` may send to the channel while it lives"]
    );
    assert_eq!(
        doubts(&started("run Sender(q); run Sender(q); run Receiver(q)")),
        ["`xs out` in `Sender` is in doubt: another one may send to the channel while it lives"]
    );
}
