//! Packing: a byte takes as many bits as its values need.
//!
//! The system says how many bits each byte of a state needs ([`System::widths`]): one for a boolean, two for a variable that stays below
//! four. A code is a 0 and these bits, one byte after another. Bytes like the number of processes and their types decide which bytes follow; they
//! come first in the state and so in the code, so that a code is read without anything but the system. What the system says is trusted for
//! size and for nothing else: a state that has any other bit is stored whole behind a byte that is 1, so that different states have
//! different codes whatever the widths are.
//!
//! How states with the same deciding bytes are packed is worked out once and kept for a few of them.

use super::gather::Gather;
use super::{Codec, Fixed};
use mazurka_model::{System, Width};
use std::cell::RefCell;

/// The first byte of a state that is stored whole. Other codes begin with an even byte.
const WHOLE: u8 = 1;
/// Bits in front of those of the state.
const MARK: usize = 1;
/// How many forms of states are remembered.
const REMEMBERED: usize = 64;

/// The codec.
pub struct Packed<'s> {
    system: &'s dyn System,
    forms: RefCell<Forms>,
}

impl<'s> Packed<'s> {
    /// Packs the states of a system.
    pub fn new(system: &'s dyn System) -> Packed<'s> {
        Packed { system, forms: RefCell::new(Forms::default()) }
    }

    /// Whether a system says anything of the widths of its bytes.
    pub fn is_for(system: &dyn System) -> bool {
        system.widths(&[], &mut Vec::new())
    }

    /// Whether a state has a bit that the system says it has not, so that it can't be packed.
    pub fn is_whole(&self, state: &[u8]) -> bool {
        let mut code = Vec::new();
        self.find(state, &mut code);
        code.first() == Some(&WHOLE)
    }
}

impl Codec for Packed<'_> {
    // What is not in use, such as the empty slots of a channel, is zero.
    const SPARSE: bool = true;

    fn encode(&mut self, state: &[u8], _room: u64, out: &mut Vec<u8>) -> bool {
        self.find(state, out)
    }

    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        let mut forms = self.forms.borrow_mut();
        let of_state = |form: &Form| form.is_of(state);
        let byte = |byte: Place| state.get(byte.position).copied();
        let form = forms.get(of_state, || Form::new(self.system, byte).filter(of_state));
        if !form.is_some_and(|form| form.pack(state, out)) {
            out.push(WHOLE);
            out.extend_from_slice(state);
        }
        true
    }

    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        if let [WHOLE, state @ ..] = code {
            out.extend_from_slice(state);
            return;
        }
        let mut forms = self.forms.borrow_mut();
        let of_code = |form: &Form| form.is_of_code(code);
        let byte = |byte: Place| (byte.in_code < 8 * code.len()).then(|| byte.read(code));
        if let Some(form) = forms.get(of_code, || Form::new(self.system, byte)) {
            form.unpack(code, out);
        }
    }

    fn bytes(&self) -> u64 {
        self.forms.borrow().remembered.iter().map(Form::bytes).sum()
    }
}

/// How states of a form are packed follows from the system alone, whatever is remembered.
impl Fixed for Packed<'_> {}

/// Forms of states, a few of them.
#[derive(Default)]
struct Forms {
    remembered: Vec<Form>,
    /// The one that was asked for last.
    last: usize,
    /// The one that makes room for the next.
    oldest: usize,
}

impl Forms {
    /// The form that is wanted: the last one, or another that is remembered, or a new one, if there is any.
    #[inline]
    fn get(&mut self, wanted: impl Fn(&Form) -> bool, make: impl FnOnce() -> Option<Form>) -> Option<&Form> {
        if !self.remembered.get(self.last).is_some_and(&wanted) {
            self.last = match self.remembered.iter().position(wanted) {
                Some(found) => found,
                None => self.remember(make()?),
            };
        }
        self.remembered.get(self.last)
    }

    #[cold]
    fn remember(&mut self, form: Form) -> usize {
        if self.remembered.len() < REMEMBERED {
            self.remembered.push(form);
            return self.remembered.len() - 1;
        }
        self.remembered[self.oldest] = form;
        let place = self.oldest;
        self.oldest = (place + 1) % REMEMBERED;
        place
    }
}

/// Where a byte stands.
#[derive(Copy, Clone, Debug)]
struct Place {
    /// In the state.
    position: usize,
    /// Its first bit in the code.
    in_code: usize,
    /// How many bits it has there.
    bits: u32,
}

impl Place {
    /// The byte, read from a code.
    #[inline]
    fn read(self, code: &[u8]) -> u8 {
        read_bits(code, self.in_code, self.bits) as u8
    }
}

/// How states with the same deciding bytes are packed.
#[derive(Debug)]
struct Form {
    deciding: Vec<(Place, u8)>,
    /// Bytes of the state.
    size: usize,
    /// For each eight bytes of the state, which bits are kept.
    words: Vec<Gather>,
    /// Bytes of the code.
    code: usize,
}

impl Form {
    /// Asks the system, which is told the deciding bytes one after another. `None`: it says nothing, or there is no such byte.
    fn new(system: &dyn System, byte: impl Fn(Place) -> Option<u8>) -> Option<Form> {
        let (mut widths, mut values) = (Vec::new(), Vec::new());
        let mut deciding = Vec::new();
        let mut in_code = MARK;
        loop {
            let from = widths.len();
            if !system.widths(&values, &mut widths) {
                return None;
            }
            let decided = values.len();
            for (position, width) in widths.iter().enumerate().skip(from) {
                let bits = u32::from(width.bits.min(8));
                if width.decides {
                    let place = Place { position, in_code, bits };
                    let value = byte(place)?;
                    values.push(value);
                    deciding.push((place, value));
                }
                in_code += bits as usize;
            }
            if values.len() == decided {
                break;
            }
        }
        let mask = |word: &[Width]| {
            let byte = |(index, width): (usize, &Width)| ((1u64 << width.bits.min(8)) - 1) << (8 * index);
            word.iter().enumerate().map(byte).sum()
        };
        let words = widths.chunks(8).map(|word| Gather::new(mask(word))).collect();
        Some(Form { deciding, size: widths.len(), words, code: in_code.div_ceil(8) })
    }

    fn bytes(&self) -> u64 {
        (self.deciding.capacity() * size_of::<(Place, u8)>() + self.words.capacity() * size_of::<Gather>())
            as u64
    }

    /// Whether a state has this form.
    #[inline]
    fn is_of(&self, state: &[u8]) -> bool {
        state.len() == self.size && self.deciding.iter().all(|(place, value)| state[place.position] == *value)
    }

    /// Whether a code is that of a state of this form. Up to the first deciding byte all states have the same form, and where that byte has
    /// this value up to the next, and so on.
    fn is_of_code(&self, code: &[u8]) -> bool {
        code.len() == self.code && self.deciding.iter().all(|(place, value)| place.read(code) == *value)
    }

    /// Appends the code of a state. False, and nothing is appended: it has other bits.
    #[inline]
    fn pack(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        let from = out.len();
        let (mut bits, mut count) = (0u64, MARK as u32);
        let (whole, rest) = state.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        for (gather, bytes) in self.words.iter().zip(whole.iter().chain(std::iter::once(&last))) {
            let word = u64::from_le_bytes(*bytes);
            if !gather.has_all(word) {
                out.truncate(from);
                return false;
            }
            let picked = gather.pick(word);
            bits |= picked << count;
            let sum = count + gather.count();
            if sum >= 64 {
                out.extend_from_slice(&bits.to_le_bytes());
                bits = picked.checked_shr(64 - count).unwrap_or(0);
            }
            count = sum % 64;
        }
        out.extend_from_slice(&bits.to_le_bytes()[..count.div_ceil(8) as usize]);
        true
    }

    /// Appends the state with this code.
    fn unpack(&self, code: &[u8], out: &mut Vec<u8>) {
        let end = out.len() + self.size;
        let mut at = MARK;
        for gather in &self.words {
            let word = gather.put_back(read_bits(code, at, gather.count()));
            out.extend_from_slice(&word.to_le_bytes());
            at += gather.count() as usize;
        }
        out.truncate(end);
    }
}

/// So many bits of a code, at most 64, from bit number `at` on; 0 behind its end.
#[inline]
fn read_bits(code: &[u8], at: usize, count: u32) -> u64 {
    if count == 0 {
        return 0;
    }
    let mut bytes = [0; 16];
    let from = code.get(at / 8..).unwrap_or(&[]);
    let there = from.len().min(9);
    bytes[..there].copy_from_slice(&from[..there]);
    let bits = u128::from_le_bytes(bytes) >> (at % 8);
    bits as u64 & (u64::MAX >> (64 - count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::arena::Side;
    use crate::store::codec::Coded;
    use crate::store::codec::coded::tests::comes_back;
    use crate::store::interface::{Insert, Store};
    use mazurka_model::{Batch, Chosen, Describe, Step, StepText, Violation};

    /// Nothing but widths: a byte that says how many parts there are, and for each part a byte with its type, which has as many bytes as the
    /// type says, of so many bits; or nothing at all.
    struct Parts {
        bits: Option<u8>,
        most: u8,
    }

    impl Describe for Parts {
        fn name(&self) -> String {
            "parts".to_owned()
        }

        fn fingerprint(&self) -> u64 {
            0
        }

        fn step(&self, _: &[u8], _: Step) -> StepText {
            StepText::default()
        }

        fn values(&self, _: &[u8]) -> Vec<(String, String)> {
            Vec::new()
        }

        fn violation(&self, _: &Violation) -> StepText {
            StepText::default()
        }
    }

    impl System for Parts {
        fn initial(&self, _: &mut Batch) {}

        fn expand(&self, _: &[u8], _: Chosen<'_>, _: &mut Batch) {}

        fn enabled(&self, _: &[u8], _: &mut Vec<Step>) {}

        fn valid_end(&self, _: &[u8]) -> bool {
            true
        }

        fn widths(&self, deciding: &[u8], out: &mut Vec<Width>) -> bool {
            let Some(bits) = self.bits else { return false };
            let Some((&count, kinds)) = deciding.split_first() else {
                out.push(Width { bits: 4, decides: true });
                return true;
            };
            if let Some(&kind) = kinds.last() {
                out.extend((0..kind).map(|_| Width { bits, decides: false }));
            }
            if kinds.len() < count.min(self.most).into() {
                out.push(Width { bits: 3, decides: true });
            }
            true
        }

        fn describe(&self) -> &dyn Describe {
            self
        }
    }

    /// States of all forms with few parts, and more than are remembered.
    fn states() -> Vec<Vec<u8>> {
        let mut states = vec![vec![0]];
        for number in 0..4000usize {
            let kinds: Vec<usize> = (0..1 + number % 5).map(|part| (number >> part) % 8).collect();
            let mut state = vec![kinds.len() as u8];
            for kind in kinds {
                state.push(kind as u8);
                state.extend((0..kind).map(|byte| ((number * 7 + byte * 3) % 4) as u8));
            }
            states.push(state);
        }
        states.sort();
        states.dedup();
        states
    }

    #[test]
    fn all_that_is_encoded_comes_back() {
        for bits in 0..=8 {
            comes_back(&mut Packed::new(&Parts { bits: Some(bits), most: 255 }));
        }
    }

    #[test]
    fn every_form_comes_back_in_few_bits() {
        let system = Parts { bits: Some(2), most: 255 };
        let mut codec = Packed::new(&system);
        for state in states() {
            let (mut code, mut back) = (Vec::new(), Vec::new());
            assert!(codec.encode(&state, u64::MAX, &mut code));
            assert!(!codec.is_whole(&state), "{state:?}");
            let parts = usize::from(state[0]);
            assert_eq!(code.len(), (MARK + 4 + 3 * parts + 2 * (state.len() - 1 - parts)).div_ceil(8));
            codec.decode(&code, &mut back);
            assert_eq!(back, state);
            // Nothing that was remembered is needed.
            back.clear();
            Packed::new(&system).decode(&code, &mut back);
            assert_eq!(back, state);
        }
    }

    #[test]
    fn states_are_kept_apart_where_widths_lie() {
        let side = Side::default();
        // Too few bits, none at all, and parts that are left out.
        for system in [
            Parts { bits: Some(1), most: 255 },
            Parts { bits: Some(0), most: 255 },
            Parts { bits: Some(2), most: 2 },
        ] {
            let codec = Packed::new(&system);
            let states = states();
            let whole = states.iter().filter(|state| codec.is_whole(state)).count();
            assert!(whole > states.len() / 4, "{whole} of {}", states.len());
            let mut store = Coded::new(codec, side, None);
            let mut stored = Vec::new();
            for state in &states {
                let Insert::New(reference) = store.insert(state) else {
                    panic!("{state:?} is taken for another")
                };
                stored.push(reference);
            }
            let mut back = Vec::new();
            for (state, reference) in states.iter().zip(stored) {
                assert_eq!(store.insert(state), Insert::Seen(reference));
                store.load(reference, &mut back);
                assert_eq!(back, *state);
            }
        }
    }

    #[test]
    fn a_system_that_says_nothing_has_whole_states() {
        let system = Parts { bits: None, most: 255 };
        assert!(!Packed::is_for(&system));
        comes_back(&mut Packed::new(&system));
    }

    #[test]
    fn bits_are_read_at_any_place() {
        let code: Vec<u8> = (0..20u8).map(|byte| byte.wrapping_mul(37)).collect();
        for at in 0..160 {
            for count in 0..=64 {
                let bit = |bit: usize| code.get(bit / 8).map_or(0, |byte| u64::from(byte >> (bit % 8) & 1));
                let expected = (0..count as usize).fold(0, |bits, index| bits | bit(at + index) << index);
                assert_eq!(read_bits(&code, at, count), expected);
            }
        }
    }
}
