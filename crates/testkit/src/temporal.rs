//! Temporal properties: the engine's answer under every reduction against one that knows none of them.
//!
//! The [`oracle`](violated) makes the whole product of the state graph, step by step, and the automaton, and
//! decides emptiness by the fixed point of Emerson and Lei (1986): states are taken away from which some
//! acceptance set can't be reached any more. Runs that the engine shows are executed again, and judged by
//! the meaning of the formula; under fairness, it is looked whether they are fair.

use fastrand::Rng;
use mazurka_engine::temporal::{self, Algorithm, Fairness};
use mazurka_engine::{Config, Limits, Reduction, Silent, Verdict};
use mazurka_model::{Atoms, Batch, Chosen, Relations, Step, System};
use mazurka_program::interpreter::Conditions;
use mazurka_program::ir::{
    BinaryOperator, ChannelIndex, ChannelRef, Expression, Formula, FormulaOperator, GlobalId, Location,
    LocationId, ProcessType, Program, Property, PropertyKind, RemotePart, Transition, UnaryOperator,
    VariableRef,
};
use mazurka_program::{Interpreter, text};
use mazurka_property::Prepared;
use mazurka_replay::Run;
use std::collections::HashMap;

/// A program with the property that it states, ready to be searched.
pub struct Case {
    /// The program.
    pub system: Interpreter,
    /// Its property.
    pub prepared: Prepared,
    conditions: Conditions,
}

/// The methods that are compared, weakest first.
pub const METHODS: [&str; 9] =
    ["none", "local", "overman", "persistent", "stubborn", "conditional", "ample", "deletion", "auto"];

impl Case {
    /// Of the first property of a program; why not, if it can't be checked.
    pub fn new(program: Program) -> Result<Case, String> {
        let kind = program.properties.first().ok_or("the program states no property")?.kind.clone();
        let prepared = Prepared::new(&kind).map_err(|refused| refused.to_string())?;
        let mut system = Interpreter::new(program).map_err(|errors| format!("{errors:?}"))?;
        let conditions = system.conditions(&prepared.conditions);
        Ok(Case { system, prepared, conditions })
    }

    /// The answer of the engine, and how many product states it met. A run that it shows must be one, break the
    /// property and be fair, else this is an error.
    pub fn check(&self, fairness: Fairness, config: &Config) -> Result<(Verdict, u64), String> {
        let (verdict, states, _) = self.check_length(fairness, config, false)?;
        let nested = self.search(fairness, config, false, Algorithm::Nested)?.0;
        if nested != verdict {
            return Err(format!("{verdict:?}, but by nested search {nested:?}"));
        }
        Ok((verdict, states))
    }

    /// The same, with the length of the run, a shortest one if asked.
    pub fn check_length(
        &self,
        fairness: Fairness,
        config: &Config,
        shortest: bool,
    ) -> Result<(Verdict, u64, usize), String> {
        self.search(fairness, config, shortest, Algorithm::Components)
    }

    fn search(
        &self,
        fairness: Fairness,
        config: &Config,
        shortest: bool,
        emptiness: Algorithm,
    ) -> Result<(Verdict, u64, usize), String> {
        let atoms = self.system.atoms(&self.conditions);
        let Prepared { acceptor, buchi, stutter_invariant, .. } = &self.prepared;
        let stutter_invariant = *stutter_invariant;
        let acceptor = if emptiness == Algorithm::Nested { buchi } else { acceptor };
        let property = temporal::Property {
            number: 0,
            atoms: &atoms,
            acceptor,
            stutter_invariant,
            fairness,
            shortest,
            emptiness,
        };
        let outcome = temporal::check(&self.system, &property, config, &Silent);
        for finding in &outcome.findings {
            let run =
                mazurka_replay::confirm(&self.system, finding).map_err(|refused| refused.to_string())?;
            let letters: Vec<u64> = run.states().iter().map(|state| atoms.letter(state)).collect();
            let repeats = run.repeats.unwrap_or(letters.len());
            if !self.prepared.is_broken_by(&letters, repeats) {
                return Err("the run that was found does not break the property".to_owned());
            }
            if let Some(process) = self.wronged(&run, fairness) {
                return Err(format!("the run that was found is unfair to process {process}"));
            }
        }
        let length = outcome.findings.first().map_or(0, |finding| finding.trace.steps.len());
        Ok((outcome.verdict, outcome.statistics.states, length))
    }

    /// A process that a lasso is unfair to.
    fn wronged(&self, run: &Run, fairness: Fairness) -> Option<u16> {
        let from = run.repeats?;
        if fairness == Fairness::None || from == run.steps.len() {
            return None;
        }
        let mut moved = Vec::new();
        let mut outer = Vec::new();
        for index in from..run.steps.len() {
            moved.extend(movers(&self.system, run.before(index), run.steps[index].step.step));
            if !run.steps[index].interior {
                outer.push(run.before(index + 1));
            }
        }
        let can = |state: &&[u8], process: u16| {
            let mut enabled = Vec::new();
            self.system.enabled(state, &mut enabled);
            enabled.iter().any(|step| movers(&self.system, state, *step).contains(&process))
        };
        (0..64).filter(|process| !moved.contains(process) && !outer.is_empty()).find(|process| match fairness
        {
            Fairness::Weak => outer.iter().all(|state| can(state, *process)),
            _ => outer.iter().any(|state| can(state, *process)),
        })
    }
}

fn movers(system: &Interpreter, state: &[u8], step: Step) -> Vec<u16> {
    let mut footprint = Default::default();
    let mut alternatives = Vec::new();
    Relations::step(system, state, step, &mut footprint);
    system.alternatives(step, &footprint, &mut alternatives);
    alternatives.iter().map(|(process, _)| process.0).collect()
}

/// An edge of the whole product: from, to, and the conditions that it meets, as bits: acceptance sets, and
/// from bit 64 on the processes that it is fair to.
type ProductEdge = (usize, usize, u128);

/// The whole product of a case.
struct Product {
    edges: Vec<ProductEdge>,
    /// For each state, who can move there, as bits.
    enabled: Vec<u64>,
    /// Some state lies inside an atomic region.
    interior: bool,
}

impl Product {
    /// `None` if there are more than so many states. An edge is fair to those that it moves, and if `excused`
    /// also to those that can't move where it begins.
    fn new(case: &Case, most_states: usize, excused: bool) -> Option<Product> {
        let atoms = case.system.atoms(&case.conditions);
        let acceptor = &case.prepared.acceptor;
        let mut numbers: HashMap<(Vec<u8>, u32), usize> = HashMap::new();
        let mut batch = Batch::default();
        case.system.initial(&mut batch);
        let mut waiting: Vec<(Vec<u8>, u32)> = vec![(batch.state(0).to_vec(), acceptor.initial())];
        numbers.insert(waiting[0].clone(), 0);
        let mut product = Product { edges: Vec::new(), enabled: Vec::new(), interior: false };
        while product.enabled.len() < waiting.len() {
            if waiting.len() > most_states {
                return None;
            }
            let next = product.enabled.len();
            let (state, place) = waiting[next].clone();
            batch.clear();
            case.system.expand(&state, Chosen::All, &mut batch);
            product.interior |= batch.has_interior();
            let mut successors: Vec<(Vec<u8>, u64)> = Vec::new();
            for (index, successor) in batch.successors().iter().enumerate() {
                let moved = bits(&movers(&case.system, &state, successor.step));
                successors.push((batch.state(index).to_vec(), moved));
            }
            if successors.is_empty() {
                successors.push((state.clone(), 0));
            }
            let mut enabled = Vec::new();
            case.system.enabled(&state, &mut enabled);
            let enabled =
                enabled.iter().fold(0, |all, step| all | bits(&movers(&case.system, &state, *step)));
            product.enabled.push(enabled);
            let letter = atoms.letter(&state);
            for edge in acceptor.edges(place).iter().filter(|edge| edge.allows(letter)) {
                for (successor, moved) in &successors {
                    let pair = (successor.clone(), edge.target);
                    let number = *numbers.entry(pair.clone()).or_insert_with(|| {
                        waiting.push(pair);
                        waiting.len() - 1
                    });
                    let fair = moved | if excused { !enabled } else { 0 };
                    product.edges.push((next, number, u128::from(edge.marks) | u128::from(fair) << 64));
                }
            }
        }
        Some(product)
    }

    /// Whether there is an infinite run through states that are alive which meets each of the conditions again
    /// and again.
    fn has_run(&self, mut alive: Vec<bool>, conditions: u128) -> bool {
        let needed: Vec<u128> = (0..128).map(|bit| 1 << bit).filter(|bit| conditions & bit != 0).collect();
        // Without conditions any edge will do.
        let needed = if needed.is_empty() { vec![u128::MAX] } else { needed };
        let count = |alive: &[bool]| alive.iter().filter(|alive| **alive).count();
        loop {
            let before = count(&alive);
            for condition in &needed {
                let wanted = |met: u128| met & condition != 0 || *condition == u128::MAX;
                let mut reaches = vec![false; alive.len()];
                let mut changed = true;
                while changed {
                    changed = false;
                    for &(from, to, met) in &self.edges {
                        if alive[from] && alive[to] && !reaches[from] && (wanted(met) || reaches[to]) {
                            reaches[from] = true;
                            changed = true;
                        }
                    }
                }
                alive = reaches;
            }
            if count(&alive) == before {
                return before > 0;
            }
        }
    }
}

fn bits(processes: &[u16]) -> u64 {
    processes.iter().fold(0, |all, process| all | 1 << process)
}

/// Whether some run breaks the property, decided without the engine; `None` if there are more than so many
/// product states, or under fairness, atomic regions or many processes.
///
/// A strongly fair run leaves some processes alone from some point on, which can't move then, and moves all
/// others again and again: every such set of processes is tried.
pub fn violated(case: &Case, fairness: Fairness, most_states: usize) -> Option<bool> {
    let product = Product::new(case, most_states, fairness == Fairness::Weak)?;
    let acceptance = u128::from(case.prepared.acceptor.all_marks());
    let all = vec![true; product.enabled.len()];
    let processes = product.enabled.iter().fold(0, |all, enabled| all | enabled);
    if fairness != Fairness::None && (product.interior || processes >= 1 << 5) {
        return None;
    }
    Some(match fairness {
        Fairness::None => product.has_run(all, acceptance),
        Fairness::Weak => product.has_run(all, acceptance | u128::from(processes) << 64),
        Fairness::Strong => (0..=processes).filter(|alone| alone & !processes == 0).any(|alone| {
            let alive = product.enabled.iter().map(|enabled| enabled & alone == 0).collect();
            product.has_run(alive, acceptance | u128::from(processes & !alone) << 64)
        }),
    })
}

/// A random formula over what is shared in a program, and over where its processes stand.
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
                let part = Box::new(RemotePart::At(LocationId(random.u32(0..locations as u32))));
                let instance = Some(Box::new(Expression::Constant(slot as i32)));
                return Expression::Remote { process, instance, part };
            }
            _ => {}
        }
    }
    Expression::Constant(1)
}

/// What came of one random program and formula.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Compared.
    pub cases: u64,
    /// Too large, or not checkable.
    pub passed_over: u64,
    /// Of those, proven not to tell how often a letter is repeated.
    pub invariant: u64,
    /// Of those again, claims.
    pub claims: u64,
    /// Broken by some run.
    pub violated: u64,
    /// Broken by some weakly fair run.
    pub weakly: u64,
    /// Broken by some strongly fair run.
    pub strongly: u64,
    /// Product states of the full search where the property holds, and of the strongest reduction.
    pub full: u64,
    /// See `full`.
    pub reduced: u64,
}

/// Compares all methods on the program and the formula of a seed.
pub fn compare(seed: u64, most_states: usize, tally: &mut Tally) -> Result<(), String> {
    let mut random = Rng::with_seed(seed ^ 0x7e3a);
    let mut program = crate::generate::program(seed);
    // Every third property is a claim.
    let kind = match random.u32(0..3) {
        0 => PropertyKind::Never(claim(&program, &mut random)),
        _ => PropertyKind::Formula(formula(&program, &mut random)),
    };
    let name = "random".to_owned();
    program.properties = vec![Property { name, kind: kind.clone(), span: Default::default() }];
    let printed = text::print(&program);
    let describe = |message: String| format!("seed {seed}: {message}\n{kind:?}\n{printed}");
    let Ok(case) = Case::new(program) else {
        tally.passed_over += 1;
        return Ok(());
    };
    let Some(expected) = violated(&case, Fairness::None, most_states) else {
        tally.passed_over += 1;
        return Ok(());
    };
    let verdict = |violated| if violated { Verdict::Violated } else { Verdict::Holds };
    let expected = verdict(expected);
    for method in METHODS {
        for order in ["forward", "reverse"] {
            let config = config(method, order);
            let (found, states) = case
                .check(Fairness::None, &config)
                .map_err(|e| describe(format!("{method} {order}: {e}")))?;
            if found != expected {
                return Err(describe(format!("{method} {order}: {found:?}, expected {expected:?}")));
            }
            if found == Verdict::Holds && order == "forward" {
                match method {
                    "none" => tally.full += states,
                    "auto" => tally.reduced += states,
                    _ => {}
                }
            }
        }
    }
    let full = config("none", "forward");
    let fair = |fairness| -> Result<Verdict, String> {
        let found = case.check(fairness, &full).map_err(&describe)?.0;
        match violated(&case, fairness, most_states) {
            Some(expected) if verdict(expected) != found => {
                Err(describe(format!("{fairness}: {found:?}, expected {:?}", verdict(expected))))
            }
            _ => Ok(found),
        }
    };
    let (weak, strong) = (fair(Fairness::Weak)?, fair(Fairness::Strong)?);
    if weak == Verdict::Violated && expected == Verdict::Holds
        || strong == Verdict::Violated && weak == Verdict::Holds
    {
        return Err(describe(format!("none {expected:?}, weak {weak:?}, strong {strong:?}")));
    }
    tally.cases += 1;
    let is_claim = matches!(kind, PropertyKind::Never(_));
    tally.claims += u64::from(is_claim && case.prepared.stutter_invariant);
    tally.invariant += u64::from(case.prepared.stutter_invariant);
    tally.violated += u64::from(expected == Verdict::Violated);
    tally.weakly += u64::from(weak == Verdict::Violated);
    tally.strongly += u64::from(strong == Verdict::Violated);
    Ok(())
}

/// The configuration of a method and an order by their names.
pub fn config(method: &str, order: &str) -> Config {
    Config {
        reduction: method.parse().unwrap_or(Reduction { method: mazurka_engine::Method::None, sleep: false }),
        order: order.parse().unwrap_or(mazurka_engine::Order::Forward),
        limits: Limits { states: Some(1_000_000), ..Limits::default() },
        ..Config::default()
    }
}
