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
use super::uses::{TransitionUses, Use, UseChannel, UseList, UseOperand};
use crate::interpreter::code::NodeId;
use crate::ir::{ProcessType, Program};
use mazurka_model::OperationKind;
use mazurka_model::object::processes;
use std::collections::BTreeSet;

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

/// Uses of all alternatives of a type together, and bits of all sets, that may be kept.
const MOST_USES: usize = 4_000_000;
const MOST_BITS: usize = 1 << 31;

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
        let behind = Behind { process, own, summary, created: &created };
        // A type with too many places and uses is seen more roughly: with any operand, then as everything.
        let futures = behind.futures(|used| used).or_else(|| behind.futures(Use::with_any_operands));
        all.push(futures.unwrap_or_else(|| behind.everything()));
    }
    all
}

/// What the futures of a process type are made of.
struct Behind<'a> {
    process: &'a ProcessType,
    own: &'a [TransitionUses],
    summary: &'a TypeSummary,
    created: &'a [AlternativeFuture],
}

impl Behind<'_> {
    /// The futures, each use as `seen`; `None` if they are too many.
    fn futures(&self, seen: impl Fn(Use) -> Use) -> Option<TypeFutures> {
        let Behind { process, own, .. } = *self;
        // Every use that occurs, and the transitions as sets of them; the last bit says "everything".
        let mut found = UseList::default();
        let members: Vec<(Vec<usize>, bool)> = (0..own.len())
            .map(|number| {
                let (uses, everything) = self.at_once(number);
                (uses.into_iter().map(|used| found.insert(seen(used))).collect(), everything)
            })
            .collect();
        let list = found.list();
        let words = (list.len() + 1).div_ceil(64);
        if words * 64 * (own.len() + process.locations.len()) > MOST_BITS {
            return None;
        }
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
        let reached = self.reached(&sets, words);
        let mut futures =
            TypeFutures { locations: vec![Vec::new(); process.locations.len()], ..TypeFutures::default() };
        let mut total = 0;
        for ((transition, mut set), used) in process.transitions.iter().zip(sets).zip(own) {
            if !used.last_resort {
                unite(&mut set, &reached[transition.to.index()]);
            }
            let has = |number: usize| set[number / 64] >> (number % 64) & 1 == 1;
            let uses: Vec<Use> = (0..list.len()).filter(|&n| has(n)).map(|n| list[n]).collect();
            total += uses.len();
            if total > MOST_USES {
                return None;
            }
            let future = AlternativeFuture { uses, everything: has(everything) };
            futures.locations[transition.from.index()].push(future);
        }
        for used in list {
            computed(used, &mut futures.operands, &mut futures.channels);
        }
        Some(futures)
    }

    /// What a transition does itself: in the region it enters and by the processes it creates, too.
    fn at_once(&self, number: usize) -> (Vec<Use>, bool) {
        let (transition, used) = (&self.process.transitions[number], &self.own[number]);
        let mut everything = used.everything;
        let mut uses: Vec<Use> = used.uses.iter().map(|u| u.stable()).collect();
        let region = self.summary.regions[transition.to.index()].as_ref().filter(|_| transition.atomic);
        if let Some(region) = region {
            everything |= region.everything;
            uses.extend(&region.uses);
        }
        for &kind in &used.runs {
            everything |= self.created[kind].everything;
            uses.extend(&self.created[kind].uses);
        }
        uses.retain(|used| !matches!(used, Use::Channel { channel: UseChannel::New { .. }, .. }));
        (uses, everything)
    }

    /// By location, everything that may be used from there on.
    fn reached(&self, sets: &[UseSet], words: usize) -> Vec<UseSet> {
        let mut reached = vec![vec![0; words]; self.process.locations.len()];
        loop {
            let mut changed = false;
            // Backwards, because most transitions lead forwards.
            for ((transition, set), used) in self.process.transitions.iter().zip(sets).zip(self.own).rev() {
                if used.last_resort {
                    continue;
                }
                let (from, to) = (transition.from.index(), transition.to.index());
                let mut here = std::mem::take(&mut reached[from]);
                changed |= from != to && unite(&mut here, &reached[to]);
                changed |= unite(&mut here, set);
                reached[from] = here;
            }
            if !changed {
                return reached;
            }
        }
    }

    /// The futures of a type of which nothing is known.
    fn everything(&self) -> TypeFutures {
        let mut futures = TypeFutures {
            locations: vec![Vec::new(); self.process.locations.len()],
            ..TypeFutures::default()
        };
        for (transition, used) in self.process.transitions.iter().zip(self.own) {
            let future = AlternativeFuture { uses: Vec::new(), everything: !used.last_resort };
            futures.locations[transition.from.index()].push(future);
        }
        futures
    }
}

/// For each type, what an instance that does not exist yet, and all that it will create, may use.
fn created(
    program: &Program,
    objects: &ObjectTable,
    transitions: &[TransitionUses],
    types: &[TypeSummary],
) -> Vec<AlternativeFuture> {
    let mut first = 0;
    let mut all: Vec<(UseList, bool)> = Vec::new();
    let mut runs = Vec::new();
    for (process, summary) in program.types.iter().zip(types) {
        let own = &transitions[first..first + process.transitions.len()];
        first += process.transitions.len();
        let everything = summary.next.iter().any(|next| next.everything);
        let regions = summary.regions.iter().flatten().flat_map(|region| &region.uses);
        let mut uses = UseList::default();
        for used in own.iter().flat_map(|t| &t.uses).chain(regions) {
            foreign(used, objects).map(|used| uses.insert(used));
        }
        all.push((uses, everything));
        runs.push(own.iter().flat_map(|t| t.runs.iter().copied()).collect::<BTreeSet<usize>>());
    }
    // Creation is transitive.
    loop {
        let mut changed = false;
        for (kind, runs) in runs.iter().enumerate() {
            for &other in runs {
                let (theirs, every) = all[other].clone();
                let (mine, everything) = &mut all[kind];
                let before = (mine.list().len(), *everything);
                theirs.list().iter().for_each(|used| _ = mine.insert(*used));
                *everything |= every;
                changed |= before != (mine.list().len(), *everything);
            }
        }
        if !changed {
            break;
        }
    }
    let future =
        |(uses, everything): (UseList, bool)| AlternativeFuture { uses: uses.list().to_vec(), everything };
    all.into_iter().map(future).collect()
}

/// The use as it looks before its process exists; `None` if nobody else is concerned.
fn foreign(used: &Use, objects: &ObjectTable) -> Option<Use> {
    let mut used = used.stable().by_anyone();
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
        Use::Channel { message, .. } => forget(message),
        Use::Enabled { slot, .. } => forget(slot),
    }
    Some(used)
}

/// Adds what has to be computed for a use.
pub fn computed(used: &Use, operands: &mut Vec<NodeId>, channels: &mut Vec<NodeId>) {
    let mut operand = |o: &UseOperand| {
        if let UseOperand::Computed { node, level: Level::Stable, .. } = o
            && !operands.contains(node)
        {
            operands.push(*node);
        }
    };
    match used {
        Use::Object { operands, .. } => operands.iter().for_each(operand),
        Use::Enabled { slot, .. } => operand(slot),
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
