//! Sound programs run without the interpreter. That compiled code agrees with it is tested by the testkit.

use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, System};
use mazurka_program::{Interpreter, text};
use std::collections::HashSet;

/// Explores a program with compiled code alone; how many states there are, and how much was left to the interpreter.
fn explore(source: &str) -> (usize, u64) {
    let parsed = text::parse("p.mzk", source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let interpreter = Interpreter::new(program).expect("the program is valid");
    let compiled = Compiled::new(Box::new(interpreter)).expect("this machine is supported");
    assert_eq!(compiled.coverage().interpreted, 0);
    let mut batch = Batch::default();
    compiled.initial(&mut batch);
    let mut seen: HashSet<Vec<u8>> = HashSet::from([batch.state(0).to_vec()]);
    let mut pending: Vec<Vec<u8>> = seen.iter().cloned().collect();
    while let Some(state) = pending.pop() {
        batch.clear();
        compiled.expand(&state, Chosen::All, &mut batch);
        assert!(batch.violations().is_empty());
        for index in 0..batch.len() {
            if seen.insert(batch.state(index).to_vec()) {
                pending.push(batch.state(index).to_vec());
            }
        }
    }
    (seen.len(), compiled.left())
}

#[test]
fn variables_and_arrays() {
    let source = "program p\nvar wants: bit[2]\nvar turn: bit\nvar inside: unsigned(2)\nprocess P(me: bit) {\n  \
        idle -> asked do wants[me] = 1\n  asked -> wait do turn = 1 - me\n  \
        wait -> critical when wants[1 - me] == 0 || turn == me do inside = inside + 1\n  \
        critical -> leave do assert inside == 1\n  leave -> idle do inside = inside - 1; wants[me] = 0\n}\n\
        start P(0), P(1)\n";
    assert_eq!(explore(source), (26, 0));
}

#[test]
fn channels_as_values_and_processes_that_come_and_go() {
    let source = "program p\nvar seen: byte\nchan q[2]: byte, chan\nprocess Server() {\n  local answer: chan\n  local x: byte\n  \
        wait -> serve do q?x,answer\n  serve -> wait do answer!x + 1\n}\n\
        process Client(x: byte) {\n  chan own[1]: byte\n  local y: byte\n  \
        begin -> wait do q!x,own\n  wait -> check do own?y\n  check -> gone do assert y == x + 1; seen = seen + 1\n  gone -> gone do exit\n}\n\
        process Init() {\n  one -> two do run Client(3)\n  two -> done do run Client(5)\n  end location done\n}\n\
        start Server(), Init()\n";
    let (states, left) = explore(source);
    assert!(states > 20, "{states}");
    assert_eq!(left, 0);
}

#[test]
fn handshakes_and_atomic_regions() {
    let source = "program p\nvar n: byte\nchan c[0]: byte\nprocess A() {\n  \
        one -> two do c!3\n  two -> one holding do n = n + 1\n}\nprocess B() {\n  local x: byte\n  \
        one -> one do c?x\n  one -> one when n > 3 do n = 0\n}\nstart A(), B()\n";
    let (states, left) = explore(source);
    assert!(states > 8, "{states}");
    assert_eq!(left, 0);
}
