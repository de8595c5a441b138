//! Which steps of a state are enough: the methods that choose, and the relations they rest on.
//!
//! A method proposes subsets of a state's enabled steps, each a *persistent set* (Godefroid and
//! Pirottin 1993, Definition 7): nothing that the rest of the system does before it takes a step of
//! the set depends on that set. What else a property needs is the search's to grant:
//!
//! | property | what is needed |
//! |---|---|
//! | deadlocks | a persistent set at every state |
//! | assertions, faults, unreached places | also that nothing is put off for ever: some explored edge of the set, sleeping ones not counted, leads off the stack (depth first) or to a state that this very expansion stored (any order); else the state is expanded fully |
//!
//! Sleep sets ([`sleep`]) work on top of any method.

pub mod bits;
pub mod dependency;
pub mod local;
pub mod moves;
pub mod overman;
pub mod sleep;
pub mod stubborn;

use crate::config::{Config, Dependency, Method, Properties, Reduction};
use dependency::{Judge, Relation};
use mazurka_model::{Relations, Step, System};
use stubborn::{Effort, Scope, Stubborn};

/// Proposes persistent sets.
pub trait Reducer {
    /// The next persistent set to try at `state`, as indices into `enabled`, ascending; `attempt`
    /// counts from 0 and starts anew at each state. False: there is none but the whole.
    ///
    /// `enabled` lists all enabled steps, those of one process together, in the order in which they
    /// are tried.
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool;
}

/// The method and sleep sets in force: `auto` resolved, and switched off where the system says
/// nothing of its operations; then the second part says so.
pub fn resolve(system: &dyn System, config: &Config) -> (Reduction, Option<String>) {
    let asked = config.reduction;
    let obstacle = if system.relations().is_none() {
        Some("the system says nothing of its operations, so nothing is reduced")
    } else if system.judges_states() && config.properties.on_states() {
        Some("conditions on whole states are checked, so nothing is reduced")
    } else {
        None
    };
    if let Some(note) = obstacle {
        let none = Reduction { method: Method::None, sleep: false };
        let silent = asked.method == Method::Auto && !asked.sleep || asked == none;
        return (none, (!silent).then(|| note.to_owned()));
    }
    match asked.method {
        Method::Auto => (Reduction { method: Method::OvermanLocated, sleep: true }, None),
        _ => (asked, None),
    }
}

/// The reducer of a method; `None` for a search that always expands fully.
pub fn reducer<'s>(
    method: Method,
    dependency: Dependency,
    relations: Option<&'s dyn Relations>,
) -> Option<Box<dyn Reducer + 's>> {
    let relations = relations?;
    let stubborn = |scope, effort, relation| -> Option<Box<dyn Reducer + 's>> {
        let judge = Judge::new(relations, dependency).by(relation);
        Some(Box::new(Stubborn::new(relations, judge, scope, effort)))
    };
    match method {
        Method::None | Method::Auto => None,
        Method::Local => Some(Box::new(local::Local::new(relations))),
        Method::Overman => Some(Box::new(overman::Overman::new(relations, false))),
        Method::Persistent => stubborn(Scope::Process, Effort::Quick, Relation::Interaction),
        Method::Stubborn => stubborn(Scope::Move, Effort::Quick, Relation::Constant),
        Method::Conditional => stubborn(Scope::Move, Effort::Quick, Relation::Interaction),
        Method::Deletion => stubborn(Scope::Move, Effort::Deletion, Relation::Interaction),
        Method::OvermanLocated => Some(Box::new(overman::Overman::new(relations, true))),
    }
}

/// Whether the properties need the proviso against putting steps off for ever.
pub fn needs_proviso(properties: &Properties) -> bool {
    properties.assertions || properties.unreached
}
