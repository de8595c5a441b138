//! Strongly faithful decompositions (Peled 1993, Definition 4.5): persistent sets that no infinite run avoids.
//!
//! Without fairness a run may go on for ever without a step of a persistent set, and then no run of its trace begins with one.
//! A set is *strongly* faithful if nothing else can be executed infinitely often before one of its steps is. That is judged by the form of
//! the system: the processes that steps of the set move stand still until one is taken, because all that they can do depends on these. Another process that
//! takes only finitely many steps if those who are at rest do nothing more for the objects that it shares with no others is at
//! rest too ([`mazurka_model::Relations::comes_to_rest`]), and so on. If all are, the set is strongly faithful.
//!
//! Then every run from the state has a step of the set, the first of which can be moved to the front. With the cycle condition (C3), in the end each step of a run
//! is taken: where nothing is left out the first one that is left can be. So the reduced graph has a run of every trace, fair or not.

use mazurka_model::{Footprint, ObjectId, ProcessId, Relations, Step};

/// Judges sets.
#[derive(Debug, Default)]
pub struct Faithful {
    footprint: Footprint,
    at_rest: Vec<bool>,
    /// By process, what it may still touch.
    supports: Vec<Vec<u64>>,
}

impl Faithful {
    /// Whether a persistent set is strongly faithful. False also if that can't be told.
    pub fn strongly(&mut self, relations: &dyn Relations, state: &[u8], steps: &[Step]) -> bool {
        let processes = relations.processes(state);
        self.at_rest.clear();
        self.at_rest.resize(processes, false);
        for step in steps {
            relations.step(state, *step, &mut self.footprint);
            for process in &self.footprint.processes {
                if let Some(at_rest) = self.at_rest.get_mut(process.index()) {
                    *at_rest = true;
                }
            }
        }
        self.supports.resize_with(self.supports.len().max(processes), Vec::new);
        for (process, support) in self.supports.iter_mut().enumerate().take(processes) {
            relations.support(state, ProcessId(process as u16), true, support);
        }
        loop {
            let mut changed = false;
            for process in 0..processes {
                if self.at_rest[process] {
                    continue;
                }
                let (at_rest, supports) = (&self.at_rest, &self.supports);
                let deserted = |object: ObjectId| {
                    let (word, bit) = (object.index() / 64, object.index() % 64);
                    let touches = |other: usize| supports[other].get(word).is_none_or(|w| w >> bit & 1 == 1);
                    (0..processes).all(|other| other == process || at_rest[other] || !touches(other))
                };
                if relations.comes_to_rest(state, ProcessId(process as u16), &deserted) {
                    self.at_rest[process] = true;
                    changed = true;
                }
            }
            if !changed {
                return self.at_rest.iter().all(|at_rest| *at_rest);
            }
        }
    }
}
