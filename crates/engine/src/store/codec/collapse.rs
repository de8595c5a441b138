//! Collapse: each part of a state is stored once, and a state is the list of its parts (Holzmann 1997).
//!
//! The system says which parts a state has: its globals, channels, processes. Parts are numbered for
//! each place in the list by itself, so most numbers take one byte. A code is the number of the state's
//! length and the numbers of its parts, seven bits a byte.

use super::Codec;
use crate::store::arena::{Side, StateRef};
use crate::store::exact::Exact;
use crate::store::interface::{Insert, Store};
use crate::store::tree::shape::components_of;
use mazurka_model::System;

/// The bytes that the parts in one place may take before more are asked for.
const CHUNK: usize = 1 << 14;

/// The parts met in one place, numbered.
#[derive(Debug)]
struct Parts {
    /// The parts; what is kept as their parent is their number.
    known: Exact,
    by_number: Vec<StateRef>,
}

impl Parts {
    fn new() -> Parts {
        let side = Side { parent: true, ..Side::default() };
        Parts { known: Exact::in_chunks(None, side, None, CHUNK), by_number: Vec::new() }
    }

    fn bytes(&self) -> u64 {
        self.known.bytes() + (self.by_number.capacity() * size_of::<StateRef>()) as u64
    }
}

/// The codec.
pub struct Collapse<'s> {
    system: &'s dyn System,
    /// The lengths met, each with the parts of its first state.
    lengths: Vec<(usize, Vec<(u32, u32)>)>,
    places: Vec<Parts>,
    bytes: u64,
}

impl<'s> Collapse<'s> {
    /// Nothing is known yet.
    pub fn new(system: &'s dyn System) -> Collapse<'s> {
        Collapse { system, lengths: Vec::new(), places: Vec::new(), bytes: 0 }
    }

    fn length(&self, state: &[u8]) -> Option<usize> {
        self.lengths.iter().position(|(length, _)| *length == state.len())
    }

    fn learn_length(&mut self, state: &[u8]) -> usize {
        let mut components = Vec::new();
        components_of(self.system, state, &mut components);
        self.places.resize_with(self.places.len().max(components.len()), Parts::new);
        self.lengths.push((state.len(), components));
        self.bytes = self.places.iter().map(Parts::bytes).sum();
        self.lengths.len() - 1
    }
}

impl Codec for Collapse<'_> {
    fn encode(&mut self, state: &[u8], room: u64, out: &mut Vec<u8>) -> bool {
        let length = self.length(state).unwrap_or_else(|| self.learn_length(state));
        write_number(length as u32, out);
        for (place, &(start, end)) in self.places.iter_mut().zip(&self.lengths[length].1) {
            let before = place.bytes();
            // A place gets what the others and the records leave.
            place.known.set_limit(before.saturating_add(room.saturating_sub(self.bytes)));
            let number = match place.known.insert(&state[start as usize..end as usize]) {
                Insert::New(part) => {
                    place.known.set_parent(part, StateRef(place.by_number.len() as u32));
                    place.by_number.push(part);
                    self.bytes += place.bytes() - before;
                    place.by_number.len() as u32 - 1
                }
                Insert::Seen(part) => place.known.parent(part).0,
                Insert::Passed(_) | Insert::Full => return false,
            };
            write_number(number, out);
        }
        true
    }

    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        let Some(length) = self.length(state) else { return false };
        write_number(length as u32, out);
        for (place, &(start, end)) in self.places.iter().zip(&self.lengths[length].1) {
            let Some(part) = place.known.find_state(&state[start as usize..end as usize]) else {
                return false;
            };
            write_number(place.known.parent(part).0, out);
        }
        true
    }

    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        let mut rest = code;
        let components = &self.lengths[read_number(&mut rest) as usize].1;
        let from = out.len();
        out.resize(from + self.lengths[read_number(&mut &*code) as usize].0, 0);
        for (place, &(start, end)) in self.places.iter().zip(components) {
            let part = place.by_number[read_number(&mut rest) as usize];
            out[from + start as usize..from + end as usize].copy_from_slice(&place.known.state(part));
        }
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Writes a number, seven bits a byte.
pub(in crate::store) fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number that was written.
pub(in crate::store) fn read_number(code: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = code.split_first() {
        *code = rest;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, 1 << 20, u32::MAX] {
            let mut code = Vec::new();
            write_number(number, &mut code);
            assert_eq!(read_number(&mut &*code), number);
        }
    }
}
