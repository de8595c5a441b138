//! Static Huffman codes (Algorithm 4, 1992, section 6.2).
//!
//! How long the code of a byte is was measured once over many models and is fixed in
//! [`huffman_table`](super::huffman_table), as the paper demands: a state has the same code at the beginning
//! and at the end of a search, and in all searches. Codes are canonical: those of one length are consecutive
//! numbers, in the order of the bytes. The bits left over in the last byte are ones; no code of less than
//! eight bits is all ones, so they can't be taken for a byte.

use super::huffman_table::LENGTHS;
use super::{Codec, Fixed};

/// The longest code that a table may have.
pub const LONGEST: usize = 32;

/// The codec.
#[derive(Clone, Debug)]
pub struct Huffman {
    /// The code of each byte, and how many bits it has.
    codes: [(u32, u8); 256],
    /// The bytes in the order of their codes.
    ordered: Vec<u8>,
    /// For each length: the first code of that length, and where it stands in `ordered`.
    first: [(u32, u32); LONGEST + 2],
}

impl Default for Huffman {
    fn default() -> Huffman {
        Huffman::new(&LENGTHS)
    }
}

impl Huffman {
    /// The codec whose codes have these lengths, which are those of a complete prefix code.
    pub fn new(lengths: &[u8; 256]) -> Huffman {
        let mut ordered: Vec<u8> = (0..=255).collect();
        ordered.sort_by_key(|byte| lengths[usize::from(*byte)]);
        let mut codes = [(0, 0); 256];
        let mut first = [(0, 0); LONGEST + 2];
        let mut code = 0u64;
        let mut index = 0;
        for (length, first) in first.iter_mut().enumerate().skip(1) {
            code <<= 1;
            *first = (code as u32, index as u32);
            while index < 256 && usize::from(lengths[usize::from(ordered[index])]) == length {
                codes[usize::from(ordered[index])] = (code as u32, length as u8);
                code += 1;
                index += 1;
            }
        }
        Huffman { codes, ordered, first }
    }

    /// The byte whose code starts `bits`, which has `count` bits, and how many bits that takes.
    fn first_byte(&self, bits: u64, count: u32) -> Option<(u8, u32)> {
        (1..=count.min(LONGEST as u32)).find_map(|length| {
            let code = (bits >> (count - length)) as u32;
            let (first, index) = self.first[length as usize];
            let many = self.first[length as usize + 1].1 - index;
            let offset = code.checked_sub(first).filter(|offset| *offset < many)?;
            Some((self.ordered[(index + offset) as usize], length))
        })
    }
}

impl Codec for Huffman {
    fn encode(&mut self, state: &[u8], _room: u64, out: &mut Vec<u8>) -> bool {
        self.find(state, out)
    }

    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        let (mut bits, mut count) = (0u64, 0u32);
        for byte in state {
            let (code, length) = self.codes[usize::from(*byte)];
            bits = bits << length | u64::from(code);
            count += u32::from(length);
            if count >= 32 {
                count -= 32;
                out.extend_from_slice(&((bits >> count) as u32).to_be_bytes());
            }
        }
        while count > 0 {
            let byte = if count >= 8 { bits >> (count - 8) } else { !(!bits << (8 - count)) };
            out.push(byte as u8);
            count = count.saturating_sub(8);
        }
        true
    }

    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        let (mut bits, mut count) = (0u64, 0u32);
        let mut rest = code.iter();
        loop {
            while count <= 32 {
                let Some(byte) = rest.next() else { break };
                bits = bits << 8 | u64::from(*byte);
                count += 8;
            }
            let Some((byte, length)) = self.first_byte(bits, count) else { return };
            out.push(byte);
            count -= length;
            bits &= !(u64::MAX << count);
        }
    }
}

impl Fixed for Huffman {}

/// The lengths of the codes for bytes with these frequencies (Huffman 1952). No byte is left without
/// a code, however rare.
pub fn lengths(frequencies: &[u64; 256]) -> [u8; 256] {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    let mut lengths = [0u8; 256];
    // A byte that was never seen counts as seen once; with every byte scaled up it stays rare.
    let mut heap: BinaryHeap<(Reverse<u64>, Reverse<usize>, Vec<u8>)> = (0..=255u8)
        .map(|byte| (Reverse(frequencies[usize::from(byte)].max(1)), Reverse(byte.into()), vec![byte]))
        .collect();
    let mut order = 256;
    while let (Some((Reverse(a), _, mut under)), Some((Reverse(b), _, more))) = (heap.pop(), heap.pop()) {
        under.extend(more);
        under.iter().for_each(|byte| lengths[usize::from(*byte)] += 1);
        if under.len() == 256 {
            break;
        }
        heap.push((Reverse(a + b), Reverse(order), under));
        order += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::coded::tests::comes_back;

    #[test]
    fn all_that_is_encoded_comes_back() {
        comes_back(&mut Huffman::default());
    }

    #[test]
    fn the_table_is_a_complete_prefix_code() {
        let sum: u64 = LENGTHS.iter().map(|length| 1u64 << (LONGEST as u8 - length)).sum();
        assert_eq!(sum, 1 << LONGEST);
        assert!(LENGTHS.iter().all(|length| (1..=LONGEST).contains(&usize::from(*length))));
    }

    #[test]
    fn frequent_bytes_have_short_codes() {
        let mut frequencies = [1; 256];
        frequencies[9] = 1 << 20;
        let lengths = lengths(&frequencies);
        assert_eq!(lengths[9], 1);
        assert!(lengths.iter().all(|length| *length <= 10));
    }
}
