//! States that are opened together, each with the numbers of its leaves and nodes: what its successors are compared to.

use super::keys::Key;
use super::levels::{Latest, Levels, NONE};
use super::shape::Shape;

/// The states, and how many there are: room that was used before stays.
#[derive(Debug, Default)]
pub struct Members {
    states: Vec<(u8, Latest)>,
    len: usize,
}

impl Members {
    /// There are none.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the state with this root, and gives its bytes as they are cut. What it shares with the one before, or one of another time, is not read again.
    pub fn add(
        &mut self,
        levels: &Levels,
        shape: &Shape,
        root: Key,
        descending: &mut Vec<(u32, u32)>,
    ) -> &[u8] {
        if self.len == self.states.len() {
            self.states.push((root.shape, Latest::default()));
        }
        let (before, rest) = self.states.split_at_mut(self.len);
        let (of_shape, latest) = &mut rest[0];
        match before.last() {
            Some((number, before)) if *number == root.shape => {
                latest.numbers.clone_from(&before.numbers);
                latest.state.clone_from(&before.state);
            }
            // What stood here at another time is as good as nothing.
            _ if *of_shape == root.shape && !latest.numbers.is_empty() => {}
            _ => {
                latest.numbers.clear();
                latest.numbers.resize(shape.parents.len(), NONE);
                shape.blank(&mut latest.state);
            }
        }
        *of_shape = root.shape;
        latest.joined = root.numbers();
        let Latest { state, numbers, .. } = latest;
        levels.descend_from(shape, root, numbers, descending, |leaf, number| {
            shape.write(state, leaf, levels.value(shape, leaf, number));
        });
        self.len += 1;
        state
    }

    /// A state, and the number of its shape.
    #[inline]
    pub fn get_mut(&mut self, member: usize) -> Option<(u8, &mut Latest)> {
        self.states[..self.len].get_mut(member).map(|(shape, latest)| (*shape, latest))
    }
}
