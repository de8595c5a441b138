//! Which steps of a state are enough: the methods that choose, and the relations they rest on.
//!
//! A method proposes subsets of a state's enabled steps, each a *persistent set* (Godefroid and
//! Pirottin 1993, Definition 7): nothing that the rest of the system does before it takes a step of
//! the set depends on that set. What else a property needs is the search's to grant:
//!
//! deadlocks need nothing more, assertions a [`Proviso`].
//!
//! Sleep sets ([`sleep`]) work on top of any method.

pub mod ample;
pub mod bits;
pub mod closed;
pub mod deletion;
pub mod dependency;
pub mod explain;
pub mod local;
pub mod memory;
pub mod moves;
pub mod numbers;
pub mod overman;
pub mod pause;
pub mod sleep;
pub mod stubborn;
pub mod words;

use crate::config::{Codec, Config, Method, Properties, Reduction, SearchKind};
use dependency::{Judge, Relation};
use mazurka_model::{Keep, Relations, Step, System};
use stubborn::{Aim, Effort, Scope, Stubborn};

/// Proposes persistent sets.
pub trait Reducer {
    /// The next persistent set to try at `state`, as indices into `enabled`, ascending; `attempt`
    /// counts from 0 and starts anew at each state. False: there is none but the whole.
    ///
    /// `enabled` lists all enabled steps, those of one process together, in the order in which they
    /// are tried.
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool;

    /// Whether the first proposal is the first step that is all its process can do, if [`Relations::next_is_local`] says so of the process, in all
    /// states that have such a step, another step beside it, none that [waits for the rest](Relations::is_last_resort), and no process
    /// before it that can do just one thing and [may be alone](Relations::may_be_alone).
    fn puts_local_first(&self) -> bool {
        false
    }

    /// The first set to try at a state that has no step which is put [first](Reducer::puts_local_first), as is known: the same as
    /// [`Reducer::propose`] finds, which need not look for one.
    fn propose_others(&mut self, state: &[u8], enabled: &[Step], set: &mut Vec<usize>) -> bool {
        self.propose(state, enabled, 0, set)
    }

    /// The number of what a step does in a state, where it has one: other steps have the same only if they do the same.
    fn number_of(&mut self, state: &[u8], step: Step) -> Option<u32> {
        let _ = (state, step);
        None
    }

    /// Whether a proposed set may be empty: nothing that is looked for lies behind the state.
    fn may_choose_nothing(&self) -> bool {
        false
    }

    /// Bytes of what is kept from one state to the next and grows, about.
    fn bytes(&self) -> u64 {
        0
    }

    /// Forgets that, between two states, as far as nobody else knows of it. The same sets are proposed as before, only later.
    fn forget(&mut self) {}
}

/// The method and sleep sets in force: `auto` resolved, and switched off where the system says
/// nothing of its operations; then the second part says so.
pub fn resolve(system: &dyn System, config: &Config) -> (Reduction, Option<String>) {
    let asked = config.reduction;
    let obstacle = if system.relations().is_none() {
        Some("the system says nothing of its operations, so nothing is reduced")
    } else if judges(system, config) && !aims(system) {
        Some("conditions on whole states are checked, so nothing is reduced")
    } else if judges(system, config) && !can_aim(asked.method) {
        Some(
            "conditions on whole states are checked, and this method does not aim at them, so nothing is reduced",
        )
    } else {
        None
    };
    if let Some(note) = obstacle {
        let none = Reduction { method: Method::None, sleep: false };
        let silent = asked.method == Method::Auto && !asked.sleep || asked == none;
        return (none, (!silent).then(|| note.to_owned()));
    }
    // A state that is met again is opened again for the steps that were asleep then and are not now, so what
    // slept must be known.
    let keeps = config.keeps_sleep_sets();
    let note =
        (asked.sleep && !keeps).then(|| "bits have no room for sleep sets, so there are none".to_owned());
    let asked = Reduction { sleep: asked.sleep && keeps, ..asked };
    match asked.method {
        // Sleep sets store fewer states on top of the smallest sets in nearly every model that was measured.
        // A compact tree keeps none; where they are asked for by name, another store takes its place.
        Method::Auto => {
            let sleep = keeps && (asked.sleep || config.codec != Codec::CompactTree);
            (Reduction { method: strongest(system), sleep }, note)
        }
        _ => (asked, note),
    }
}

/// What `auto` stands for: the sets that a system computes by itself, where it does.
pub fn strongest(system: &dyn System) -> Method {
    let own = system.relations().is_some_and(|relations| relations.closed_sets().is_some());
    if own { Method::Persistent } else { Method::Deletion }
}

/// Whether conditions on whole states are checked.
fn judges(system: &dyn System, config: &Config) -> bool {
    system.judges_states() && config.properties.on_states()
}

/// Whether the system says what must happen before a condition on states is false.
fn aims(system: &dyn System) -> bool {
    system.relations().is_some_and(|relations| relations.aims_at_violations())
}

/// Whether the sets of a method can be made to contain what leads to a violation.
fn can_aim(method: Method) -> bool {
    !matches!(method, Method::Local | Method::Overman | Method::OvermanLocated | Method::Ample)
}

/// The reducer of a configuration that is resolved; `None` for a search that always expands fully. It tells states by everything
/// that is in them.
pub fn reducer<'s>(system: &'s dyn System, config: &Config) -> Option<Box<dyn Reducer + 's>> {
    reducer_by(system, system.relations()?, config)
}

/// The same by what these relations say of the system, which may be [up to the numbers of processes](numbers).
pub fn reducer_by<'s>(
    system: &'s dyn System,
    relations: &'s dyn Relations,
    config: &Config,
) -> Option<Box<dyn Reducer + 's>> {
    let (method, dependency) = (config.reduction.method, config.dependency);
    let steps_count = config.properties.deadlock || config.properties.unreached;
    let aim = match (judges(system, config), steps_count) {
        (false, _) => Aim::Deadlocks,
        (true, true) => Aim::Both,
        (true, false) => Aim::Violations,
    };
    let stubborn = |scope, effort, relation| -> Option<Box<dyn Reducer + 's>> {
        let judge = Judge::new(relations, dependency).by(relation);
        Some(Box::new(Stubborn::new(relations, judge, scope, effort).aiming(aim)))
    };
    if let (Method::Persistent, Some(own)) = (method, relations.closed_sets()) {
        return Some(Box::new(closed::Closed::new(own, keep(config))));
    }
    match method {
        Method::None | Method::Auto => None,
        Method::Local => Some(Box::new(local::Local::new(relations))),
        Method::Overman => Some(Box::new(overman::Overman::new(relations, false))),
        Method::Persistent => stubborn(Scope::Process, Effort::Quick, Relation::Interaction),
        Method::Stubborn => stubborn(Scope::Move, Effort::Quick, Relation::Constant),
        Method::Conditional => stubborn(Scope::Move, Effort::Quick, Relation::Interaction),
        Method::Deletion => stubborn(Scope::Move, Effort::Deletion, Relation::Interaction),
        Method::Ample => Some(Box::new(ample::Ample::new(relations, Judge::new(relations, dependency)))),
        Method::OvermanLocated => Some(Box::new(overman::Overman::new(relations, true))),
    }
}

/// What the sets must keep: deadlocks alone if nothing else is looked for.
fn keep(config: &Config) -> Keep {
    let Properties { deadlock, assertions, unreached, reception } = config.properties;
    if deadlock && !assertions && !unreached && !reception { Keep::Deadlocks } else { Keep::Errors }
}

/// What a search grants so that no step is put off for ever. All are judged on what is explored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Proviso {
    /// Nothing is needed: deadlocks are found all the same.
    None,
    /// Some edge of the set leads off the stack (1992, section 3.1); depth first only.
    Stack,
    /// Some edge of the set leads to a state that this very expansion stored; in any order.
    Closed,
    /// From every state that is reduced, edges of first visits lead to one that is expanded fully; in any order.
    WayOut,
    /// Every strong component of the reduced graph that can't be left has a state that is expanded
    /// fully, up to what sleeps in it; depth first only.
    Component,
}

/// The cheapest proviso that the properties need and the search can grant:
///
/// | checked | depth first | depth first, `local` or `overman` | breadth first | several threads |
/// |---|---|---|---|---|
/// | deadlocks only | none | none | none | none |
/// | assertions, faults, unreached places | component | stack | closed set | way out |
///
/// The methods of 1992 keep the proviso of that paper, so that its tables come out. Conditions on states
/// need none: the sets contain what leads to a violation, so that every step brings one nearer. A store
/// that can't name every visited state knows for certain only which states are on the stack, so the stack proviso
/// is granted with it: of a state that was forgotten it holds as of any other that it is closed before the
/// states on the stack are, at that visit or at one to come.
pub fn proviso(system: &dyn System, config: &Config) -> Proviso {
    let method = config.reduction.method;
    let Properties { assertions, reception, .. } = config.properties;
    let assertions = (assertions || reception) && !aims(system);
    if !assertions && !config.properties.unreached {
        return Proviso::None;
    }
    match (config.search, method) {
        // Threads have no stack in common.
        _ if config.threads > 1 => Proviso::WayOut,
        (SearchKind::Bfs, _) => Proviso::Closed,
        (_, Method::Local | Method::Overman | Method::OvermanLocated) => Proviso::Stack,
        _ if !config.keeps_all() => Proviso::Stack,
        _ => Proviso::Component,
    }
}
