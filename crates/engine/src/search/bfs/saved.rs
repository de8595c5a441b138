//! A breadth-first search as bytes: everything that decides how it goes on.

use super::Bfs;
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::store::{Ordered, StateRef};
use mazurka_model::Step;
use std::io;

impl<S: Ordered> Bfs<'_, S> {
    /// Writes the search, between two states.
    pub(super) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.run.save(out)?;
        self.chooser.save(out)?;
        self.store.save(self.side, out)?;
        out.flag(self.last.is_some())?;
        out.u32(self.last.map_or(0, |last| last.0))?;
        out.u64(self.depth)?;
        out.u64(self.expanded)?;
        out.u64(self.level_end)?;
        out.u64(self.reopened.len() as u64)?;
        for (state, steps) in &self.reopened {
            out.u32(state.0)?;
            out.u64(steps.len() as u64)?;
            for step in steps {
                out.u32(u32::from(step.process.0))?;
                out.u32(step.code)?;
            }
        }
        Ok(())
    }

    /// Reads a search into one that has not begun.
    pub(super) fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        self.run.restore(from)?;
        self.chooser.restore(from)?;
        self.store.restore(self.side, from)?;
        let begun = from.flag()?;
        let last = StateRef(from.u32()?);
        self.last = begun.then_some(last);
        self.depth = from.u64()?;
        self.expanded = from.u64()?;
        self.level_end = from.u64()?;
        for _ in 0..from.u64()? {
            let state = StateRef(from.u32()?);
            let mut steps = Vec::new();
            for _ in 0..from.u64()? {
                steps.push(Step::new(from.u32()? as u16, from.u32()?));
            }
            self.reopened.push_back((state, steps));
        }
        Ok(())
    }
}
