//! States in a row, each as what tells it from the one before.
//!
//! The states of a stack differ from one to the next by what one step changes, so that they take a few bytes each this way: for
//! the time in which they have to be somewhere while one store takes the place of another.

use super::codec::collapse::{read_number, write_number};

/// States in the order in which they were added.
#[derive(Debug, Default)]
pub struct Row {
    /// For each state its length, and how many bytes stay, how many change, and these, in turn up to its end.
    bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Row {
    /// Adds a state.
    pub fn push(&mut self, state: &[u8]) {
        write_number(state.len() as u32, &mut self.bytes);
        // What is beyond the end of the state before counts as 0 there.
        self.last.resize(state.len(), 0);
        let mut at = 0;
        while at < state.len() {
            let differs = |at: &usize| state[*at] != self.last[*at];
            let change = (at..state.len()).find(differs).unwrap_or(state.len());
            let end = (change..state.len()).find(|at| !differs(at)).unwrap_or(state.len());
            write_number((change - at) as u32, &mut self.bytes);
            write_number((end - change) as u32, &mut self.bytes);
            self.bytes.extend_from_slice(&state[change..end]);
            at = end;
        }
        self.last.copy_from_slice(state);
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.last.capacity()) as u64
    }

    /// Hands out all of them again.
    pub fn each(&self, mut pass: impl FnMut(&[u8])) {
        let (mut rest, mut state) = (self.bytes.as_slice(), Vec::new());
        while !rest.is_empty() {
            state.resize(read_number(&mut rest) as usize, 0);
            let mut at = 0;
            while at < state.len() {
                at += read_number(&mut rest) as usize;
                let changed = read_number(&mut rest) as usize;
                let (bytes, others) = rest.split_at(changed);
                state[at..at + changed].copy_from_slice(bytes);
                (rest, at) = (others, at + changed);
            }
            pass(&state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn states_come_out_as_they_went_in() {
        let (mut row, mut states) = (Row::default(), Vec::new());
        let mut state = vec![0; 40];
        for round in 0..20_000u64 {
            let seed = hash(&round.to_le_bytes());
            match seed % 50 {
                0 => state.resize((seed >> 8) as usize % 300, (seed >> 32) as u8),
                1 => state.clear(),
                _ => {}
            }
            if !state.is_empty() {
                let at = (seed >> 16) as usize % state.len();
                state[at] = (seed >> 40) as u8;
            }
            row.push(&state);
            states.push(state.clone());
        }
        let mut expected = states.iter();
        row.each(|state| assert_eq!(Some(state), expected.next().map(Vec::as_slice)));
        assert!(expected.next().is_none());
    }

    #[test]
    fn what_does_not_change_takes_no_room() {
        let mut row = Row::default();
        (0..1000u32).for_each(|i| row.push(&[&i.to_le_bytes()[..], &[7; 100]].concat()));
        assert!(row.bytes.len() < 8 * 1000, "{}", row.bytes.len());
    }
}
