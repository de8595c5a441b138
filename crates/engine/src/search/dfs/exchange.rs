//! A search that goes on with bits of states once the memory for states is used up.

use super::saved::BITS;
use super::{Dfs, ON_STACK};
use crate::checkpoint::{Reader, Refusal};
use crate::config::Config;
use crate::monitor::Monitor;
use crate::outcome::Stop;
use crate::search::run::Finished;
use crate::store::bitstate::Bitstate;
use crate::store::on_stack::OnStack;
use crate::store::row::Row;
use crate::store::{Forgetful, Ordered, Side, Store};
use mazurka_model::System;

/// The least share of the memory that bits get, and the largest that the row of the states on the stack may take.
const LEAST_BITS: u64 = 32;

/// Explores `system` depth first; when the memory is used up the search goes on with the bits that `bits` makes of so many bytes. They get a
/// quarter of the memory, since they have to be there before the states go; less if the states on the stack leave less.
pub fn search_then_bits<S: Ordered>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    mut from: Option<Reader>,
    make: impl FnOnce(Side) -> S,
    bits: impl FnOnce(Option<u64>) -> Bitstate,
) -> Result<Finished, Refusal> {
    let limit = config.limits.memory;
    if let Some(from) = &mut from
        && from.u8()? == BITS
    {
        let quarter = limit.map(|limit| limit / 4);
        let mut dfs = Dfs::new(system, config, monitor, |_| Forgetful::new(bits(quarter), limit));
        dfs.exchanged = true;
        dfs.restore(from)?;
        dfs.go();
        return Ok(dfs.finish());
    }
    let mut dfs = Dfs::new(system, config, monitor, make);
    dfs.limit = limit.map(|limit| limit / 4 * 3);
    dfs.store.set_limit(dfs.limit.unwrap_or(u64::MAX));
    if let Some(mut from) = from {
        dfs.restore(&mut from)?;
    }
    dfs.go();
    if dfs.run.stopped != Some(Stop::Memory) || dfs.chooser.expander.stopped().is_some() {
        return Ok(dfs.finish());
    }
    let bytes = dfs.stack.frames.iter().map(|frame| dfs.store.state(frame.state).len()).sum();
    let copies = OnStack::bytes_for(dfs.stack.frames.len(), bytes) + dfs.stack.bytes();
    let left = limit.map(|limit| (limit / 4).min(limit.saturating_sub(copies)));
    // Where the states on the stack would take all of the memory the search would end at once, and their copies be made in vain.
    if limit.zip(left).is_some_and(|(limit, left)| left < limit / LEAST_BITS) {
        return Ok(dfs.finish());
    }
    let mut row = Row::default();
    for frame in &dfs.stack.frames {
        row.push(&dfs.store.state(frame.state));
        if limit.is_some_and(|limit| row.bytes() > limit / LEAST_BITS) {
            // There is no room for what is on the stack beside the store.
            return Ok(dfs.finish());
        }
    }
    let mut dfs = dfs.exchange(bits(left), &row, bytes);
    drop(row);
    dfs.go();
    Ok(dfs.finish())
}

impl<'s, S: Ordered> Dfs<'s, S> {
    /// Goes on with bits instead of states: those of all visited states are set, and only what is on the stack is
    /// kept, the states of this row, so many bytes. They are copied once the store is gone.
    fn exchange(self, bits: Bitstate, row: &Row, bytes: usize) -> Dfs<'s, Forgetful<Bitstate>> {
        let Dfs { mut run, chooser, store, mut stack, sleeping, coloured, again, present, survivors, .. } =
            self;
        let limit = run.config.limits.memory;
        let mut forgetful = Forgetful::new(bits, limit);
        let mut next = store.first();
        while let Some(state) = next {
            forgetful.pass(&store.state(state));
            next = store.after(state);
        }
        forgetful.all_known();
        drop(store);
        forgetful.expect_on_stack(stack.frames.len(), bytes);
        let mut frames = stack.frames.iter_mut();
        row.each(|state| {
            if let Some(frame) = frames.next() {
                frame.state = forgetful.put_on_stack(state);
                forgetful.set_colour(frame.state, ON_STACK);
            }
        });
        // The bits know states by other marks than the store before.
        stack.waiting.iter_mut().for_each(|waiting| waiting.mark = 0);
        run.note(format!(
            "the memory was used up after {} states; from there on the search kept bits of states",
            run.statistics.states
        ));
        run.stopped = None;
        Dfs {
            run,
            chooser,
            store: forgetful,
            stack,
            sleeping,
            coloured,
            components: None,
            again,
            present,
            questions: Vec::new(),
            survivors,
            fresh: None,
            side: self.side,
            limit,
            exchanged: true,
            in_order: u64::MAX,
            initial: self.initial,
            refused: self.refused,
        }
    }
}
