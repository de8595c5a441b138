//! Whether a process comes to rest: from a location on it takes only finitely many steps, if others use certain channels only
//! finitely often.
//!
//! A handshake needs another process, so there are finitely many on a channel that others use finitely often. Of a channel with
//! room for messages a process can receive only what others have sent, if it sends nothing there itself, and send only until it is full, if it
//! receives nothing. What can be taken finitely often only is on no cycle that is gone around for ever; if the other
//! transitions form no cycle, the process comes to rest.

use crate::ir::{ChannelRef, Effect, Expression, ProcessType, Program, is_acyclic};

/// What a process does to channels from some location on: by global channel, whether it sends, and whether it takes messages out.
struct Own {
    sends: Vec<bool>,
    receives: Vec<bool>,
}

/// Whether a process of this type comes to rest, if of the global channels that are `deserted` others use each only finitely often.
pub fn comes_to_rest(
    program: &Program,
    kind: usize,
    location: usize,
    deserted: &dyn Fn(usize) -> bool,
) -> bool {
    let process = &program.types[kind];
    let following = following(process);
    let own = Own::new(program, process, &following, location);
    // Where the transitions lead that may be taken again and again.
    let mut lasting = vec![Vec::new(); following.len()];
    for place in reachable(process, &following, location) {
        let transitions = following[place].iter().map(|number| &process.transitions[*number]);
        let lasts = transitions.filter(|one| !own.is_bounded(program, &one.effects, deserted));
        lasting[place].extend(lasts.map(|one| one.to.index()));
    }
    is_acyclic(&lasting)
}

/// By location, the transitions that leave it.
fn following(process: &ProcessType) -> Vec<Vec<usize>> {
    let mut following = vec![Vec::new(); process.locations.len()];
    for (number, transition) in process.transitions.iter().enumerate() {
        following[transition.from.index()].push(number);
    }
    following
}

/// The locations that can be reached.
fn reachable(process: &ProcessType, following: &[Vec<usize>], location: usize) -> Vec<usize> {
    let mut seen = vec![false; following.len()];
    let mut reached = vec![location];
    seen[location] = true;
    let mut next = 0;
    while let Some(&place) = reached.get(next) {
        next += 1;
        for &number in &following[place] {
            let target = process.transitions[number].to.index();
            if !std::mem::replace(&mut seen[target], true) {
                reached.push(target);
            }
        }
    }
    reached
}

/// The global channel that an expression always is.
fn constant(channel: &Expression) -> Option<usize> {
    match channel {
        Expression::Channel(ChannelRef::Global(index)) => Some(index.index()),
        _ => None,
    }
}

impl Own {
    fn new(program: &Program, process: &ProcessType, following: &[Vec<usize>], location: usize) -> Own {
        let none = vec![false; program.channels.len()];
        let mut own = Own { sends: none.clone(), receives: none };
        let places = reachable(process, following, location);
        for effect in places
            .iter()
            .flat_map(|place| &following[*place])
            .flat_map(|number| &process.transitions[*number].effects)
        {
            let (list, channel) = match effect {
                Effect::Send { channel, .. } => (&mut own.sends, channel),
                Effect::Receive { channel, .. } => (&mut own.receives, channel),
                _ => continue,
            };
            match constant(channel) {
                Some(index) => list[index] = true,
                // Any of them.
                None => list.fill(true),
            }
        }
        own
    }

    /// Whether a transition with these effects can be taken only finitely often.
    fn is_bounded(&self, program: &Program, effects: &[Effect], deserted: &dyn Fn(usize) -> bool) -> bool {
        effects.iter().any(|effect| {
            let (channel, sends, keeps) = match effect {
                Effect::Send { channel, .. } => (channel, true, false),
                Effect::Receive { channel, keep, .. } => (channel, false, *keep),
                _ => return false,
            };
            constant(channel).filter(|index| deserted(*index)).is_some_and(|index| {
                match (program.channels[index].capacity, sends) {
                    (0, _) => true,
                    // Where a full channel loses messages, a send never waits.
                    (_, true) => !program.overflow && !self.receives[index],
                    (_, false) => !keeps && !self.sends[index],
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// Whether the process of each type comes to rest, by the names of the channels that are deserted.
    fn resting(source: &str, deserted: &[&str]) -> Vec<bool> {
        let program = text::parse("rest.mzk", source).program.expect("a program");
        let named = |index: usize| deserted.contains(&program.channels[index].name.as_str());
        (0..program.types.len())
            .map(|kind| {
                let start = program.types[kind].start.index();
                comes_to_rest(&program, kind, start, &named)
            })
            .collect()
    }

    const PIPELINE: &str = "program pipeline
        chan a[0]: bit
        chan b[2]: bit
        process Source() {
          go -> go do a!1
        }
        process Middle() {
          take -> give do a?_
          give -> take do b!1
        }
        process Sink() {
          take -> take do b?_
        }
        start Source(), Middle(), Sink()";

    #[test]
    fn who_waits_for_others_comes_to_rest_with_them() {
        assert_eq!(resting(PIPELINE, &[]), [false, false, false]);
        assert_eq!(resting(PIPELINE, &["a"]), [true, true, false]);
        assert_eq!(resting(PIPELINE, &["b"]), [false, true, true]);
    }

    #[test]
    fn who_serves_itself_goes_on() {
        let alone = "program alone
            chan b[2]: bit
            process Loop() {
              put -> take do b!1
              take -> put do b?_
            }
            process Steps() {
              end location three
              one -> two
              two -> three do b!1
              start one
            }
            process Looks() {
              look -> look do peek b?_
            }
            start Loop(), Steps(), Looks()";
        assert_eq!(resting(alone, &["b"]), [false, true, false]);
        assert_eq!(resting(alone, &[]), [false, true, false]);
    }
}
