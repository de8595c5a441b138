//! States that somebody holds, exactly, for sets that do not keep every state: where they come and go in any order, and nobody asks whether a
//! state is among them.
//!
//! Each state has a place as long as the longest one, and a place that was given back is the next to be used, while it is in the processor's caches.

/// Held states.
#[derive(Debug, Default)]
pub struct Loose {
    /// Bytes of a place.
    width: usize,
    bytes: Vec<u8>,
    /// The length of each state, and how often it is held: 0 if the place is free.
    states: Vec<(u32, u32)>,
    free: Vec<u32>,
}

impl Loose {
    /// Keeps a state, which is held once, and gives its number.
    #[inline]
    pub fn push(&mut self, state: &[u8]) -> u32 {
        if state.len() > self.width {
            self.widen(state.len());
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.states.push((0, 0));
            self.bytes.resize(self.bytes.len() + self.width, 0);
            self.states.len() as u32 - 1
        });
        let start = number as usize * self.width;
        self.bytes[start..start + state.len()].copy_from_slice(state);
        self.states[number as usize] = (state.len() as u32, 1);
        number
    }

    /// Makes every place longer.
    #[cold]
    fn widen(&mut self, width: usize) {
        let mut wider = vec![0; self.states.len() * width];
        for (number, (length, _)) in self.states.iter().enumerate() {
            let state = &self.bytes[number * self.width..][..*length as usize];
            wider[number * width..][..state.len()].copy_from_slice(state);
        }
        (self.bytes, self.width) = (wider, width);
    }

    /// Holds a state once more.
    pub fn hold(&mut self, number: u32) {
        self.states[number as usize].1 += 1;
    }

    /// Lets go of a state once.
    #[inline]
    pub fn release(&mut self, number: u32) {
        let held = &mut self.states[number as usize].1;
        *held -= 1;
        if *held == 0 {
            self.free.push(number);
        }
    }

    /// The bytes of a state.
    #[inline]
    pub fn state(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.states[number as usize].0 as usize]
    }

    /// Bytes allocated.
    pub fn allocated(&self) -> u64 {
        (self.bytes.capacity() + self.states.capacity() * 8 + self.free.capacity() * 4) as u64
    }

    /// How often each state is held, and its bytes, by number; those that nobody holds among them.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (u32, &[u8])> {
        self.states.iter().enumerate().map(|(number, (_, held))| (*held, self.state(number as u32)))
    }

    /// Adds the next of [`all`](Loose::all).
    pub fn bring_back(&mut self, held: u32, state: &[u8]) {
        // What is free has no part in this.
        let free = std::mem::take(&mut self.free);
        let number = self.push(state);
        self.free = free;
        self.states[number as usize].1 = held;
        if held == 0 {
            self.free.push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn states_come_and_go_in_any_order_and_are_kept_while_they_are_held() {
        let (mut loose, mut model) = (Loose::default(), HashMap::<u32, (Vec<u8>, u32)>::new());
        let mut seed = 1u64;
        for round in 0..50_000u64 {
            seed = crate::store::hash(&seed.to_le_bytes());
            let known = model.keys().nth(seed as usize % (model.len() + 1)).copied();
            match (seed >> 32) % 5 {
                0 | 1 => {
                    let state = vec![seed as u8; (seed >> 48) as usize % (1 + round as usize / 500)];
                    let number = loose.push(&state);
                    assert!(model.insert(number, (state, 1)).is_none(), "a place is used once");
                }
                2 => {
                    if let Some((number, (_, held))) = known.and_then(|n| model.get_key_value(&n)) {
                        let (number, held) = (*number, *held);
                        loose.hold(number);
                        model.get_mut(&number).unwrap().1 = held + 1;
                    }
                }
                _ => {
                    if let Some(number) = known {
                        loose.release(number);
                        let held = &mut model.get_mut(&number).unwrap().1;
                        *held -= 1;
                        if *held == 0 {
                            model.remove(&number);
                        }
                    }
                }
            }
            assert!(known.is_none_or(|n| model.get(&n).is_none_or(|(state, _)| loose.state(n) == state)));
        }
        let mut copy = Loose::default();
        loose.all().for_each(|(held, state)| copy.bring_back(held, state));
        assert!(model.len() > 10 && copy.states == loose.states);
        assert!(model.iter().all(|(number, (state, _))| copy.state(*number) == state));
        assert!(!model.contains_key(&copy.push(b"another")));
    }
}
