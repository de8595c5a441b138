//! The simplifications of a program, the boldest first.
//!
//! Declarations, transitions and whole process types are taken out of the *text* of the program, a
//! line at a time: what is left is parsed again, so that nothing has to be renumbered, and a name
//! that is still used makes the candidate no program at all.

use super::rewrite;
use mazurka_program::ir::{Effect, Expression, Pattern, Transition};
use mazurka_program::{Program, text};

/// All programs that are a little simpler than `program`. Some may be invalid.
pub fn simpler(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for index in 0..program.initial.len() {
        let mut candidate = program.clone();
        candidate.initial.remove(index);
        all.push(candidate);
    }
    shorter_texts(program, &mut all);
    each_transition(program, &mut all, transition_parts);
    each_transition(program, &mut all, simpler_expressions);
    flags(program, &mut all);
    all
}

fn shorter_texts(program: &Program, all: &mut Vec<Program>) {
    let printed = text::print(program);
    let lines: Vec<&str> = printed.lines().collect();
    let mut without = |from: usize, to: usize| {
        let kept: Vec<&str> = [&lines[..from], &lines[to..]].concat();
        // A location that is left out comes back in another place if a transition leaves it.
        if let Some(shorter) = text::parse(&program.name, &kept.join("\n")).program
            && text::print(&shorter).lines().count() < lines.len()
        {
            all.push(shorter.without_spans());
        }
    };
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("process ")
            && let Some(length) = lines[index..].iter().position(|l| *l == "}")
        {
            without(index, index + length + 1);
        }
    }
    // From the end: what comes later uses what comes before.
    for index in (1..lines.len()).rev() {
        without(index, index + 1);
    }
}

/// Adds the candidates in which one transition is replaced.
fn each_transition(
    program: &Program,
    all: &mut Vec<Program>,
    simplify: fn(&Transition, &mut dyn FnMut(Transition)),
) {
    for (at, process) in program.types.iter().enumerate() {
        for (index, transition) in process.transitions.iter().enumerate() {
            simplify(transition, &mut |simpler| {
                let mut candidate = program.clone();
                candidate.types[at].transitions[index] = simpler;
                all.push(candidate);
            });
        }
    }
}

fn transition_parts(transition: &Transition, add: &mut dyn FnMut(Transition)) {
    for index in 0..transition.effects.len() {
        let mut simpler = transition.clone();
        simpler.effects.remove(index);
        add(simpler);
    }
    for index in 0..transition.guard.len() {
        let mut simpler = transition.clone();
        simpler.guard.remove(index);
        add(simpler);
    }
    if transition.otherwise {
        add(Transition { otherwise: false, ..transition.clone() });
    }
    for index in 0..transition.effects.len() {
        let mut simpler = transition.clone();
        match &mut simpler.effects[index] {
            Effect::Send { sorted, .. } => *sorted = false,
            Effect::Receive { patterns, anywhere, keep, .. } => {
                if *anywhere || *keep {
                    (*anywhere, *keep) = (false, false);
                } else {
                    patterns.fill(Pattern::Ignore);
                }
            }
            Effect::Operate { target, .. } | Effect::Run { target, .. } => *target = None,
            Effect::Assign { .. }
            | Effect::Assert(_)
            | Effect::Print { .. }
            | Effect::SetPriority { .. }
            | Effect::Exit => continue,
        }
        add(simpler);
    }
}

/// Replaces one expression by 0, by 1, or by one of its operands.
fn simpler_expressions(transition: &Transition, add: &mut dyn FnMut(Transition)) {
    for position in 0.. {
        let mut found = false;
        for choice in 0.. {
            let mut simpler = transition.clone();
            let mut left = position;
            let mut changed = false;
            rewrite::roots(&mut simpler, &mut |e| changed |= replace(e, &mut left, choice, &mut found));
            if !changed {
                break;
            }
            add(simpler);
        }
        if !found {
            return;
        }
    }
}

/// Replaces the expression that is number `left` in preorder by its simplification number `choice`.
fn replace(e: &mut Expression, left: &mut usize, choice: usize, found: &mut bool) -> bool {
    if *left == usize::MAX {
        return false;
    }
    if *left > 0 {
        *left -= 1;
        let mut changed = false;
        rewrite::operands(e, &mut |operand| changed |= replace(operand, left, choice, found));
        return changed;
    }
    *left = usize::MAX;
    *found = true;
    let mut options: Vec<Expression> = Vec::new();
    match e {
        Expression::Constant(0) => {}
        Expression::Constant(1) => options.push(0.into()),
        _ => options.extend([Expression::Constant(0), Expression::Constant(1)]),
    }
    e.for_each_operand(&mut |operand| options.push(operand.clone()));
    match options.into_iter().nth(choice) {
        Some(option) => {
            *e = option;
            true
        }
        None => false,
    }
}

fn flags(program: &Program, all: &mut Vec<Program>) {
    for (at, process) in program.types.iter().enumerate() {
        for (index, transition) in process.transitions.iter().enumerate() {
            if transition.atomic {
                let mut candidate = program.clone();
                candidate.types[at].transitions[index].atomic = false;
                all.push(candidate);
            }
        }
        for (index, location) in process.locations.iter().enumerate() {
            if !location.end {
                let mut candidate = program.clone();
                candidate.types[at].locations[index].end = true;
                all.push(candidate);
            }
        }
    }
    for (index, channel) in program.channels.iter().enumerate() {
        if channel.capacity > 1 {
            let mut candidate = program.clone();
            candidate.channels[index].capacity -= 1;
            all.push(candidate);
        }
    }
    for (index, global) in program.globals.iter().enumerate() {
        if !global.initial.is_empty() {
            let mut candidate = program.clone();
            candidate.globals[index].initial.clear();
            all.push(candidate);
        }
    }
}
