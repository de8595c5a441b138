//! A depth-first search as bytes: everything that decides how it goes on.
//!
//! It is saved between two moves, when every state on the stack has been expanded. The bytes of waiting
//! successors are left out: their steps are executed again.

use super::Dfs;
use super::stack::{Frame, Waiting};
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::search::component::Components;
use crate::store::{StateRef, Store};
use mazurka_model::Step;
use std::io;

/// What kind of search was saved: one with states, with bits that took their place, or one that opens several states together.
pub(super) const STATES: u8 = 0;
pub(super) const BITS: u8 = 1;
pub(super) const SEVERAL: u8 = 2;

impl<S: Store> Dfs<'_, S> {
    /// Writes the search.
    pub(super) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.u8(if self.exchanged { BITS } else { STATES })?;
        self.save_rest(out)
    }

    /// Writes all but what kind of search it is.
    pub(super) fn save_rest(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.run.save(out)?;
        self.chooser.save(out)?;
        self.store.save(self.side, out)?;
        out.u64(self.initial as u64)?;
        out.u64(self.stack.frames.len() as u64)?;
        for Frame { state, base, after, link, woken } in &self.stack.frames {
            out.u32(state.0)?;
            out.u32(*base)?;
            out.u8(*after)?;
            link.save(out)?;
            out.flag(*woken)?;
        }
        out.u64(self.stack.waiting.len() as u64)?;
        for Waiting { step, outcome, sleep, length, .. } in &self.stack.waiting {
            out.u32(u32::from(step.process.0))?;
            out.u32(step.code)?;
            out.u32(*outcome)?;
            out.u32(*sleep)?;
            out.u32(*length)?;
        }
        out.flag(self.components.is_some())?;
        if let Some(components) = &self.components {
            components.save(out)?;
        }
        out.flag(self.refused.is_some())?;
        if let Some(sleep) = self.refused {
            out.u32(sleep)?;
            out.array(&self.present)?;
        }
        Ok(())
    }

    /// Reads a search into one that has not begun.
    pub(super) fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        self.run.restore(from)?;
        self.chooser.restore(from)?;
        self.store.restore(self.side, from)?;
        self.initial = from.u64()? as usize;
        for _ in 0..from.u64()? {
            let state = StateRef(from.u32()?);
            let base = from.u32()?;
            let after = from.u8()?;
            let link = super::Link::restore(from)?;
            let woken = from.flag()?;
            self.stack.frames.push(Frame { state, base, after, link, woken });
        }
        for _ in 0..from.u64()? {
            let (process, code) = (from.u32()? as u16, from.u32()?);
            let step = Step::new(process, code);
            let (outcome, sleep, length) = (from.u32()?, from.u32()?, from.u32()?);
            let waiting = Waiting { step, outcome, sleep, length, mark: 0 };
            self.stack.waiting.push(waiting);
        }
        self.stack.cached_from = self.stack.waiting.len();
        self.components = from.flag()?.then(|| Components::restore(from)).transpose()?;
        if from.flag()? {
            self.refused = Some(from.u32()?);
            from.array(&mut self.present)?;
        }
        Ok(())
    }
}
