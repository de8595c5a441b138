//! What each alternative of a location, and everything behind it, may use.
//!
//! Computed once for each transition of a process type: its own uses, those of the atomic region it
//! enters, those of every transition that can follow, and those of the processes that any of these
//! may create. Operands count only if they last as long as the process.
//!
//! Left out, because it can't be what an enabled step must beware of:
//! - transitions that need everything else to stand still: an enabled step that is not taken stays
//!   enabled, so they can't be executed before it;
//! - what a process that is yet to be created does to its own channels, and its exit: its slot is
//!   free now, and was not free before only if somebody else's exit, which counts, came first.

use super::level::Level;
use super::objects::ObjectTable;
use super::summary::TypeSummary;
use super::uses::{TransitionUses, Use, UseChannel, UseOperand};
use crate::interpreter::code::NodeId;
use crate::ir::Program;
use mazurka_model::OperationKind;
use mazurka_model::object::processes;

/// What an alternative and everything behind it may use.
#[derive(Clone, Debug, Default)]
pub struct AlternativeFuture {
    /// Each use once.
    pub uses: Vec<Use>,
    pub everything: bool,
}

/// The futures of a process type.
#[derive(Debug, Default)]
pub struct TypeFutures {
    /// By location, then by alternative in order.
    pub locations: Vec<Vec<AlternativeFuture>>,
    /// Operands that have to be computed, and channels: what the futures depend on beside the location.
    pub operands: Vec<NodeId>,
    pub channels: Vec<NodeId>,
}

/// A set of uses of a type, as bits over a list of all.
type UseSet = Vec<u64>;

fn unite(into: &mut UseSet, from: &UseSet) -> bool {
    let mut changed = false;
    for (a, b) in into.iter_mut().zip(from) {
        changed |= b & !*a != 0;
        *a |= b;
    }
    changed
}

/// The futures of all process types.
pub fn summarise(
    program: &Program,
    objects: &ObjectTable,
    transitions: &[TransitionUses],
    types: &[TypeSummary],
) -> Vec<TypeFutures> {
    let created = created(program, objects, transitions, types);
    let mut first = 0;
    let mut all = Vec::new();
    for (process, summary) in program.types.iter().zip(types) {
        let own = &transitions[first..first + process.transitions.len()];
        first += process.transitions.len();
        // Every use that occurs, and the transitions as sets of them; the last bit says "everything".
        let mut list: Vec<Use> = Vec::new();
        let mut members: Vec<(Vec<usize>, bool)> = Vec::new();
        for (transition, used) in process.transitions.iter().zip(own) {
            let mut everything = used.everything;
            let mut uses: Vec<Use> = used.uses.iter().map(|u| u.stable()).collect();
            let region = summary.regions[transition.to.index()].as_ref().filter(|_| transition.atomic);
            if let Some(region) = region {
                everything |= region.everything;
                uses.extend(&region.uses);
            }
            for &kind in &used.runs {
                everything |= created[kind].everything;
                uses.extend(&created[kind].uses);
            }
            let mut numbers = Vec::new();
            for used in uses {
                if matches!(used, Use::Channel { channel: UseChannel::New { .. }, .. }) {
                    continue;
                }
                let known = list.iter().position(|u| *u == used);
                numbers.push(known.unwrap_or_else(|| {
                    list.push(used);
                    list.len() - 1
                }));
            }
            members.push((numbers, everything));
        }
        let words = (list.len() + 1).div_ceil(64);
        let insert = |set: &mut UseSet, number: usize| set[number / 64] |= 1 << (number % 64);
        let everything = list.len();
        let sets: Vec<UseSet> = members
            .iter()
            .zip(own)
            .map(|((numbers, every), used)| {
                let mut set = vec![0; words];
                if !used.last_resort {
                    numbers.iter().for_each(|&n| insert(&mut set, n));
                    if *every {
                        insert(&mut set, everything);
                    }
                }
                set
            })
            .collect();
        let mut reached = vec![vec![0; words]; process.locations.len()];
        loop {
            let mut changed = false;
            for ((transition, set), used) in process.transitions.iter().zip(&sets).zip(own).rev() {
                if used.last_resort {
                    continue;
                }
                let (from, to) = (transition.from.index(), transition.to.index());
                let later = reached[to].clone();
                changed |= unite(&mut reached[from], &later);
                changed |= unite(&mut reached[from], set);
            }
            if !changed {
                break;
            }
        }
        let mut futures =
            TypeFutures { locations: vec![Vec::new(); process.locations.len()], ..TypeFutures::default() };
        for ((transition, set), used) in process.transitions.iter().zip(&sets).zip(own) {
            let mut set = set.clone();
            if !used.last_resort {
                unite(&mut set, &reached[transition.to.index()]);
            }
            let has = |number: usize| set[number / 64] >> (number % 64) & 1 == 1;
            let uses = (0..list.len()).filter(|&n| has(n)).map(|n| list[n]).collect();
            let future = AlternativeFuture { uses, everything: has(everything) };
            futures.locations[transition.from.index()].push(future);
        }
        for used in &list {
            computed(used, &mut futures.operands, &mut futures.channels);
        }
        all.push(futures);
    }
    all
}

/// For each type, what an instance that does not exist yet, and all that it will create, may use.
fn created(
    program: &Program,
    objects: &ObjectTable,
    transitions: &[TransitionUses],
    types: &[TypeSummary],
) -> Vec<AlternativeFuture> {
    let mut first = 0;
    let mut all: Vec<AlternativeFuture> = Vec::new();
    let mut runs = Vec::new();
    for (process, summary) in program.types.iter().zip(types) {
        let own = &transitions[first..first + process.transitions.len()];
        first += process.transitions.len();
        let everything = summary.next.iter().any(|next| next.everything);
        let regions = summary.regions.iter().flatten().flat_map(|region| &region.uses);
        let uses = own.iter().flat_map(|t| &t.uses).chain(regions);
        let uses = uses.filter_map(|used| foreign(used, objects)).collect();
        all.push(AlternativeFuture { uses, everything });
        runs.push(own.iter().flat_map(|t| t.runs.iter().copied()).collect::<Vec<usize>>());
    }
    // Creation is transitive.
    loop {
        let mut changed = false;
        for (kind, runs) in runs.iter().enumerate() {
            for &other in runs {
                let theirs = all[other].clone();
                let mine = &mut all[kind];
                changed |= theirs.everything && !mine.everything;
                mine.everything |= theirs.everything;
                for used in theirs.uses {
                    if !mine.uses.contains(&used) {
                        mine.uses.push(used);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return all;
        }
    }
}

/// The use as it looks before its process exists; `None` if nobody else is concerned.
fn foreign(used: &Use, objects: &ObjectTable) -> Option<Use> {
    let mut used = used.stable();
    let forget = |operand: &mut UseOperand| {
        if matches!(operand, UseOperand::Computed { .. }) {
            *operand = UseOperand::Any;
        }
    };
    match &mut used {
        Use::Object { object, kind, .. }
            if *object == objects.process_table() && *kind == processes::EXIT =>
        {
            return None;
        }
        Use::Object { object, kind, operands, .. } => {
            operands.iter_mut().for_each(forget);
            // Who will perform it is not known, and some objects ask.
            if objects.is_declared(*object) {
                *kind = OperationKind::ANY;
            }
        }
        Use::Channel { channel: UseChannel::Own(_) | UseChannel::New { .. }, .. } => return None,
        Use::Channel { channel, message, .. } => {
            forget(message);
            if let UseChannel::Computed { level, index, .. } = channel {
                (*level, *index) = (Level::Never, None);
            }
        }
    }
    Some(used)
}

/// Adds what has to be computed for a use.
fn computed(used: &Use, operands: &mut Vec<NodeId>, channels: &mut Vec<NodeId>) {
    let mut operand = |o: &UseOperand| {
        if let UseOperand::Computed { node, level: Level::Stable, .. } = o
            && !operands.contains(node)
        {
            operands.push(*node);
        }
    };
    match used {
        Use::Object { operands, .. } => operands.iter().for_each(operand),
        Use::Channel { channel, message, .. } => {
            operand(message);
            if let UseChannel::Computed { node, level: Level::Stable, .. } = channel
                && !channels.contains(node)
            {
                channels.push(*node);
            }
        }
    }
}
