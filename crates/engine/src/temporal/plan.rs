//! What is left out of a graph for a property, and why not more: one place where options become a decision.

use super::{Fairness, Property, Representatives};
use crate::config::{Config, Dependency, Method, Reduction};
use crate::reduce;
use mazurka_model::System;

/// What a reduced graph keeps.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Everything: it is not reduced.
    All,
    /// A run with the same letters, up to repetition, of every run.
    Stutter,
    /// A run of the trace of every run that counts.
    Trace,
}

/// What is left out.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is kept.
    pub mode: Kept,
    /// The method, resolved.
    pub reduction: Reduction,
    /// Only sets are taken that no infinite run avoids.
    pub strongly: bool,
    /// Why it is not what was asked for.
    pub notes: Vec<String>,
}

impl Plan {
    /// Nothing is left out.
    pub fn full(why: Option<String>, notes: &[String]) -> Plan {
        let notes = notes.iter().cloned().chain(why).collect();
        let reduction = Reduction { method: Method::None, sleep: false };
        Plan { mode: Kept::All, reduction, strongly: false, notes }
    }

    /// What may be left out in a search for a property.
    pub fn new(system: &dyn System, property: &Property<'_>, config: &Config) -> Plan {
        let asked = config.reduction;
        if asked.method == Method::None && !asked.sleep {
            return Plan::full(None, &[]);
        }
        let fair = property.fairness != Fairness::None;
        let obstacle = if system.relations().is_none() {
            Some("the system says nothing of its operations, so nothing is reduced")
        } else if !property.stutter_invariant {
            Some("the property may tell how often a letter is repeated, so nothing is reduced")
        } else if fair && property.representatives == Representatives::Stutter {
            Some("fairness is assumed, which stutter mode does not keep, so nothing is reduced")
        } else if property.shortest {
            Some("a shortest run is wanted, so nothing is reduced")
        } else {
            None
        };
        if let Some(why) = obstacle {
            return Plan::full(Some(why.to_owned()), &[]);
        }
        match fair || property.representatives == Representatives::Trace {
            true => Plan::in_trace_mode(property, asked),
            false => Plan::in_stutter_mode(system, asked),
        }
    }

    fn in_stutter_mode(system: &dyn System, asked: Reduction) -> Plan {
        let note = "sleep sets are not used for temporal properties, except in trace mode";
        let notes = if asked.sleep { vec![note.to_owned()] } else { Vec::new() };
        let method = if asked.method == Method::Auto { reduce::strongest(system) } else { asked.method };
        if method == Method::None {
            return Plan::full(None, &notes);
        }
        let reduction = Reduction { method, sleep: false };
        Plan { mode: Kept::Stutter, reduction, strongly: false, notes }
    }

    fn in_trace_mode(property: &Property<'_>, asked: Reduction) -> Plan {
        if asked.sleep {
            let why =
                "sleep sets and smaller sets are not used together in trace mode: only sleep sets are used";
            let notes = if asked.method == Method::None { Vec::new() } else { vec![why.to_owned()] };
            let reduction = Reduction { method: Method::None, sleep: true };
            return Plan { mode: Kept::Trace, reduction, strongly: false, notes };
        }
        let method = if asked.method == Method::Auto { Method::Deletion } else { asked.method };
        // A set that leaves out what may go on for ever without it keeps only runs that are fair to it.
        let strongly = property.fairness == Fairness::None && !property.safety;
        let reduction = Reduction { method, sleep: false };
        Plan { mode: Kept::Trace, reduction, strongly, notes: Vec::new() }
    }

    /// The dependency by which sets are chosen. The assumption (*) is relative to the constant relation: only sets by
    /// that relation, or a larger one, contain a step that every fair run takes.
    pub fn dependency(&self, property: &Property<'_>, config: &Config) -> Dependency {
        match (self.mode, property.fairness, config.dependency) {
            (Kept::Trace, Fairness::Trace, Dependency::Conditional | Dependency::Refined) => {
                Dependency::Constant
            }
            (_, _, asked) => asked,
        }
    }
}
