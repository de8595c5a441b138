//! Who may take part in a handshake, and when it matters that a process stands ready for one.

use super::flow::Flow;
use super::objects::ObjectTable;
use super::uses::TransitionUses;
use crate::ir::{ChannelRef, Effect, Expression, Program};

/// Where a send on a rendezvous can be told from outside to be possible or not, the receivers are
/// watched: by an `otherwise` beside the send, and by an atomic region that ends, or goes on, at it.
/// Then arriving at a location with a receive on a rendezvous, or leaving it, is no local step, even
/// if it touches no object. Which receiver is watched by whom is not followed. What demands that nothing else can move is no
/// watcher: it can't be executed before a step that is enabled, and where it is enabled nothing is left out.
pub fn watch_receivers(program: &Program, flows: &[Flow], objects: &ObjectTable, all: &mut [TransitionUses]) {
    let transitions =
        || (0..flows.len()).flat_map(|kind| flows[kind].process.transitions.iter().map(move |t| (kind, t)));
    let watched = transitions().zip(&*all).any(|((kind, transition), used)| {
        used.everything && !used.last_resort || used.handshake && flows[kind].is_held(transition.from.index())
    });
    if !watched {
        return;
    }
    let accepting = |kind: usize, location: usize| {
        flows[kind].leaving(location).any(|(_, t)| match t.effects.first() {
            Some(first @ Effect::Receive { .. }) => may_handshake(program, kind, objects, first),
            _ => false,
        })
    };
    for ((kind, transition), used) in transitions().zip(all) {
        used.everything |= accepting(kind, transition.from.index())
            || accepting(kind, transition.to.index())
            || used.runs.iter().any(|&run| accepting(run, flows[run].process.start.index()));
    }
}

/// Whether an effect, the first of its transition, may be one side of a handshake.
pub fn may_handshake(program: &Program, kind: usize, objects: &ObjectTable, effect: &Effect) -> bool {
    let (Effect::Send { channel, .. } | Effect::Receive { channel, .. }) = effect else { return false };
    match channel {
        Expression::Channel(ChannelRef::Global(id)) => program.channels[id.index()].capacity == 0,
        Expression::Channel(ChannelRef::Own(id)) => program.types[kind].channels[id.index()].capacity == 0,
        computed => {
            let among = objects.points_to.among(kind, computed);
            objects.points_to.objects(among).iter().any(|object| objects.rendezvous[object.index()])
        }
    }
}
