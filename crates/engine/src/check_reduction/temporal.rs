//! What is left out of the graph of a system for a temporal property, against the full graph.
//!
//! What is left out depends on what the property looks at, not on its automaton. So the whole reduced graph is made first, with an automaton over
//! the same atoms that accepts nothing, and in each state of which something was left out, it is checked that
//!
//! - the steps taken are persistent (C1), by execution, as every other set ([`super::persistent`]);
//! - in stutter mode, what they lead to looks the same to the property (C2), by its letters and not by footprints;
//! - in stutter mode, no cycle goes through such states alone (C3).
//!
//! Then the property is searched for in the reduced graph and in the full one, which must come to the same verdict. Of trace mode, where
//! sets need not be invisible and cycles are allowed, that and C1 are all that is checked; with sleep sets, which leave out
//! edges one by one, the verdict alone.

use super::graph::Graph;
use super::likeness::Likeness;
use super::persistent::Checker;
use super::record::{Record, Recorder, Visit};
use super::{Breach, Report};
use crate::config::{Config, Limits, Method, Reduction};
use crate::monitor::Monitor;
use crate::outcome::Verdict;
use crate::reduce::Reducer;
use crate::temporal::{self, Acceptor, AcceptorEdge, Algorithm, Cube, Kept, Plan, Property};
use mazurka_model::{Atoms, Step, System};
use std::collections::{BTreeSet, HashMap};

/// Checks what is left out for a property under `config`, on an explored graph of the system.
pub fn verify_temporal(
    graph: &Graph<'_>,
    property: &Property<'_>,
    config: &Config,
    most_breaches: usize,
    monitor: &dyn Monitor,
) -> Report {
    let mut report = Report::new(graph, most_breaches);
    // Inside atomic regions there are states that the full graph does not have; how many, nobody knows.
    let product = u64::from(graph.expanded()).saturating_mul(property.acceptor.states() as u64);
    let part = (!graph.complete()).then_some(product.saturating_add(1));
    let states = part.into_iter().chain(config.limits.states).min();
    let config = Config { limits: Limits { states, ..config.limits }, ..config.clone() };
    let record = walk(graph.system(), property, &config, monitor, &mut report);
    report.reduced_states = record.visits.len() as u64;
    let mut reduced: Vec<(&[u8], &Visit)> = record
        .visits
        .iter()
        .filter(|(_, visit)| !visit.whole)
        .map(|(state, visit)| (&**state, visit))
        .collect();
    // A report must not depend on the order of a hash table.
    reduced.sort_by_key(|(state, _)| *state);
    sets(graph, &reduced, &config, monitor, &mut report);
    if Plan::new(graph.system(), property, &config).mode == Kept::Stutter {
        visibility(graph.system(), property.atoms, &reduced, &mut report);
        cycles(graph.system(), &reduced, &mut report);
    }
    verdicts(graph.system(), property, &config, monitor, &mut report);
    report
}

/// Makes the whole reduced graph.
fn walk(
    system: &dyn System,
    property: &Property<'_>,
    config: &Config,
    monitor: &dyn Monitor,
    report: &mut Report,
) -> Record {
    let mut nothing = Acceptor::new(1, 0, 1);
    if !property.acceptor.accepts_ends() {
        nothing = nothing.of_endless_runs();
    }
    nothing.add_edge(0, AcceptorEdge { target: 0, marks: 0, guard: vec![Cube::ANY] });
    let everywhere = Property { acceptor: &nothing, emptiness: Algorithm::Components, ..*property };
    let recorder = Recorder::new(monitor);
    let outcome = temporal::check(system, &everywhere, config, &recorder);
    report.cut |= outcome.stopped.is_some();
    recorder.finish()
}

/// The steps that were taken, as a reduction that proposes them.
struct Taken<'r>(&'r BTreeSet<Step>);

impl Reducer for Taken<'_> {
    fn propose(&mut self, _state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        set.clear();
        set.extend((0..enabled.len()).filter(|&index| self.0.contains(&enabled[index])));
        attempt == 0
    }
}

/// C1: what was taken is persistent.
fn sets(
    graph: &Graph<'_>,
    reduced: &[(&[u8], &Visit)],
    config: &Config,
    monitor: &dyn Monitor,
    report: &mut Report,
) {
    let likeness = Likeness::none();
    let mut checker = Checker::new(&likeness);
    for (state, visit) in reduced {
        if monitor.interrupted() {
            report.cut = true;
        }
        if report.enough() || monitor.interrupted() {
            return;
        }
        match graph.number(state) {
            Some(number) if graph.moves(number).is_some() => {
                checker.state(graph, number, &mut Taken(&visit.explored), config.order, report);
            }
            _ if !graph.complete() => report.cut = true,
            _ => {
                let message = "something is left out in a state that the full graph does not know".to_owned();
                let state = graph.system().describe().values(state);
                report.breach(Breach { message, state, ..Breach::default() });
            }
        }
    }
}

/// C2: what is taken where something was left out changes nothing that the property sees.
fn visibility(system: &dyn System, atoms: &dyn Atoms, reduced: &[(&[u8], &Visit)], report: &mut Report) {
    for (state, visit) in reduced {
        let letter = atoms.letter(state);
        if visit.successors.iter().any(|successor| atoms.letter(successor) != letter) {
            let describe = system.describe();
            let words = |step: &Step| {
                let text = describe.step(state, *step);
                format!("{}: {}", text.process, text.text)
            };
            report.breach(Breach {
                message: "the set is visible: a step of it changes what the property sees".to_owned(),
                state: describe.values(state),
                set: visit.explored.iter().map(words).collect(),
                sequence: Vec::new(),
            });
        }
    }
}

/// C3: each cycle has a state of which nothing was left out.
fn cycles(system: &dyn System, reduced: &[(&[u8], &Visit)], report: &mut Report) {
    if let Some(number) = before_a_cycle(reduced) {
        let message = "the cycle condition is broken: from this state a cycle is reached on which no state is expanded fully";
        let state = system.describe().values(reduced[number].0);
        report.breach(Breach { message: message.to_owned(), state, ..Breach::default() });
    }
}

/// One of these states from which a cycle of such states is reached.
fn before_a_cycle(reduced: &[(&[u8], &Visit)]) -> Option<usize> {
    let numbers: HashMap<&[u8], usize> =
        reduced.iter().enumerate().map(|(number, (state, _))| (*state, number)).collect();
    let mut predecessors = vec![Vec::new(); reduced.len()];
    let mut ahead = vec![0usize; reduced.len()];
    for (number, (_, visit)) in reduced.iter().enumerate() {
        for &target in visit.successors.iter().filter_map(|successor| numbers.get(&**successor)) {
            predecessors[target].push(number);
            ahead[number] += 1;
        }
    }
    // States from which all ways lead out of these are taken away.
    let mut out: Vec<usize> = (0..reduced.len()).filter(|&number| ahead[number] == 0).collect();
    while let Some(number) = out.pop() {
        for &before in &predecessors[number] {
            ahead[before] -= 1;
            if ahead[before] == 0 {
                out.push(before);
            }
        }
    }
    ahead.iter().position(|&ahead| ahead > 0)
}

/// The reduced search must come to the verdict of the full one.
fn verdicts(
    system: &dyn System,
    property: &Property<'_>,
    config: &Config,
    monitor: &dyn Monitor,
    report: &mut Report,
) {
    let whole = Config { reduction: Reduction { method: Method::None, sleep: false }, ..config.clone() };
    let reduced = temporal::check(system, property, config, &Patience(monitor)).verdict;
    let full = temporal::check(system, property, &whole, &Patience(monitor)).verdict;
    if reduced == Verdict::Unknown || full == Verdict::Unknown {
        report.cut = true;
    } else if reduced != full {
        let word = |verdict| if verdict == Verdict::Holds { "holds" } else { "is violated" };
        let message = format!(
            "by the reduced search the property {}, by the full one it {}",
            word(reduced),
            word(full)
        );
        report.breach(Breach { message, ..Breach::default() });
    }
}

/// Asks only whether to stop.
struct Patience<'m>(&'m dyn Monitor);

impl Monitor for Patience<'_> {
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_of_reduced_states_is_found() {
        let leading_to = |states: &[u8]| Visit {
            successors: states.iter().map(|state| Box::from([*state])).collect(),
            ..Visit::default()
        };
        let (one, two, three) = (leading_to(&[2, 9]), leading_to(&[3, 3]), leading_to(&[2]));
        let out = leading_to(&[9]);
        assert_eq!(before_a_cycle(&[(&[1], &one), (&[2], &two), (&[3], &out)]), None, "9 is expanded fully");
        assert_eq!(before_a_cycle(&[(&[1], &one), (&[2], &two), (&[3], &three)]), Some(0));
        assert_eq!(before_a_cycle(&[(&[2], &leading_to(&[2]))]), Some(0), "a step that leads back at once");
        assert_eq!(before_a_cycle(&[]), None);
    }
}
