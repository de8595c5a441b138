//! Whether atomic regions come to their end, whatever happens in them.
//!
//! A region goes on along transitions that keep the process alone, so it ends if these form no cycle. A handshake may
//! hand a region over to another process; where that is possible, nothing is said.

use super::effect::Effect;
use super::process::{ProcessType, Transition};
use super::program::Program;

impl Program {
    /// Whether no region can go on for ever, by its form. False also if that can't be told.
    pub fn regions_end(&self) -> bool {
        let meets = self.may_shake_hands();
        self.types.iter().all(|process| {
            let mut alone = process.transitions.iter().filter(|one| goes_on_alone(one));
            !(meets && alone.any(communicates)) && ends(process)
        })
    }
}

impl Program {
    /// Whether there is a rendezvous channel.
    pub(crate) fn may_shake_hands(&self) -> bool {
        let own = self.types.iter().flat_map(|one| &one.channels);
        self.channels.iter().chain(own).any(|channel| channel.capacity == 0)
    }
}

fn goes_on_alone(transition: &Transition) -> bool {
    transition.atomic || transition.group != 0
}

fn communicates(transition: &Transition) -> bool {
    transition.effects.iter().any(|effect| matches!(effect, Effect::Send { .. } | Effect::Receive { .. }))
}

/// Whether the transitions that keep a process alone form no cycle.
fn ends(process: &ProcessType) -> bool {
    let mut following: Vec<Vec<usize>> = vec![Vec::new(); process.locations.len()];
    for one in process.transitions.iter().filter(|one| goes_on_alone(one)) {
        match following.get_mut(one.from.index()) {
            Some(here) if one.to.index() < process.locations.len() => here.push(one.to.index()),
            // A program that was not checked: nothing is said.
            _ => return false,
        }
    }
    is_acyclic(&following)
}

/// Whether a graph has no cycle, by the places that follow each: one walk over it, in which no place is met again that
/// is still being left.
pub(crate) fn is_acyclic(following: &[Vec<usize>]) -> bool {
    let mut marks = vec![Mark::New; following.len()];
    for root in 0..following.len() {
        let mut path = vec![(root, 0)];
        while let Some((place, taken)) = path.last_mut() {
            let place = *place;
            match (marks[place], following[place].get(*taken)) {
                (Mark::Left, _) => {
                    path.pop();
                }
                (_, None) => marks[place] = Mark::Left,
                (_, Some(&next)) => {
                    marks[place] = Mark::Open;
                    *taken += 1;
                    if marks[next] == Mark::Open {
                        return false;
                    }
                    path.push((next, 0));
                }
            }
        }
    }
    true
}

/// How far a walk is with a place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Mark {
    New,
    Open,
    Left,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Location, LocationId};

    /// A process with transitions between these locations; those that are true keep it alone.
    fn process(locations: usize, transitions: &[(u32, u32, bool)]) -> ProcessType {
        let transition = |&(from, to, atomic): &(u32, u32, bool)| Transition {
            from: LocationId(from),
            to: LocationId(to),
            atomic,
            ..Transition::default()
        };
        ProcessType {
            locations: vec![Location::default(); locations],
            transitions: transitions.iter().map(transition).collect(),
            ..ProcessType::default()
        }
    }

    #[test]
    fn only_a_cycle_that_keeps_the_process_alone_is_endless() {
        let (alone, free) = (true, false);
        assert!(ends(&process(2, &[(0, 1, alone), (1, 0, free)])));
        assert!(ends(&process(4, &[(0, 1, alone), (0, 2, alone), (1, 3, alone), (2, 3, alone)])));
        assert!(!ends(&process(1, &[(0, 0, alone)])));
        assert!(!ends(&process(4, &[(0, 1, free), (3, 1, alone), (1, 2, alone), (2, 3, alone)])));
    }

    #[test]
    fn a_long_region_is_walked_through_once() {
        let many = 200_000;
        let mut way: Vec<(u32, u32, bool)> = (0..many - 1).map(|i| (i, i + 1, true)).collect();
        way.reverse();
        assert!(ends(&process(many as usize, &way)));
        way.push((many - 1, many / 2, true));
        assert!(!ends(&process(many as usize, &way)));
    }
}
