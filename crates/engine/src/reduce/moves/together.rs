//! Which moves can't be enabled together with a step, and which steps depend on each other directly
//! (Peled 1993, section 4.2: the relations E and D on enabled operations).
//!
//! A step that is enabled stays so until something is done that depends on it. Until then each of its
//! operations that fires in the present value of its object stays defined, and a move that demands an operation
//! which is never defined together with that one can't be taken.

use super::Moves;
use crate::reduce::dependency::fires_now;
use mazurka_model::Access;

impl Moves<'_> {
    /// Whether the moves of a node, none of which is enabled, can't be while these steps are.
    pub fn shut_by(&mut self, state: &[u8], node: usize, steps: &[usize]) -> bool {
        if !self.taken_by[node].is_empty() {
            return false;
        }
        let (process, alternative) = self.place(node);
        let mut demands = std::mem::take(&mut self.demands);
        self.relations.demands(state, process, alternative, &mut demands);
        steps.iter().for_each(|&step| self.look_up(state, step));
        let shut = demands.iter().any(|demand| steps.iter().any(|&step| self.excludes(state, step, demand)));
        self.demands = demands;
        shut
    }

    fn excludes(&mut self, state: &[u8], step: usize, demand: &Access) -> bool {
        let footprint = self.steps[step].footprint();
        footprint.accesses.iter().any(|access| {
            access.object == demand.object && fires_now(self.relations, footprint, access) && {
                self.relations.value(state, access.object, &mut self.value);
                self.judge.excludes(access.object, &access.operation, &demand.operation, &self.value)
            }
        })
    }

    /// Whether an enabled step performs an operation that might interact with one of another enabled step.
    pub fn step_interacts(&mut self, state: &[u8], step: usize, other: usize) -> bool {
        self.look_up(state, step);
        self.look_up(state, other);
        let (a, b) = (self.steps[step].footprint(), self.steps[other].footprint());
        if a.everything || b.everything || a.processes.iter().any(|process| b.processes.contains(process)) {
            return true;
        }
        let mut firing = std::mem::take(&mut self.firing);
        let now = firing.of_step(self.relations, a);
        // Both may have thousands.
        let mut theirs: Vec<&Access> = b.accesses.iter().collect();
        theirs.sort_by_key(|other| other.object);
        let interacts = a.accesses.iter().zip(now).any(|(access, now)| {
            let from = theirs.partition_point(|other| other.object < access.object);
            let mut same = theirs[from..].iter().take_while(|other| other.object == access.object).peekable();
            if same.peek().is_none() {
                return false;
            }
            let now = self.judge.looks_at_values() && *now;
            if now {
                self.relations.value(state, access.object, &mut self.value);
            }
            let value = now.then_some((&*self.value, u64::MAX));
            same.any(|other| self.judge.interacts(access.object, &access.operation, &other.operation, value))
        });
        self.firing = firing;
        interacts
    }
}
