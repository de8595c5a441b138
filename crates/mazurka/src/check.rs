//! Checking a model: choices in, a confirmed report out.

use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::native::Native;
use crate::report::Report;
use mazurka_engine::{
    Config, Dependency, Guarantee, Method, Monitor, OnFull, Order, Outcome, SearchKind, Silent, StoreKind,
    Verdict,
};
use mazurka_model::System;
use mazurka_replay::Run;
use std::time::Duration;

/// Checks a model for deadlocks and false assertions, with the choices that suit most.
///
/// The same as [`Checker::new(model).run()`](Checker::run).
pub fn check<M: Model>(model: &M) -> Report<M> {
    Checker::new(model).run()
}

/// The choices of a run.
///
/// ```no_run
/// # fn example(model: &impl mazurka::Model) {
/// use mazurka::{Checker, Method, SearchKind};
/// use std::time::Duration;
/// let report = Checker::new(model)
///     .search(SearchKind::Bfs)
///     .reduce(Method::None)
///     .time(Duration::from_secs(60))
///     .run();
/// report.assert_holds();
/// # }
/// ```
#[must_use = "nothing is checked before `run`"]
pub struct Checker<'m, M: Model> {
    model: &'m M,
    config: Config,
    monitor: &'m dyn Monitor,
}

impl<'m, M: Model> Checker<'m, M> {
    /// A depth-first search for the first deadlock or false assertion, reduced as far as the model's
    /// footprints and the properties allow.
    pub fn new(model: &'m M) -> Checker<'m, M> {
        Checker { model, config: Config::default(), monitor: &Silent }
    }

    /// All choices at once.
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// The order of visiting states; breadth first gives shortest counterexamples.
    pub fn search(mut self, search: SearchKind) -> Self {
        self.config.search = search;
        self
    }

    /// How a subset of the steps is chosen.
    pub fn reduce(mut self, method: Method) -> Self {
        self.config.reduction.method = method;
        self
    }

    /// Whether sleep sets are used on top.
    pub fn sleep_sets(mut self, sleep: bool) -> Self {
        self.config.reduction.sleep = sleep;
        self
    }

    /// When two operations on one object are taken to depend on each other.
    pub fn dependency(mut self, dependency: Dependency) -> Self {
        self.config.dependency = dependency;
        self
    }

    /// The order in which the processes of a state are tried.
    pub fn order(mut self, order: Order) -> Self {
        self.config.order = order;
        self
    }

    /// Whether states without successors that are not valid ends are errors. They are by default.
    pub fn deadlocks(mut self, checked: bool) -> Self {
        self.config.properties.deadlock = checked;
        self
    }

    /// Whether the model's assertions are checked. They are by default.
    pub fn assertions(mut self, checked: bool) -> Self {
        self.config.properties.assertions = checked;
        self
    }

    /// Goes on until all errors are found, instead of stopping at the first.
    pub fn all_errors(self) -> Self {
        self.max_errors(0)
    }

    /// Stops after this many errors; 0: never.
    pub fn max_errors(mut self, errors: usize) -> Self {
        self.config.max_errors = errors;
        self
    }

    /// Keeps of visited states what this store keeps; all of them by default. What is not exact never says
    /// that anything holds.
    pub fn store(mut self, store: StoreKind) -> Self {
        self.config.store = store;
        self
    }

    /// Goes on like this when an exact store is full, instead of giving up.
    pub fn on_full(mut self, on_full: OnFull) -> Self {
        self.config.on_full = on_full;
        self
    }

    /// Gives up when store and stack together exceed this many bytes.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.config.limits.memory = Some(bytes);
        self
    }

    /// Looks only at states at most this many steps from an initial one.
    pub fn depth(mut self, steps: u64) -> Self {
        self.config.limits.depth = Some(steps);
        self
    }

    /// Gives up after this time.
    pub fn time(mut self, time: Duration) -> Self {
        self.config.limits.time = Some(time);
        self
    }

    /// Gives up after this many states.
    pub fn states(mut self, states: u64) -> Self {
        self.config.limits.states = Some(states);
        self
    }

    /// Searches with this many threads, which share one store. Which of several errors is found first, and under a
    /// reduction how many states are stored, then depends on how they are scheduled.
    pub fn threads(mut self, threads: usize) -> Self {
        self.config.threads = threads;
        self
    }

    /// Tells `monitor` about progress, and stops when it says so.
    pub fn monitor(mut self, monitor: &'m dyn Monitor) -> Self {
        self.monitor = monitor;
        self
    }

    /// Explores the model and re-executes every counterexample before it is reported.
    pub fn run(self) -> Report<M> {
        let mut system = match self.config.properties.assertions {
            true => Native::new(self.model),
            false => Native::without_assertions(self.model),
        };
        if self.config.reduction.method == Method::None && !self.config.reduction.sleep {
            system.forget_footprints();
        }
        let mut outcome = mazurka_engine::check(&system, &self.config, self.monitor);
        if let Some(assertion) = system.obstacle() {
            outcome.notes.push(format!(
                "nothing is reduced, because the assertion `{}` looks at whole states; without assertions \
                 the model can be searched for deadlocks under a reduction",
                assertion.name()
            ));
        }
        let runs = confirm(&system, &mut outcome);
        let counterexamples: Vec<_> =
            runs.iter().filter_map(|run| Counterexample::of(&system, run)).collect();
        if counterexamples.len() < runs.len() {
            retract(&mut outcome, "its actions could not be found again");
            if !counterexamples.is_empty() {
                outcome.verdict = Verdict::Violated;
            }
        }
        Report { name: self.model.describe_model(), outcome, counterexamples }
    }
}

/// Explores any system, such as a [`program`](crate::program), and re-executes every finding before it is
/// returned.
pub fn check_system(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> (Outcome, Vec<Run>) {
    let mut outcome = mazurka_engine::check(system, config, monitor);
    let runs = confirm(system, &mut outcome);
    (outcome, runs)
}

/// Re-executes the findings. One that is refused is no finding: it is taken out of the outcome, which then
/// claims nothing unless another one was confirmed.
fn confirm(system: &dyn System, outcome: &mut Outcome) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut refusals = Vec::new();
    outcome.findings.retain(|finding| match mazurka_replay::confirm(system, finding) {
        Ok(run) => {
            runs.push(run);
            true
        }
        Err(refusal) => {
            refusals.push(refusal);
            false
        }
    });
    for refusal in refusals {
        retract(outcome, &refusal.to_string());
    }
    if !runs.is_empty() {
        outcome.verdict = Verdict::Violated;
    }
    runs
}

/// Notes that an error was not confirmed, and takes the verdict back.
fn retract(outcome: &mut Outcome, reason: &str) {
    outcome.notes.push(format!(
        "a counterexample was not confirmed when it was executed again ({reason}): the model depends on more \
         than its state, or Mazurka is at fault"
    ));
    outcome.verdict = Verdict::Unknown;
    outcome.guarantee = Guarantee::Bounded;
    outcome.guarantee_reason = "an error that was found could not be confirmed".to_owned();
}
