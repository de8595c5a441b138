//! Temporal properties: the engine's answer under every reduction against one that knows none of them.
//!
//! The [oracle] makes the whole product of the state graph, step by step, and the automaton. Runs that the engine shows are
//! executed again, and judged by the meaning of the formula; under fairness, it is looked whether they are fair.
//! [Programs and nets with properties](generate) at random are compared by the [campaign].

pub mod campaign;
pub mod generate;
pub mod oracle;

pub use campaign::{Tally, check_reductions, compare};
pub use oracle::violated;

use mazurka_engine::check_reduction;
use mazurka_engine::temporal::{self, Algorithm, Fairness, Representatives};
use mazurka_engine::{Config, Limits, Reduction, Silent, Verdict};
use mazurka_front::petri::{self, Linear, NetSystem};
use mazurka_model::{Atoms, Step, System};
use mazurka_program::Interpreter;
use mazurka_program::interpreter::Conditions;
use mazurka_program::ir::Program;
use mazurka_property::Prepared;
use mazurka_replay::Run;

/// A model with a property, ready to be searched.
pub struct Case {
    model: Model,
    /// The property.
    pub prepared: Prepared<()>,
}

enum Model {
    Program(Box<Interpreter>, Conditions),
    Net(Box<NetSystem>, petri::atoms::Conditions),
}

/// The methods that are compared, weakest first.
pub const METHODS: [&str; 9] =
    ["none", "local", "overman", "persistent", "stubborn", "conditional", "ample", "deletion", "auto"];

/// States of the full graph in the checked mode, at most.
const MOST_CHECKED: u64 = 10_000;

/// How runs are looked for.
#[derive(Copy, Clone, Debug, Default)]
pub struct Way {
    /// Which of them count.
    pub fairness: Fairness,
    /// Which of them may stand for others.
    pub representatives: Representatives,
    /// Whether a shortest is wanted.
    pub shortest: bool,
    /// By which algorithm.
    pub emptiness: Algorithm,
}

/// What came of a search.
#[derive(Copy, Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub verdict: Verdict,
    /// How many product states were met.
    pub states: u64,
    /// The length of the run that was found.
    pub length: usize,
}

impl Case {
    /// Of the first property of a program; why not, if it can't be checked.
    pub fn new(program: Program) -> Result<Case, String> {
        let kind = program.properties.first().ok_or("the program states no property")?.kind.clone();
        let (prepared, conditions) = Prepared::new(&kind).map_err(|refused| refused.to_string())?.split();
        let mut system = Interpreter::new(program).map_err(|errors| format!("{errors:?}"))?;
        let conditions = system.conditions(&conditions);
        Ok(Case { model: Model::Program(Box::new(system), conditions), prepared })
    }

    /// Of a formula over the markings of a net.
    pub fn of_net(mut system: NetSystem, formula: &Linear) -> Result<Case, String> {
        let (prepared, conditions) =
            Prepared::of_net(formula).map_err(|refused| refused.to_string())?.split();
        let conditions = system.conditions(&conditions);
        Ok(Case { model: Model::Net(Box::new(system), conditions), prepared })
    }

    /// The system.
    pub fn system(&self) -> &dyn System {
        match &self.model {
            Model::Program(system, _) => &**system,
            Model::Net(system, _) => &**system,
        }
    }

    /// What the property sees of it.
    pub fn atoms(&self) -> Box<dyn Atoms + '_> {
        match &self.model {
            Model::Program(system, conditions) => Box::new(system.atoms(conditions)),
            Model::Net(system, conditions) => Box::new(system.atoms(conditions)),
        }
    }

    /// The answer of the engine, and how many product states it met. A run that it shows must be one, break the
    /// property and be fair, else this is an error.
    pub fn check(&self, fairness: Fairness, config: &Config) -> Result<(Verdict, u64), String> {
        let way = Way { fairness, ..Way::default() };
        let Answer { verdict, states, .. } = self.search(way, config)?;
        let nested = self.search(Way { emptiness: Algorithm::Nested, ..way }, config)?.verdict;
        if nested != verdict {
            return Err(format!("{verdict:?}, but by nested search {nested:?}"));
        }
        Ok((verdict, states))
    }

    /// The property as a search takes it that sees the system through these atoms.
    fn property<'a>(&'a self, atoms: &'a dyn Atoms, way: Way) -> temporal::Property<'a> {
        let Prepared { acceptor, buchi, stutter_invariant, components, safety, .. } = &self.prepared;
        temporal::Property {
            number: 0,
            atoms,
            acceptor: if way.emptiness == Algorithm::Nested { buchi } else { acceptor },
            stutter_invariant: *stutter_invariant,
            components,
            safety: *safety,
            representatives: way.representatives,
            fairness: way.fairness,
            shortest: way.shortest,
            emptiness: way.emptiness,
        }
    }

    /// What the checked mode of the engine says of what is left out for the property, seen through these atoms.
    pub fn check_reduction(&self, atoms: &dyn Atoms, way: Way, config: &Config) -> check_reduction::Report {
        let graph = check_reduction::explore(self.system(), MOST_CHECKED, &Silent);
        check_reduction::verify_temporal(&graph, &self.property(atoms, way), config, 1, &Silent)
    }

    /// The answer of the engine to one search. A run that it shows must be one, break the property and be fair, else
    /// this is an error.
    pub fn search(&self, way: Way, config: &Config) -> Result<Answer, String> {
        let atoms = self.atoms();
        let outcome = temporal::check(self.system(), &self.property(&*atoms, way), config, &Silent);
        for finding in &outcome.findings {
            let run =
                mazurka_replay::confirm(self.system(), finding).map_err(|refused| refused.to_string())?;
            let states = run.states();
            let repeats = run.repeats.unwrap_or(states.len());
            let ends = repeats == run.steps.len();
            if !self.prepared.is_broken_by_run(&*atoms, &states, repeats, ends) {
                return Err("the run that was found does not break the property".to_owned());
            }
            if let Some(who) = self.wronged(&run, way.fairness) {
                return Err(format!("the run that was found is unfair to {who}"));
            }
        }
        let length = outcome.findings.first().map_or(0, |finding| finding.trace.steps.len());
        Ok(Answer { verdict: outcome.verdict, states: outcome.statistics.states, length })
    }

    /// A process, or a step, that a lasso is unfair to.
    fn wronged(&self, run: &Run, fairness: Fairness) -> Option<String> {
        let from = run.repeats?;
        if fairness == Fairness::None || from == run.steps.len() {
            return None;
        }
        let system = self.system();
        let taken: Vec<(&[u8], Step)> =
            (from..run.steps.len()).map(|index| (run.before(index), run.steps[index].step.step)).collect();
        let outer: Vec<&[u8]> = (from..run.steps.len())
            .filter(|index| !run.steps[*index].interior)
            .map(|index| run.before(index + 1))
            .collect();
        let enabled = |state: &[u8]| {
            let mut enabled = Vec::new();
            system.enabled(state, &mut enabled);
            enabled
        };
        let &first = outer.first()?;
        if fairness == Fairness::Trace {
            let always = |step: &Step| outer.iter().all(|state| enabled(state).contains(step));
            let met = |step: &Step| {
                taken.iter().any(|(state, one)| {
                    enabled(state).contains(step) && oracle::dependent(system, state, *one, *step)
                })
            };
            let wronged = enabled(first).into_iter().find(|step| always(step) && !met(step))?;
            return Some(format!("step {wronged:?}"));
        }
        let moved: Vec<u16> =
            taken.iter().flat_map(|(state, step)| oracle::movers(system, state, *step)).collect();
        let can = |state: &&[u8], process: u16| {
            enabled(state).iter().any(|step| oracle::movers(system, state, *step).contains(&process))
        };
        let wronged = (0..64).filter(|process| !moved.contains(process)).find(|process| match fairness {
            Fairness::Weak => outer.iter().all(|state| can(state, *process)),
            _ => outer.iter().any(|state| can(state, *process)),
        })?;
        Some(format!("process {wronged}"))
    }
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
