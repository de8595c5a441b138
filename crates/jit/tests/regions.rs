//! How far compiled code goes through atomic regions by itself: to their end where there is one way, and else to where it
//! must be decided. That what lies behind a region is the same as step by step, the testkit compares.

use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, ProcessId, Step, System};
use mazurka_program::{Interpreter, text};

fn compiled(source: &str) -> Compiled {
    let parsed = text::parse("p.mzk", source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let interpreter = Interpreter::new(program).expect("the program is valid");
    Compiled::new(Box::new(interpreter)).expect("this machine is supported")
}

/// The process `P` of two, of which the other can always move, with these transitions.
fn program(globals: &str, transitions: &str) -> Compiled {
    compiled(&format!(
        "program p\nvar n: byte\nvar m: byte\n{globals}process P() {{\n  local x: byte\n{transitions}}}\n\
         process Q() {{\n  idle -> idle do m = m\n}}\nstart P(), Q()\n"
    ))
}

/// Takes steps of process 0 in the initial state. The steps taken inside, and for each successor whether it is interior
/// and what single steps of process 0 lead to it: that many of them.
fn through(system: &Compiled) -> (u64, Vec<(bool, u64)>) {
    let mut initial = Batch::default();
    system.initial(&mut initial);
    let mut batch = Batch::default();
    system.expand_through(initial.state(0), Chosen::Process(ProcessId(0)), &mut batch);
    let mut single = Batch::default();
    let found = (batch.successors().iter().enumerate())
        .map(|(index, successor)| {
            let mut state = initial.state(0).to_vec();
            let mut steps = 0;
            let mut step = successor.step;
            while state != batch.state(index) {
                single.clear();
                system.interpreter().expand(&state, Chosen::Steps(&[step]), &mut single);
                assert_eq!(single.len(), 1, "there is one way");
                state = single.state(0).to_vec();
                steps += 1;
                let mut enabled: Vec<Step> = Vec::new();
                system.enabled(&state, &mut enabled);
                step = enabled[0];
            }
            (successor.interior, steps)
        })
        .collect();
    (batch.take_walked(), found)
}

#[test]
fn a_region_of_one_way_is_one_successor() {
    let system = program(
        "chan q[1]: byte\n",
        "  a -> b holding do n = 1\n  b -> c holding do q!n + 1\n  c -> d holding do q?x\n  d -> a do n = x\n",
    );
    assert_eq!(through(&system), (3, vec![(false, 4)]));
    assert_eq!(system.left(), 0);
}

#[test]
fn single_steps_stay_single() {
    let system = program("", "  a -> b holding do n = 1\n  b -> c holding do n = 2\n  c -> a do n = 3\n");
    let (mut initial, mut batch) = (Batch::default(), Batch::default());
    system.initial(&mut initial);
    system.expand(initial.state(0), Chosen::All, &mut batch);
    assert!(batch.successors()[0].interior);
    assert_eq!(batch.take_walked(), 0);
}

#[test]
fn a_choice_that_values_decide_is_no_choice() {
    let system = program(
        "",
        "  a -> b holding do n = 2\n  b -> c holding when n == 1 do x = 1\n  b -> c holding when n == 2 do x = 2\n  \
         b -> c holding otherwise do x = 3\n  c -> a when x == 1\n  c -> a otherwise do n = x\n",
    );
    assert_eq!(through(&system), (2, vec![(false, 3)]));
}

#[test]
fn of_a_group_the_first_is_taken() {
    let system = program(
        "",
        "  a -> b holding do n = 2\n  b -> c holding in_group 1 when n > 5 do x = 1\n  \
         b -> c holding in_group 1 when n > 0 do x = 2\n  b -> c holding in_group 1 when n > 1 do x = 3\n  c -> a do n = x\n",
    );
    assert_eq!(through(&system), (2, vec![(false, 3)]));
}

#[test]
fn a_real_choice_is_handed_out() {
    let system = program(
        "",
        "  a -> b holding do n = 2\n  b -> c holding do x = 1\n  c -> a when n > 0 do n = 5\n  c -> a when n > 1 do n = 6\n",
    );
    assert_eq!(through(&system), (1, vec![(true, 2)]));
}

#[test]
fn a_region_is_left_where_its_process_cannot_go_on() {
    let system =
        program("chan q[1]: byte\n", "  a -> b holding do q!1\n  b -> c holding do n = 2\n  c -> a do q!2\n");
    assert_eq!(through(&system), (1, vec![(false, 2)]));
}

#[test]
fn a_process_that_must_go_on_and_cannot_is_left_to_the_interpreter() {
    let system = program(
        "chan q[1]: byte\n",
        "  a -> b holding do q!1\n  b -> c holding do n = 2\n  c -> a do q!2\n  urgent location c\n",
    );
    assert_eq!(through(&system), (0, vec![(true, 1)]));
    assert_eq!(system.left(), 1);
}

#[test]
fn what_is_wrong_is_wrong_at_its_own_step() {
    let system = program(
        "var list: byte[2]\n",
        "  a -> b holding do n = 2\n  b -> c holding do x = 1\n  c -> a do list[n] = 1\n",
    );
    assert_eq!(through(&system), (0, vec![(true, 1)]));
    let system = program("", "  a -> b holding do n = 2\n  b -> c holding do assert n == 1\n  c -> a\n");
    assert_eq!(through(&system), (0, vec![(true, 1)]));
}

#[test]
fn a_circle_is_given_up_and_a_short_one_is_not() {
    let system =
        program("", "  a -> b holding do n = 2\n  b -> c holding do n = 3\n  c -> b holding do n = 4\n");
    let (walked, found) = through_unseen(&system);
    assert!(walked > 50 && walked < 1_000, "{walked}");
    assert_eq!(found, [true]);
    let system = program(
        "",
        "  a -> b holding do n = 0\n  b -> b holding when n < 20 do n = n + 1\n  b -> a when n >= 20\n",
    );
    assert_eq!(through(&system), (21, vec![(false, 22)]));
}

/// The same without a look at the way.
fn through_unseen(system: &Compiled) -> (u64, Vec<bool>) {
    let (mut initial, mut batch) = (Batch::default(), Batch::default());
    system.initial(&mut initial);
    system.expand_through(initial.state(0), Chosen::Process(ProcessId(0)), &mut batch);
    (batch.take_walked(), batch.successors().iter().map(|successor| successor.interior).collect())
}

#[test]
fn what_asks_for_others_is_handed_out() {
    for unusual in ["c -> a do h!1", "c -> a do run Q()", "c -> a when _timeout || n == 2"] {
        let system = program(
            "chan h[0]: byte\n",
            &format!("  a -> b holding do n = 2\n  b -> c holding do x = 1\n  {unusual}\n"),
        );
        let (walked, found) = through_unseen(&system);
        // Nobody shakes hands, so that the process can't go on there.
        assert_eq!((walked, found), (1, vec![!unusual.contains('!')]), "{unusual}");
    }
}
