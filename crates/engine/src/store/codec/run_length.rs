//! Run-length encoding (Algorithm 4', 1992, section 6.2).
//!
//! A code is a list of runs and of bytes that are no runs. A control byte below 128 says that so many
//! bytes and one more follow as they are; one from 128 on, that the next byte stands for as many as it
//! exceeds 128, and three more.

use super::{Codec, Fixed};

/// The shortest run worth a code of its own.
const SHORTEST: usize = 3;
/// The longest run of one code.
const LONGEST: usize = SHORTEST + 127;
/// The most bytes that follow one control byte.
const MOST: usize = 128;

/// The codec.
#[derive(Copy, Clone, Debug, Default)]
pub struct RunLength;

impl Codec for RunLength {
    fn encode(&mut self, state: &[u8], _room: u64, out: &mut Vec<u8>) -> bool {
        self.find(state, out)
    }

    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        let mut from = 0;
        let mut at = 0;
        while at < state.len() {
            let byte = state[at];
            let run = state[at..].iter().take(LONGEST).take_while(|b| **b == byte).count();
            if run >= SHORTEST {
                literal(&state[from..at], out);
                out.extend([(128 + run - SHORTEST) as u8, byte]);
                from = at + run;
            }
            at += run;
        }
        literal(&state[from..], out);
        true
    }

    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        let mut rest = code;
        while let Some((&control, behind)) = rest.split_first() {
            let count = usize::from(control);
            rest = if count < 128 {
                let (bytes, behind) = behind.split_at((count + 1).min(behind.len()));
                out.extend_from_slice(bytes);
                behind
            } else {
                let (byte, behind) = behind.split_at(1.min(behind.len()));
                let byte = byte.first().copied().unwrap_or(0);
                out.resize(out.len() + count - 128 + SHORTEST, byte);
                behind
            };
        }
    }
}

impl Fixed for RunLength {}

fn literal(bytes: &[u8], out: &mut Vec<u8>) {
    for part in bytes.chunks(MOST) {
        out.push((part.len() - 1) as u8);
        out.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::coded::tests::comes_back;

    #[test]
    fn all_that_is_encoded_comes_back() {
        comes_back(&mut RunLength);
    }

    #[test]
    fn runs_are_short() {
        let mut code = Vec::new();
        RunLength.find(&[7, 7, 0, 0, 0, 0, 1], &mut code);
        assert_eq!(code, [1, 7, 7, 129, 0, 0, 1]);
    }
}
