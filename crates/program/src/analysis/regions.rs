//! What an atomic region may do once a process is at its first location: the uses of everything that
//! can be reached by transitions that hold.
//!
//! Where a region has to stop is seen from outside, so what decides it is looked at as well. A program
//! whose regions are too many and too large to be followed one by one is in doubt: they then depend on
//! everything.

use super::flow::Flow;
use super::uses::{Awaits, ChannelAction, TransitionUses, Use, UseChannel, UseList};
use crate::ir::{Effect, Transition};
use mazurka_model::OperationKind;

/// Locations that are visited for all regions of a type together.
const MOST_VISITS: usize = 10_000_000;
/// A region of so many locations is followed wherever it is.
const SMALL: usize = 256;

/// What an atomic region may do once a process is at its first location.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub uses: Vec<Use>,
    pub everything: bool,
    /// A handshake may move another process, and pass control to it.
    pub hands_over: bool,
}

/// The locations of a region in order, its first included; `None` if there is none, or too many.
type Extent = Option<Vec<u32>>;

/// What each atomic region may do, by location; none where no transition that holds leads to. A use that
/// may happen more than once on one way through the region is listed twice.
pub fn regions(flow: &Flow, uses: &[TransitionUses]) -> Vec<Option<Region>> {
    let locations = 0..flow.process.locations.len();
    let starts = locations.clone().filter(|&l| flow.is_held(l)).count();
    let most = SMALL.max(MOST_VISITS / starts.max(1));
    let mut seen = vec![false; flow.process.locations.len()];
    let extents: Vec<Extent> = locations
        .clone()
        .map(|l| flow.is_held(l).then(|| extent(flow, l, most, &mut seen)).flatten())
        .collect();
    locations
        .map(|start| {
            flow.is_held(start).then(|| match &extents[start] {
                Some(within) => region(flow, uses, start, within, &extents),
                None => Region { everything: true, hands_over: true, ..Region::default() },
            })
        })
        .collect()
}

/// The locations that transitions that hold lead to from `start`, unless there are more than `most`.
fn extent(flow: &Flow, start: usize, most: usize, seen: &mut [bool]) -> Extent {
    let mut reached = vec![start as u32];
    seen[start] = true;
    let mut next = 0;
    while next < reached.len() && reached.len() <= most {
        for (_, transition) in flow.leaving(reached[next] as usize).filter(|(_, t)| t.atomic) {
            if !std::mem::replace(&mut seen[transition.to.index()], true) {
                reached.push(transition.to.index() as u32);
            }
        }
        next += 1;
    }
    reached.iter().for_each(|&location| seen[location as usize] = false);
    reached.sort_unstable();
    (reached.len() <= most).then_some(reached)
}

/// What a region may do that begins at `start` and consists of the locations `within`.
fn region(flow: &Flow, uses: &[TransitionUses], start: usize, within: &[u32], extents: &[Extent]) -> Region {
    let mut inside: Vec<(usize, &Transition)> =
        within.iter().flat_map(|&l| flow.leaving(l as usize)).collect();
    inside.sort_unstable_by_key(|(number, _)| *number);
    // What can be reached from a location within lies within, so it is known.
    let follows = |first: &Transition, second: &Transition| {
        let later = extents[first.to.index()].as_ref();
        first.atomic && later.is_none_or(|later| later.binary_search(&(second.from.index() as u32)).is_ok())
    };
    let mut region = Region::default();
    let mut granted = granted(flow, uses, start);
    // Room for one message, or one message, is used up by one operation.
    let repeated = |is: fn(&Effect) -> bool| {
        let with = || inside.iter().filter(|(_, t)| t.effects.iter().any(is));
        with().any(|(_, a)| with().any(|(_, b)| follows(a, b)))
    };
    if repeated(|effect| matches!(effect, Effect::Send { .. })) {
        granted.room.clear();
    }
    if repeated(|effect| matches!(effect, Effect::Receive { .. })) {
        granted.message.clear();
    }
    // Each use, and the transitions that have it.
    let mut found = UseList::default();
    let mut having: Vec<Vec<&Transition>> = Vec::new();
    for &(number, transition) in &inside {
        let used = &uses[number];
        region.everything |= used.everything || used.handshake;
        region.hands_over |= used.handshake;
        let stops = stopping(used, transition, &granted);
        region.everything |= transition.effects.iter().skip(1).any(Effect::may_block);
        for used in used.uses.iter().map(|u| u.stable().asked()).chain(stops) {
            let index = found.insert(used);
            having.resize_with(found.list().len(), Vec::new);
            having[index].push(transition);
        }
    }
    for (used, transitions) in found.list().iter().zip(having) {
        let again = !used.reads()
            && (transitions.iter().any(|t| t.effects.len() > 1)
                || transitions.iter().any(|a| transitions.iter().any(|b| follows(a, b))));
        region.uses.push(*used);
        if again {
            region.uses.push(*used);
        }
    }
    region
}

/// Channels of which it is known, where an atomic region begins, that a message fits or is there.
#[derive(Debug, Default)]
struct Granted {
    room: Vec<UseChannel>,
    message: Vec<UseChannel>,
}

/// What every transition into a region that begins at `start` has awaited, doing nothing else.
fn granted(flow: &Flow, uses: &[TransitionUses], start: usize) -> Granted {
    let entering = || flow.holding_to(start).map(|(number, transition)| (transition, &uses[number]));
    let awaited = |used: &TransitionUses, wanted: ChannelAction| -> Vec<UseChannel> {
        let looks = used.conditions.iter().flat_map(|(_, looks)| looks);
        looks
            .filter_map(|look| match look {
                Use::Channel { channel, action, .. } if *action == wanted => Some(*channel),
                _ => None,
            })
            .collect()
    };
    if entering().any(|(t, _)| !t.effects.is_empty()) {
        return Granted::default();
    }
    let by_all = |wanted: ChannelAction| -> Vec<UseChannel> {
        let mut all = entering().map(|(_, used)| awaited(used, wanted));
        let first = all.next().unwrap_or_default();
        all.fold(first, |kept, next| kept.into_iter().filter(|c| next.contains(c)).collect())
    };
    Granted { room: by_all(ChannelAction::AwaitRoom), message: by_all(ChannelAction::AwaitMessage) }
}

/// What decides whether a region goes on with a transition, beside its guard. A send for which room
/// was awaited, or a receive of any message for which one was, goes through, if it is the only one.
fn stopping(used: &TransitionUses, transition: &Transition, granted: &Granted) -> Vec<Use> {
    let Some(first) = transition.effects.first() else { return Vec::new() };
    if !first.may_block() {
        return Vec::new();
    }
    let through = |look: &Use| match look {
        Use::Channel { channel, action: ChannelAction::Full, .. } => granted.room.contains(channel),
        Use::Channel { channel, action: ChannelAction::Empty, .. } => granted.message.contains(channel),
        _ => false,
    };
    let mut stops = Vec::new();
    for look in used.definedness.iter().filter(|look| !through(look)) {
        stops.push(match look.stable().asked() {
            // Whether such an operation is defined is for any other on the object to change.
            Use::Object { object, operands, .. } => {
                Use::Object { object, kind: OperationKind::ANY, operands, reads: true, awaits: Awaits::No }
            }
            other => other,
        });
    }
    stops
}
