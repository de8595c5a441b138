//! Random properties: formulas and never claims over programs, formulas over the markings of nets.

use fastrand::Rng;
use mazurka_front::petri::{self, Linear, Net};
use mazurka_program::Program;
use mazurka_program::ir::{
    BinaryOperator, ChannelIndex, ChannelRef, Expression, Formula, FormulaOperator, GlobalId, Location,
    LocationId, ProcessQuestion, ProcessType, RemotePart, Transition, UnaryOperator, VariableRef,
};

/// A random formula over what is shared in a program, and over where its processes stand and whether they can move.
pub fn formula(program: &Program, random: &mut Rng) -> Formula {
    let atoms: Vec<Formula> =
        (0..random.usize(1..4)).map(|_| Formula::Atom(condition(program, random))).collect();
    let size = random.usize(2..8);
    grow(&atoms, random, size)
}

/// A random never claim: a few locations, some accepting, that wait for one or two conditions or their contrary.
/// In half of them a location can be kept by what leads out of it; some of those can't tell how often a letter is
/// repeated.
pub fn claim(program: &Program, random: &mut Rng) -> ProcessType {
    let conditions: Vec<Expression> = (0..random.usize(1..3)).map(|_| condition(program, random)).collect();
    let count = random.u32(2..5);
    let location = |place: u32| Location { name: format!("s{place}"), ..Location::default() };
    let mut claim = ProcessType {
        name: "random".to_owned(),
        locations: (0..=count).map(location).collect(),
        ..ProcessType::default()
    };
    let stuttering = random.bool();
    for place in 0..count {
        claim.locations[place as usize].accept = random.u32(0..3) == 0;
        let mut here = Vec::new();
        for one in &conditions {
            match random.u32(0..8) {
                0..2 => {}
                2..5 => here.push(one.clone()),
                _ => here.push(Expression::Unary(UnaryOperator::Not, Box::new(one.clone()))),
            }
        }
        let mut add = |to: u32, guard: Vec<Expression>, random: &mut Rng| {
            let otherwise = !stuttering && random.u32(0..12) == 0;
            let (from, to) = (LocationId(place), LocationId(to));
            claim.transitions.push(Transition { from, to, guard, otherwise, ..Transition::default() });
        };
        if stuttering {
            add(place, here.clone(), random);
        }
        for _ in 0..random.u32(1..4) {
            let guard = match stuttering {
                true => here.clone(),
                false => conditions.iter().filter(|_| random.bool()).cloned().collect(),
            };
            // The last location is the end, which few transitions lead to.
            let end = random.u32(0..8) == 0;
            add(if end { count } else { random.u32(0..count) }, guard, random);
        }
    }
    claim
}

fn grow(atoms: &[Formula], random: &mut Rng, size: usize) -> Formula {
    if size <= 1 {
        return atoms[random.usize(0..atoms.len())].clone();
    }
    if random.bool() || size == 2 {
        let one = Box::new(grow(atoms, random, size - 1));
        return match random.u32(0..20) {
            0..7 => Formula::Always(one),
            7..14 => Formula::Eventually(one),
            14 => Formula::Next(one),
            _ => Formula::Not(one),
        };
    }
    let left = random.usize(1..size - 1);
    let operators = [
        FormulaOperator::And,
        FormulaOperator::Or,
        FormulaOperator::Implies,
        FormulaOperator::Equivalent,
        FormulaOperator::Until,
        FormulaOperator::Until,
        FormulaOperator::WeakUntil,
        FormulaOperator::Release,
    ];
    let operator = operators[random.usize(0..operators.len())];
    let (left, right) = (grow(atoms, random, left), grow(atoms, random, size - 1 - left));
    Formula::Binary(operator, Box::new(left), Box::new(right))
}

fn condition(program: &Program, random: &mut Rng) -> Expression {
    let compare = |left, value| {
        Expression::Binary(BinaryOperator::Equal, Box::new(left), Box::new(Expression::Constant(value)))
    };
    for _ in 0..20 {
        match random.u32(0..10) {
            0..6 if !program.globals.is_empty() => {
                let number = random.usize(0..program.globals.len());
                let variable = VariableRef::Global(GlobalId(number as u32));
                let value = random.i32(0..2);
                return match program.globals[number].length {
                    None => compare(Expression::Variable(variable), value),
                    Some(length) => {
                        let index = Expression::Constant(random.i32(0..length as i32));
                        compare(Expression::Element(variable, Box::new(index)), value)
                    }
                };
            }
            6..8 if !program.channels.is_empty() => {
                let number = random.u32(0..program.channels.len() as u32);
                let channel = Box::new(Expression::Channel(ChannelRef::Global(ChannelIndex(number))));
                return match random.u32(0..3) {
                    0 => Expression::Empty(channel),
                    1 => Expression::Full(channel),
                    _ => compare(Expression::Length(channel), 1),
                };
            }
            _ if !program.initial.is_empty() => {
                let slot = random.usize(0..program.initial.len());
                let process = program.initial[slot].process;
                let locations = program.types[process.index()].locations.len();
                let location = random.u32(0..locations as u32);
                let instance = Box::new(Expression::Constant(slot as i32));
                match random.u32(0..5) {
                    0 => return Expression::Process(ProcessQuestion::Enabled, instance),
                    1 => {
                        let standing = Expression::Process(ProcessQuestion::Location, instance);
                        return compare(standing, location as i32 + 1);
                    }
                    _ => {}
                }
                let part = Box::new(RemotePart::At(LocationId(location)));
                let instance = Some(instance);
                return Expression::Remote { process, instance, part };
            }
            _ => {}
        }
    }
    Expression::Constant(1)
}

/// A random formula over the markings of a net.
pub fn linear(net: &Net, random: &mut Rng) -> Linear {
    let atoms: Vec<petri::Formula> =
        (0..random.usize(1..4)).map(|_| crate::petri::formula(net, random.u64(..))).collect();
    let size = random.usize(2..7);
    grow_linear(&atoms, random, size)
}

fn grow_linear(atoms: &[petri::Formula], random: &mut Rng, size: usize) -> Linear {
    if size <= 1 {
        return Linear::State(atoms[random.usize(0..atoms.len())].clone());
    }
    if random.bool() || size == 2 {
        let one = Box::new(grow_linear(atoms, random, size - 1));
        return match random.u32(0..20) {
            0..8 => Linear::Globally(one),
            8..16 => Linear::Finally(one),
            16 => Linear::Next(one),
            _ => Linear::Not(one),
        };
    }
    let left = random.usize(1..size - 1);
    let (left, right) = (grow_linear(atoms, random, left), grow_linear(atoms, random, size - 1 - left));
    match random.u32(0..4) {
        0 => Linear::And(vec![left, right]),
        1 => Linear::Or(vec![left, right]),
        _ => Linear::Until(Box::new(left), Box::new(right)),
    }
}
