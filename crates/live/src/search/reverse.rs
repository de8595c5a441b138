//! What reverses a race: a sequence of steps from the state before its first event.
//!
//! *Source-DPOR* and *optimal DPOR* (Abdulla, Aronis, Jonsson and Sagonas 2014, 2017) start from one execution
//! and look at its races. For each one, a sequence that reverses it is explored from the state before its
//! first event, unless something equivalent is, or was. Optimal DPOR keeps whole sequences, in wakeup trees, and
//! never starts an execution that turns out to be redundant: it makes one execution for each trace.
//!
//! Races are looked for when an execution ends, and only those whose second event is new: an older
//! race was dealt with when its second event was, and what follows it is explored from there. Where an operation had
//! several outcomes (`toss`, who is woken), all races are looked at again: a sequence that reverses one
//! contains one outcome, and there must be one for each.

use super::dfs::Dfs;
use super::method::Method;
use super::wakeup::{Branch, Sequence, Sleeper};
use crate::runtime::Runtime;
use crate::runtime::operation::{Access, Event, Kind, NONE, dependent};
use crate::runtime::order::Race;

impl Dfs {
    /// Looks at a race: what reverses it is explored from the state before its first event, unless it is
    /// already taken care of.
    pub(super) fn reverse(&mut self, runtime: &Runtime, race: &Race) {
        let firsts = &runtime.order.firsts[race.from as usize..race.to as usize];
        let start = firsts[0] as usize;
        let events = runtime.events.len();
        // Optimal DPOR looks at the whole execution, source-DPOR at what comes before the second event.
        let end = match self.method {
            Method::Optimal => events,
            _ => (race.second as usize).min(events),
        };
        let order = &runtime.order;
        let mut sequence = std::mem::take(&mut self.sequence);
        sequence.clear();
        let mut places: Vec<u32> = Vec::new();
        let mut needed = 0;
        for event in start + 1..end {
            let event = event as u32;
            let later = firsts.iter().any(|&first| order.before(&runtime.events[first as usize], event));
            if later || event == race.second {
                continue;
            }
            sequence.push(runtime.events[event as usize].access, |place| {
                order.before(&runtime.events[places[place] as usize], event)
            });
            places.push(event);
            needed += usize::from(event < race.second);
        }
        let thread = race.thread;
        let operation = match race.second {
            NONE => runtime.threads[thread as usize].pending,
            second => runtime.events[second as usize].operation,
        };
        // What it becomes there must be known exactly: a step that is taken to depend on more than it does is put beside sequences that
        // it should follow, and what is asleep then hides what comes after it.
        let second = runtime.access_among(thread, &operation, firsts[0], &places);
        sequence.outcomes = match operation.kind {
            Kind::NotifyOne => runtime.events[firsts[0] as usize].before as u32,
            _ => 1,
        };
        // What precedes the reversed event is what precedes its thread's last event, and what it depends on.
        let creates = |event: &Event| {
            event.operation.kind == Kind::Spawn && event.operation.operand == u64::from(thread)
        };
        let last = runtime.events[..events.min(race.second as usize)]
            .iter()
            .rposition(|event| event.access.thread == thread || creates(event))
            .map(|place| place as u32);
        let direct: Vec<bool> = places
            .iter()
            .map(|&event| {
                let own = last.is_some_and(|last| order.before(&runtime.events[event as usize], last));
                own || dependent(&runtime.events[event as usize].access, &second)
            })
            .collect();
        sequence.push(second, |place| {
            direct[place]
                || (0..direct.len()).any(|other| {
                    direct[other] && order.before(&runtime.events[places[place] as usize], places[other])
                })
        });
        let node = &mut self.stack[start];
        let method = self.method;
        let inserted = match &node.shared {
            Some(shared) => shared.change(node.entry, |sleep, alone, tree| {
                insert(method, &mut sequence, needed, sleep, alone, tree)
            }),
            None => insert(method, &mut sequence, needed, &node.sleep, true, &mut node.tree),
        };
        node.explored += u32::from(inserted);
        self.sequence = sequence;
    }
}

/// Puts a sequence among what is to be explored, unless it is taken care of. `needed`: how many steps came before the second event
/// of the race. `alone`: nobody else explores other steps of that state.
fn insert(
    method: Method,
    sequence: &mut Sequence,
    needed: usize,
    sleep: &[Sleeper],
    alone: bool,
    tree: &mut Vec<Branch>,
) -> bool {
    if sequence
        .all_outcomes(sleep.iter().map(|sleeper| &sleeper.step).chain(tree.iter().map(|branch| &branch.step)))
    {
        return false;
    }
    if method == Method::Optimal {
        // Steps from behind the race let a sleeper that is independent of it wake up. One that is being explored may not be counted on.
        if !alone || sleep.iter().any(|sleeper| !sleeper.explored) {
            sequence.shorten(needed);
        }
        let asleep = sleep.iter().any(|sleeper| match sequence.weak_initial(&sleeper.step) {
            Some(Some(_)) => true,
            // Some continuations are found behind the sleeper, and the others by races there, if those come in time.
            Some(None) => sleeper.explored && alone,
            None => false,
        });
        return !asleep && sequence.insert(tree);
    }
    // Source-DPOR: one of the initials is explored, if none of them is already.
    let known = |step: &Access| {
        let waiting = tree.iter().map(|branch| &branch.step);
        waiting
            .chain(sleep.iter().map(|sleeper| &sleeper.step))
            .any(|other| other.thread == step.thread && (other.choice == step.choice || other.choice == NONE))
    };
    if sequence.initials().any(known) {
        return false;
    }
    let Some(&first) = sequence.initials().next() else { return false };
    tree.push(Branch::leaf(first));
    true
}
