//! Claims to use a channel alone (`xr`, `xs`), compared with what other processes can still do.
//!
//! Nothing rests on a claim. But one that is false is a mistake in the model. What the text of a model shows is found before; which
//! channels parameters give is seen when a process comes to be. Then it is compared with those that are there: whether what
//! one of them claims is claimed by another, or used by what another may still execute from where it stands. So a search pays for that only where processes
//! are created, and no state is larger.
//!
//! What it finds is a doubt, not an error: the other process might never come to use the channel. What it does not see are channels behind variables
//! that are assigned, and what a search leaves out.

use super::code::{Code, NodeId};
use super::compile::compile_expression;
use super::evaluate::View;
use super::layout::Layout;
use super::machine::{Machine, ProcessAt};
use crate::analysis::keeps_value;
use crate::ir::{ChannelRef, Effect, Expression, ProcessType, Program};
use std::sync::atomic::{AtomicU32, Ordering};

/// A way to use a channel.
#[derive(Clone, Debug)]
struct Use {
    receives: bool,
    channel: NodeId,
    /// It is a global channel by its name.
    named: bool,
}

/// What the processes of a type claim and use.
#[derive(Debug, Default)]
struct TypeUses {
    /// Each with the number of the claim.
    claims: Vec<(usize, Use)>,
    uses: Vec<Use>,
    /// By location: which uses may still come, as bits.
    from: Vec<Vec<u64>>,
}

/// The claims of a program, and which of them are in doubt.
#[derive(Debug)]
pub struct Claims {
    types: Vec<TypeUses>,
    /// By claim: the type of a process that may contradict it, plus 1.
    doubted: Vec<AtomicU32>,
}

impl Claims {
    /// Those of a program, if it has any; what they mean is added to `code`.
    pub fn new(program: &Program, layout: &Layout, code: &mut Code) -> Option<Box<Claims>> {
        if program.claims.is_empty() {
            return None;
        }
        let mut types = Vec::new();
        for (kind, process) in program.types.iter().enumerate() {
            let keeps = keeps_value(program, kind);
            let mut read = |receives: bool, channel: &Expression| {
                let named = matches!(channel, Expression::Channel(ChannelRef::Global(_)));
                let node = || compile_expression(program, layout, code, Some(kind), channel);
                keeps(channel).then(node).map(|channel| Use { receives, channel, named })
            };
            let mut own = TypeUses::default();
            for (number, claim) in program.claims.iter().enumerate() {
                if claim.process.index() == kind {
                    own.claims.extend(read(claim.receives, &claim.channel).map(|claim| (number, claim)));
                }
            }
            let mut known: Vec<(bool, &Expression)> = Vec::new();
            for (receives, channel) in
                process.transitions.iter().flat_map(|t| t.effects.iter().filter_map(way))
            {
                if !known.contains(&(receives, channel))
                    && let Some(used) = read(receives, channel)
                {
                    known.push((receives, channel));
                    own.uses.push(used);
                }
            }
            own.from = reached(process, &known);
            types.push(own);
        }
        let doubted = program.claims.iter().map(|_| AtomicU32::new(0)).collect();
        Some(Box::new(Claims { types, doubted }))
    }

    /// By claim: the type of a process that may contradict it, if one was met.
    pub fn doubted(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.doubted.iter().map(|kind| (kind.load(Ordering::Relaxed) as usize).checked_sub(1))
    }
}

/// How an effect uses which channel.
fn way(effect: &Effect) -> Option<(bool, &Expression)> {
    match effect {
        Effect::Send { channel, .. } => Some((false, channel)),
        Effect::Receive { channel, .. } => Some((true, channel)),
        _ => None,
    }
}

/// By location, which uses may come from there on, as bits.
fn reached(process: &ProcessType, known: &[(bool, &Expression)]) -> Vec<Vec<u64>> {
    let mut from = vec![vec![0u64; known.len().div_ceil(64)]; process.locations.len()];
    loop {
        let mut changed = false;
        // Backwards, because most transitions lead forwards.
        for transition in process.transitions.iter().rev() {
            let mut here = std::mem::take(&mut from[transition.from.index()]);
            let before = here.clone();
            let used = transition.effects.iter().filter_map(way);
            for number in used.filter_map(|used| known.iter().position(|known| *known == used)) {
                here[number / 64] |= 1 << (number % 64);
            }
            if transition.from != transition.to {
                here.iter_mut().zip(&from[transition.to.index()]).for_each(|(mine, later)| *mine |= later);
            }
            changed |= here != before;
            from[transition.from.index()] = here;
        }
        if !changed {
            return from;
        }
    }
}

impl Machine {
    /// Compares the claims of a process that has come to be, and those of the others, with what the other side may do.
    pub fn compare_claims(&self, state: &[u8], new: ProcessAt) {
        let Some(claims) = &self.claims else { return };
        for other in self.processes(state).filter(|other| other.pid != new.pid) {
            self.contradict(claims, state, new, other);
            self.contradict(claims, state, other, new);
        }
    }

    /// Notes which claims of a process the other may contradict.
    fn contradict(&self, claims: &Claims, state: &[u8], claiming: ProcessAt, other: ProcessAt) {
        let theirs = &claims.types[other.kind];
        let channel = |at: ProcessAt, used: &Use| {
            self.value(View { state, at }, used.channel).ok().filter(|number| *number > 0)
        };
        for (number, claim) in &claims.types[claiming.kind].claims {
            let Some(claimed) = channel(claiming, claim) else { continue };
            let same = |used: &Use| {
                // What two types do to a channel by its name is seen in the text.
                let told = claim.named && used.named && claiming.kind != other.kind;
                !told && used.receives == claim.receives && channel(other, used) == Some(claimed)
            };
            let later = &theirs.from[self.location_index(state, other)];
            let still = |at: usize| later[at / 64] >> (at % 64) & 1 == 1;
            let uses = theirs.uses.iter().enumerate().any(|(at, used)| still(at) && same(used));
            if uses || theirs.claims.iter().any(|(_, used)| same(used)) {
                claims.doubted[*number].store(other.kind as u32 + 1, Ordering::Relaxed);
            }
        }
    }
}
