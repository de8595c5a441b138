//! Ample sets against the tables and examples of their paper (Peled 1993).

use mazurka_engine::{Config, Dependency, Method, Order, Reduction, Silent, check, explain};
use mazurka_model::{Batch, Chosen, ProcessId, System};
use mazurka_program::{Interpreter, text};
use std::fmt::Write;

fn system(source: &str) -> Interpreter {
    let parsed = text::parse("test.mzk", source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    Interpreter::new(program).expect("it can be built")
}

fn config(method: Method, dependency: Dependency, order: Order) -> Config {
    let reduction = Reduction { method, sleep: false };
    Config { reduction, dependency, order, max_errors: 0, ..Config::default() }
}

/// A pipeline: the first process makes and sends, the last receives and computes, those between do both.
fn pipeline(processes: usize) -> String {
    let mut source = "program pipeline\n".to_owned();
    let last = processes - 1;
    (0..last).for_each(|link| writeln!(source, "chan c{link}[0]: bit").unwrap());
    source.push_str("process P0() {\n  start make\n  make -> give\n  give -> make do c0!1\n}\n");
    for at in 1..last {
        let before = at - 1;
        writeln!(source, "process P{at}() {{\n  start get\n  get -> compute do c{before}?_").unwrap();
        writeln!(source, "  compute -> give\n  give -> get do c{at}!1\n}}").unwrap();
    }
    let before = last - 1;
    writeln!(
        source,
        "process P{last}() {{\n  start get\n  get -> compute do c{before}?_\n  compute -> get\n}}"
    )
    .unwrap();
    let started: Vec<String> = (0..processes).map(|at| format!("P{at}()")).collect();
    writeln!(source, "start {}", started.join(", ")).unwrap();
    source
}

/// Nodes and edges of the paper's last table; the visit of the root counts as a transition here.
#[test]
fn the_pipeline_is_reduced_as_in_the_table() {
    let table = [
        (3, (12, 20), (5, 5)),
        (4, (36, 76), (7, 7)),
        (5, (108, 276), (9, 9)),
        (6, (324, 972), (11, 11)),
        (7, (972, 3348), (13, 13)),
    ];
    for (processes, full, reduced) in table {
        let system = system(&pipeline(processes));
        for (method, expected) in [(Method::None, full), (Method::Ample, reduced)] {
            // The process nearest the end goes first.
            let config = config(method, Dependency::Refined, Order::Reverse);
            let statistics = check(&system, &config, &Silent).statistics;
            assert_eq!((statistics.states, statistics.transitions() - 1), expected, "{processes} {method:?}");
        }
    }
}

const LOCKS: &str = "\
program locks
mutex m
var g: byte
process Holder() {
  start free
  end location done
  free -> held do m.lock()
  held -> done do m.unlock()
}
process Late() {
  start first
  end location done
  first -> second do g = 1
  second -> last do m.lock()
  last -> done do m.unlock()
}
process Other() {
  start first
  end location done
  first -> done do g = 2
}
start Holder(), Late(), Other()
";

/// The steps that a method chooses once the first process has moved, as indices.
fn chosen(system: &dyn System, method: Method, dependency: Dependency) -> Vec<usize> {
    let (mut initial, mut batch) = (Batch::default(), Batch::default());
    system.initial(&mut initial);
    system.expand(initial.state(0), Chosen::Process(ProcessId(0)), &mut batch);
    explain(system, &config(method, dependency, Order::Forward), batch.state(0)).chosen
}

/// Unlocking depends on locking by the constant relation, and the late process will lock. But nobody can while
/// the lock is held, so unlocking is enough.
#[test]
fn what_is_never_enabled_together_need_not_come_along() {
    let system = system(LOCKS);
    assert_eq!(chosen(&system, Method::Ample, Dependency::Constant), [0]);
    assert_eq!(chosen(&system, Method::Persistent, Dependency::Constant), [1, 2]);
}

/// One sender and one receiver: neither waits for the other while there are messages and room, though nothing
/// declares that they are alone.
#[test]
fn exclusive_ends_of_channels_are_found_out() {
    let system = system(
        "program ends\nchan q[3]: byte\nprocess Sender() {\n  start a\n  a -> b do q!1\n  b -> c do q!2\n  \
         c -> a do q!3\n}\nprocess Receiver() {\n  start a\n  a -> a do q?_\n}\nstart Sender(), Receiver()\n",
    );
    assert_eq!(chosen(&system, Method::Ample, Dependency::Refined), [0]);
    assert_eq!(chosen(&system, Method::Ample, Dependency::Constant), [0, 1]);
}

/// A second receiver that is still busy may come to the message first: the attempt is given up.
#[test]
fn what_may_still_become_enabled_ends_an_attempt() {
    let system = system(
        "program rivals\nchan q[1]: byte\nvar g: byte\nprocess Sender() {\n  start a\n  end location b\n  a -> b do q!1\n}\n\
         process Quick() {\n  start a\n  end location b\n  a -> b do q?_\n}\nprocess Slow() {\n  start a\n  \
         end location c\n  a -> b do g = 1\n  b -> c do q?_\n}\nprocess Writer() {\n  start a\n  end location b\n  a -> b do g = 2\n}\n\
         start Sender(), Quick(), Slow(), Writer()\n",
    );
    assert_eq!(chosen(&system, Method::Ample, Dependency::Refined), [1, 2]);
}
