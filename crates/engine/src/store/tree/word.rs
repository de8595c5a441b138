//! Words of a state: up to eight bytes each, read and written by single instructions wherever they stand.

/// Up to eight bytes of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Word {
    pub start: u32,
    pub length: u32,
    /// Where the eight bytes begin that are read, which end with the state at the latest, by how many bits it lies further on there, and which are its own.
    read: u32,
    shift: u32,
    own: u64,
}

impl Word {
    /// A word of a state of so many bytes.
    pub fn new(start: u32, length: u32, all: usize) -> Word {
        let read = start.min((all as u32).saturating_sub(8));
        let own = u64::MAX.checked_shr(64 - 8 * length).unwrap_or(0);
        Word { start, length, read, shift: 8 * (start - read), own }
    }

    /// Its value in a state.
    #[inline]
    pub fn of(&self, state: &[u8]) -> u64 {
        let eight = match state[self.read as usize..].first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            // All of the state is shorter.
            None => state.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)),
        };
        eight >> self.shift & self.own
    }

    /// Writes the word into a state, and reads nothing of it: what was just written there may not be read at once.
    #[inline]
    pub fn put(&self, state: &mut [u8], value: u64) {
        let Some(bytes) = state.get_mut(self.start as usize..) else { return };
        if self.length == 8
            && let Some(bytes) = bytes.first_chunk_mut()
        {
            *bytes = value.to_le_bytes();
            return;
        }
        let Some(bytes) = bytes.get_mut(..self.length as usize) else { return };
        if let Some(low) = bytes.first_chunk_mut() {
            *low = (value as u32).to_le_bytes();
            if let Some(high) = bytes.last_chunk_mut() {
                *high = ((value >> (8 * (self.length - 4))) as u32).to_le_bytes();
            }
        } else {
            (0..).zip(bytes).for_each(|(at, byte)| *byte = (value >> (8 * at)) as u8);
        }
    }
}
