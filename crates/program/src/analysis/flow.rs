//! The control flow of a process type, indexed once.

use crate::ir::{ProcessType, Transition};

/// Which transitions leave a location, and which that hold lead to it.
#[derive(Debug)]
pub struct Flow<'p> {
    pub process: &'p ProcessType,
    leaving: Vec<Vec<u32>>,
    holding: Vec<Vec<u32>>,
}

impl<'p> Flow<'p> {
    pub fn new(process: &'p ProcessType) -> Flow<'p> {
        let mut leaving = vec![Vec::new(); process.locations.len()];
        let mut holding = leaving.clone();
        for (number, transition) in process.transitions.iter().enumerate() {
            leaving[transition.from.index()].push(number as u32);
            if transition.atomic {
                holding[transition.to.index()].push(number as u32);
            }
        }
        Flow { process, leaving, holding }
    }

    /// The transitions that leave a location, each with its number within the type, in order.
    pub fn leaving(&self, location: usize) -> impl Iterator<Item = (usize, &'p Transition)> {
        self.numbered(&self.leaving[location])
    }

    /// The transitions that enter a location without giving up control.
    pub fn holding_to(&self, location: usize) -> impl Iterator<Item = (usize, &'p Transition)> {
        self.numbered(&self.holding[location])
    }

    /// Whether a process may stand at a location within an atomic region.
    pub fn is_held(&self, location: usize) -> bool {
        !self.holding[location].is_empty()
    }

    fn numbered(&self, numbers: &[u32]) -> impl Iterator<Item = (usize, &'p Transition)> {
        numbers.iter().map(|&number| (number as usize, &self.process.transitions[number as usize]))
    }
}
