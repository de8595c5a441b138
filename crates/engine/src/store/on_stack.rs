//! The states on the stack of a depth-first search, exactly, for sets that do not keep every state.
//!
//! Provisos rest on whether a state is on the stack, and counterexamples are read off it, so both must be certain
//! even where "visited" is not. States come and go in the order of a stack: the bytes are one array,
//! and the last state that entered the table is the first to leave it, so a slot that is emptied never breaks the
//! way to another. Where nobody asks which states are on the stack, there is no table.

/// A free slot of the table.
const FREE: u32 = u32::MAX;
const FIRST: usize = 64;

#[derive(Copy, Clone, Debug)]
struct Record {
    hash: u64,
    /// Where its bytes end; they start where those of the record below end.
    end: u64,
    sleep: u32,
    /// How often it is held.
    held: u32,
    colour: u8,
}

/// A stack of states with a table to find them.
#[derive(Debug)]
pub struct OnStack {
    bytes: Vec<u8>,
    records: Vec<Record>,
    /// Empty if nothing is looked for.
    table: Vec<u32>,
}

impl Default for OnStack {
    fn default() -> OnStack {
        OnStack { bytes: Vec::new(), records: Vec::new(), table: vec![FREE; FIRST] }
    }
}

impl OnStack {
    /// An empty stack in which nothing can be found.
    pub fn without_table() -> OnStack {
        OnStack { table: Vec::new(), ..OnStack::default() }
    }

    /// The number of a state on the stack, counted from the bottom. Without a table nothing is found.
    #[inline]
    pub fn find(&self, hash: u64, state: &[u8]) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut slot = self.home(hash);
        loop {
            match self.table[slot] {
                FREE => return None,
                number => {
                    if self.records[number as usize].hash == hash && self.state(number) == state {
                        return Some(number);
                    }
                }
            }
            slot = self.following(slot);
        }
    }

    /// Puts a state on top that is not on the stack yet, and returns its number.
    pub fn push(&mut self, hash: u64, state: &[u8], sleep: u32) -> u32 {
        let has_table = !self.table.is_empty();
        if has_table && self.records.len() * 2 >= self.table.len() {
            self.rebuild(self.table.len() * 2);
        }
        let number = self.records.len() as u32;
        self.bytes.extend_from_slice(state);
        self.records.push(Record { hash, end: self.bytes.len() as u64, sleep, held: 1, colour: 0 });
        if has_table {
            self.enter(hash, number);
        }
        number
    }

    /// Takes the topmost state off, and hands its hash, its bytes and the number of its sleep set to `last`.
    pub fn pop<T>(&mut self, last: impl FnOnce(u64, &[u8], u32) -> T) -> Option<T> {
        let number = self.records.len().checked_sub(1)? as u32;
        let start = self.start(number);
        let record = self.records.pop()?;
        if !self.table.is_empty() {
            let mut slot = self.home(record.hash);
            while self.table[slot] != number {
                slot = self.following(slot);
            }
            self.table[slot] = FREE;
        }
        let result = last(record.hash, &self.bytes[start..], record.sleep);
        self.bytes.truncate(start);
        Some(result)
    }

    /// Holds a state once more.
    pub fn hold(&mut self, number: u32) {
        self.records[number as usize].held += 1;
    }

    /// How often a state is held.
    pub fn held(&self, number: u32) -> u32 {
        self.records[number as usize].held
    }

    /// Lets go of a state once. Whether it is held no more, and is the topmost then.
    pub fn release(&mut self, number: u32) -> bool {
        let record = &mut self.records[number as usize];
        record.held -= 1;
        debug_assert!(record.held > 0 || number as usize + 1 == self.records.len());
        self.records[number as usize].held == 0
    }

    /// The colour of a state; 0 at first.
    pub fn colour(&self, number: u32) -> u8 {
        self.records[number as usize].colour
    }

    /// Colours a state.
    pub fn set_colour(&mut self, number: u32, colour: u8) {
        self.records[number as usize].colour = colour;
    }

    /// The bytes of a state.
    pub fn state(&self, number: u32) -> &[u8] {
        &self.bytes[self.start(number)..self.records[number as usize].end as usize]
    }

    /// The number of a state's sleep set.
    pub fn sleep(&self, number: u32) -> u32 {
        self.records[number as usize].sleep
    }

    /// Notes the number of a state's sleep set.
    pub fn set_sleep(&mut self, number: u32, sleep: u32) {
        self.records[number as usize].sleep = sleep;
    }

    /// How many states are on the stack.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// What so many states of so many bytes together take at the least.
    pub fn bytes_for(states: usize, bytes: usize) -> u64 {
        (bytes + states * (size_of::<Record>() + 2 * size_of::<u32>())) as u64
    }

    /// Makes room for so many more states of so many bytes together, no more than they need.
    pub fn reserve(&mut self, states: usize, bytes: usize) {
        self.bytes.reserve_exact(bytes);
        self.records.reserve_exact(states);
        let slots = 2 * (self.records.len() + states);
        if !self.table.is_empty() && slots >= self.table.len() {
            self.rebuild(slots + 2);
        }
    }

    /// Bytes allocated.
    pub fn allocated(&self) -> u64 {
        (self.bytes.capacity() + self.records.capacity() * size_of::<Record>() + self.table.len() * 4) as u64
    }

    fn start(&self, number: u32) -> usize {
        match number {
            0 => 0,
            above => self.records[above as usize - 1].end as usize,
        }
    }

    /// Makes a table of so many slots.
    fn rebuild(&mut self, slots: usize) {
        // The old one is gone before the new one is there.
        self.table = Vec::new();
        self.table = vec![FREE; slots];
        for number in 0..self.records.len() {
            self.enter(self.records[number].hash, number as u32);
        }
    }

    fn enter(&mut self, hash: u64, number: u32) {
        let mut slot = self.home(hash);
        while self.table[slot] != FREE {
            slot = self.following(slot);
        }
        self.table[slot] = number;
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    #[inline]
    fn following(&self, slot: usize) -> usize {
        if slot + 1 == self.table.len() { 0 } else { slot + 1 }
    }

    /// Asks the processor to fetch the slot of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        if let Some(slot) = self.table.get(self.home(hash)) {
            super::prefetch(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn states_take_at_least_what_is_said() {
        let mut stack = OnStack::default();
        for i in 0..1000u64 {
            stack.push(hash(&i.to_le_bytes()), &i.to_le_bytes(), 0);
            assert!(stack.allocated() >= OnStack::bytes_for(stack.len(), 8 * stack.len()));
        }
    }

    #[test]
    fn without_a_table_states_come_and_go_and_are_not_found() {
        let mut stack = OnStack::without_table();
        for i in 0..1000u64 {
            let state = i.to_le_bytes();
            assert_eq!(stack.push(hash(&state), &state, 0), i as u32);
            assert_eq!(stack.find(hash(&state), &state), None);
        }
        for i in (0..1000u64).rev() {
            let popped = stack.pop(|hash, bytes, _| (hash, bytes.to_vec()));
            assert_eq!(popped, Some((hash(&i.to_le_bytes()), i.to_le_bytes().to_vec())));
        }
        assert!(stack.is_empty());
    }

    #[test]
    fn knows_exactly_what_is_on_the_stack() {
        let mut stack = OnStack::default();
        let mut model: Vec<Vec<u8>> = Vec::new();
        let mut seed = 1u64;
        for round in 0..200_000u64 {
            seed = hash(&seed.to_le_bytes());
            // Deep at first, then shallow, then deep again.
            let rises = seed % 100 < if round / 50_000 % 2 == 0 { 60 } else { 45 };
            let state = ((seed >> 8) % 20_000).to_le_bytes()[..1 + (seed >> 40) as usize % 8].to_vec();
            assert_eq!(
                stack.find(hash(&state), &state).map(|n| n as usize),
                model.iter().position(|s| *s == state)
            );
            if rises {
                if stack.find(hash(&state), &state).is_none() {
                    let number = stack.push(hash(&state), &state, round as u32);
                    assert_eq!(number as usize, model.len());
                    assert_eq!(stack.sleep(number), round as u32);
                    model.push(state);
                }
            } else {
                let popped = stack.pop(|h, bytes, _| (h, bytes.to_vec()));
                assert_eq!(popped, model.pop().map(|s| (hash(&s), s)));
            }
            if model.len() > 300 {
                while model.len() > 3 {
                    model.pop();
                    stack.pop(|_, _, _| ());
                }
            }
        }
        assert!(model.iter().enumerate().all(|(i, s)| stack.state(i as u32) == s));
    }
}
