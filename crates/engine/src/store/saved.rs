//! Stores as bytes, for checkpoints.
//!
//! A store that keeps all states in an order is written state by state and filled again in the same order, which
//! gives the same references. The others are written as they are.

use super::bitstate::Bitstate;
use super::cache::Cache;
use super::codec::Fixed;
use super::compact::Compact;
use super::interface::{Insert, Ordered};
use super::loose::Loose;
use super::on_stack::OnStack;
use super::sketch::Sketch;
use super::{Side, StateRef, hash};
use crate::checkpoint::{Reader, Refusal, Writer};
use std::io;

const OTHER_SHAPE: Refusal = Refusal::Damaged("the store has another shape");

/// Writes the states of a store in the order of insertion, with their side data.
pub fn save_in_order(store: &impl Ordered, side: Side, out: &mut Writer<'_>) -> io::Result<()> {
    out.u64(store.len())?;
    let mut bytes = Vec::new();
    let mut next = store.first();
    while let Some(state) = next {
        store.load(state, &mut bytes);
        out.u32(state.0)?;
        out.u32(bytes.len() as u32)?;
        out.raw(&bytes)?;
        if side.colour {
            out.u8(store.colour(state))?;
        }
        if side.parent {
            out.u32(store.parent(state).0)?;
        }
        if side.sleep {
            out.u32(store.sleep(state))?;
        }
        next = store.after(state);
    }
    Ok(())
}

/// Fills an empty store with what [`save_in_order`] wrote.
pub fn restore_in_order(store: &mut impl Ordered, side: Side, from: &mut Reader) -> Result<(), Refusal> {
    let states = from.u64()?;
    restore_some(store, side, from, states)
}

/// Inserts the next `states` of them.
pub fn restore_some(
    store: &mut impl Ordered,
    side: Side,
    from: &mut Reader,
    states: u64,
) -> Result<(), Refusal> {
    let mut bytes = Vec::new();
    for _ in 0..states {
        let state = StateRef(from.u32()?);
        bytes.resize(from.u32()? as usize, 0);
        from.raw(&mut bytes)?;
        match store.insert(&bytes) {
            Insert::New(reference) if reference == state => {}
            Insert::Full => return Err(Refusal::Memory),
            Insert::New(_) | Insert::Seen(_) | Insert::Passed(_) => {
                return Err(Refusal::Damaged("a state is not where it was"));
            }
        }
        if side.colour {
            store.set_colour(state, from.u8()?);
        }
        if side.parent {
            store.set_parent(state, StateRef(from.u32()?));
        }
        if side.sleep {
            store.set_sleep(state, from.u32()?);
        }
    }
    Ok(())
}

/// A set that can be written and read again.
pub trait Saved {
    /// Writes all of it.
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()>;

    /// Reads it into an empty one of the same making.
    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal>;
}

impl Saved for OnStack {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.u64(self.len() as u64)?;
        for number in 0..self.len() as u32 {
            out.array(self.state(number))?;
            out.u32(self.sleep(number))?;
            out.u32(self.held(number))?;
            out.u8(self.colour(number))?;
        }
        Ok(())
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let mut bytes = Vec::new();
        for _ in 0..from.u64()? {
            from.array(&mut bytes)?;
            let number = self.push(hash(&bytes), &bytes, from.u32()?);
            for _ in 1..from.u32()? {
                self.hold(number);
            }
            self.set_colour(number, from.u8()?);
        }
        Ok(())
    }
}

impl Saved for Loose {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let all = self.all();
        out.u64(all.len() as u64)?;
        for (held, state) in all {
            out.u32(held)?;
            out.array(state)?;
        }
        Ok(())
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let mut bytes = Vec::new();
        for _ in 0..from.u64()? {
            let held = from.u32()?;
            from.array(&mut bytes)?;
            self.bring_back(held, &bytes);
        }
        Ok(())
    }
}

impl Saved for Sketch {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.array(self.registers())
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let mut registers = Vec::new();
        from.array(&mut registers)?;
        *self = Sketch::from_registers(&registers).ok_or(OTHER_SHAPE)?;
        Ok(())
    }
}

impl Saved for Bitstate {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let (states, chance, omissions) = self.counts();
        out.u64(states)?;
        out.f64(chance)?;
        out.f64(omissions)?;
        let words = self.words();
        out.u64(words.len() as u64)?;
        words.flatten().try_for_each(|word| out.u64(*word))
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let counts = (from.u64()?, from.f64()?, from.f64()?);
        // The size follows from the memory limit, which may be another now; the bits' places follow from the size.
        let blocks = from.u64()?;
        if !self.resize(blocks as usize) {
            return Err(Refusal::Memory);
        }
        self.set_counts(counts);
        for word in self.words_mut().flatten() {
            *word = from.u64()?;
        }
        Ok(())
    }
}

impl Saved for Compact {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        for (group, table) in
            (0..Compact::GROUPS).flat_map(|group| (0..Compact::GROUPS).map(move |t| (group, t)))
        {
            let (slots, side, states) = self.table(group, table);
            out.u64(states as u64)?;
            out.array(slots)?;
            out.u64(side.len() as u64)?;
            side.iter().try_for_each(|number| out.u32(*number))?;
        }
        Ok(())
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        for group in 0..Compact::GROUPS {
            let mut tables = Vec::new();
            for _ in 0..Compact::GROUPS {
                let states = from.u64()? as usize;
                let mut slots = Vec::new();
                from.array(&mut slots)?;
                let mut side = Vec::new();
                for _ in 0..from.u64()? {
                    side.push(from.u32()?);
                }
                tables.push((slots, side, states));
            }
            match self.set_group(group, &tables) {
                Some(true) => {}
                Some(false) => return Err(OTHER_SHAPE),
                None => return Err(Refusal::Memory),
            }
        }
        Ok(())
    }
}

impl<C: Fixed> Saved for Cache<C> {
    fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let (oldest, shift) = self.numbering();
        out.u32(oldest)?;
        out.u32(shift)?;
        out.u64(self.replaced())?;
        out.u64(self.longest() as u64)?;
        out.u64(self.heads().len() as u64)?;
        out.u64(self.chunks().count() as u64)?;
        self.chunks().try_for_each(|chunk| out.array(chunk))
    }

    fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let numbering = (from.u32()?, from.u32()?);
        let (replaced, longest) = (from.u64()?, from.u64()? as usize);
        let heads = from.u64()? as usize;
        let mut chunks = Vec::new();
        for _ in 0..from.u64()? {
            let mut chunk = Vec::new();
            from.array(&mut chunk)?;
            chunks.push(chunk);
        }
        self.refill(numbering, heads, chunks, replaced, longest);
        Ok(())
    }
}
