//! Who may take part in a handshake, and when it matters that a process stands ready for one.

use super::objects::ObjectTable;
use super::uses::TransitionUses;
use crate::ir::{ChannelRef, Effect, Expression, ProcessType, Program, Transition};

/// Where a send on a rendezvous can be told from outside to be possible or not, the receivers are
/// watched: by an `otherwise` beside the send, and by an atomic region that ends, or goes on, at it.
/// Then arriving at a location with a receive on a rendezvous, or leaving it, is no local step, even
/// if it touches no object. Which receiver is watched by whom is not followed.
pub fn watch_receivers(program: &Program, objects: &ObjectTable, all: &mut [TransitionUses]) {
    let transitions = || program.types.iter().flat_map(|p| p.transitions.iter().map(move |t| (p, t)));
    let in_region =
        |p: &ProcessType, t: &Transition| p.transitions.iter().any(|u| u.atomic && u.to == t.from);
    let watched = transitions().zip(&*all).any(|((process, transition), used)| {
        used.everything || (used.handshake && in_region(process, transition))
    });
    if !watched {
        return;
    }
    let accepting = |process: &ProcessType, location: usize| {
        process.transitions.iter().filter(|t| t.from.index() == location).any(|t| match t.effects.first() {
            Some(first @ Effect::Receive { .. }) => may_handshake(program, process, objects, first),
            _ => false,
        })
    };
    for ((process, transition), used) in transitions().zip(all) {
        used.everything |= accepting(process, transition.from.index())
            || accepting(process, transition.to.index())
            || used.runs.iter().any(|&kind| {
                let created = &program.types[kind];
                accepting(created, created.start.index())
            });
    }
}

/// Whether an effect, the first of its transition, may be one side of a handshake.
pub fn may_handshake(
    program: &Program,
    process: &ProcessType,
    objects: &ObjectTable,
    effect: &Effect,
) -> bool {
    let (Effect::Send { channel, .. } | Effect::Receive { channel, .. }) = effect else { return false };
    match channel {
        Expression::Channel(ChannelRef::Global(id)) => program.channels[id.index()].capacity == 0,
        Expression::Channel(ChannelRef::Own(id)) => process.channels[id.index()].capacity == 0,
        _ => objects.rendezvous.contains(&true),
    }
}
