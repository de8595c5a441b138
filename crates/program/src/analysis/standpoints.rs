//! Where a process may come to stand, and what decides there whether it can move.
//!
//! By location: the looks of the guards and first effects of all its transitions, as one who waits sees them (both answers
//! matter). Of a location with a transition that nothing can stop only the handshakes count, which others take part in: the process
//! itself can always move there. If it is one of several transitions that exclude each other (`otherwise`, escapes), then another one can be
//! taken where it can't. Later effects that may block are not told apart: then everything that the transition does counts.

use super::asked::Kinds;
use super::emit::Moment;
use super::futures::{TypeFutures, computed};
use super::uses::{TransitionUses, Use};
use crate::interpreter::Interpreter;
use crate::interpreter::code::NodeId;
use crate::interpreter::evaluate::View;
use crate::interpreter::machine::ProcessAt;
use crate::ir::{Effect, Expression, Program, Transition};
use mazurka_model::{Footprint, Standpoint};

/// What is known of a location.
#[derive(Clone, Debug, Default)]
struct Place {
    /// What decides whether a process can move here; if it always can, of its handshakes only.
    uses: Vec<Use>,
    free: bool,
    /// More than objects decides.
    everything: bool,
    /// Some transition from here creates processes.
    creates: bool,
    /// Where the transitions lead.
    next: Vec<u32>,
    /// A transition that only ends the process, which waits until it is the youngest.
    exit: Option<Use>,
}

/// The locations of a process type.
#[derive(Clone, Debug, Default)]
pub struct TypeStandpoints {
    places: Vec<Place>,
    /// Operands that have to be computed, and channels, beside those that the futures of the type depend on.
    operands: Vec<NodeId>,
    channels: Vec<NodeId>,
}

/// Those of all types.
pub fn summarise(
    program: &Program,
    transitions: &[TransitionUses],
    futures: &[TypeFutures],
) -> Vec<TypeStandpoints> {
    let mut first = 0;
    let mut all = Vec::new();
    for (process, futures) in program.types.iter().zip(futures) {
        let own = &transitions[first..first + process.transitions.len()];
        first += own.len();
        let mut places = vec![Place::default(); process.locations.len()];
        for (transition, used) in process.transitions.iter().zip(own) {
            places[transition.from.index()].free |= !used.last_resort && !may_block(transition);
        }
        for (transition, used) in process.transitions.iter().zip(own) {
            places[transition.from.index()].add(transition, used);
        }
        places.iter_mut().for_each(Place::settle);
        let (mut operands, mut channels) = (Vec::new(), Vec::new());
        for used in places.iter().flat_map(|place| &place.uses) {
            computed(used, &mut operands, &mut channels);
        }
        operands.retain(|node| !futures.operands.contains(node));
        channels.retain(|node| !futures.channels.contains(node));
        all.push(TypeStandpoints { places, operands, channels });
    }
    all
}

/// Whether something of the transition itself may keep it from being taken.
pub(super) fn may_block(transition: &Transition) -> bool {
    let holds = |guard: &Expression| matches!(guard, Expression::Constant(value) if *value != 0);
    !transition.guard.iter().all(holds) || transition.effects.iter().any(Effect::may_block)
}

impl Place {
    fn add(&mut self, transition: &Transition, used: &TransitionUses) {
        // Whether others keep it back is not followed.
        let kept_back = |used: &Use| matches!(used, Use::Enabled { kinds: Kinds::Above(_), .. });
        self.everything |= used.everything || used.uses.iter().any(kept_back);
        self.creates |= !used.runs.is_empty();
        if !self.next.contains(&transition.to.0) {
            self.next.push(transition.to.0);
        }
        let mut uses: Vec<Use> = Vec::new();
        if used.handshake {
            // The partner's chance depends on all that this side needs.
            uses.extend(&used.uses);
            uses.extend(used.uses.iter().map(|one| one.unperformed()));
        } else if transition.effects == [Effect::Exit] && transition.guard.is_empty() {
            self.exit = used.definedness.first().copied();
        } else if self.free {
            return;
        } else if used.entangled {
            uses.extend(used.uses.iter().map(|one| one.unperformed()));
        } else {
            let conditions = used.conditions.iter().flat_map(|(_, looks)| looks);
            uses.extend(conditions.chain(&used.definedness).map(|one| one.unperformed()));
        }
        for one in uses {
            if !self.uses.contains(&one) {
                self.uses.push(one);
            }
        }
    }

    /// While no process is created, the younger ones leave in a fixed order, and the exit of one of them, always the same, lets a process go. That
    /// matters only beside other things.
    fn settle(&mut self) {
        if let Some(exit) = self.exit.take().filter(|_| !self.uses.is_empty() && !self.free) {
            self.uses.push(exit.unperformed());
        }
    }
}

impl Interpreter {
    /// Appends what the standpoints of a process depend on, beside its location and what its futures depend on.
    pub(super) fn standpoints_depend_on(&self, state: &[u8], at: ProcessAt, out: &mut Vec<u8>) {
        let view = View { state, at };
        let TypeStandpoints { operands, channels, .. } = &self.analysis.standpoints[at.kind];
        self.add_values(view, operands, channels, out);
    }

    /// Where a process that is at a location may come to stand. False if it may create others, or more than objects decides
    /// whether it can move.
    pub(super) fn standpoints_from(
        &self,
        state: &[u8],
        at: ProcessAt,
        location: usize,
        out: &mut Vec<Standpoint>,
    ) -> bool {
        let TypeStandpoints { places, .. } = &self.analysis.standpoints[at.kind];
        let mut seen = vec![false; places.len()];
        let mut waiting = vec![location];
        seen[location] = true;
        while let Some(place) = waiting.pop().map(|location| &places[location]) {
            if place.creates || place.everything {
                return false;
            }
            let mut footprint = Footprint::default();
            place
                .uses
                .iter()
                .for_each(|used| self.emit(View { state, at }, used, Moment::Future, &mut footprint));
            let mut accesses = footprint.accesses;
            accesses.sort_unstable();
            accesses.dedup();
            if !accesses.is_empty() {
                out.push(Standpoint { accesses, free: place.free });
            }
            for &next in &place.next {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    waiting.push(next as usize);
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        true
    }
}
