//! Which moves come along with one operation: those behind which something might interact with it.

use super::futures::{Futures, Use};
use super::verdicts::{Looks, Noted, seen};
use super::{Moves, kind_bit};
use crate::reduce::bits::Bits;
use crate::reduce::dependency::Judge;
use mazurka_model::object::Glance;
use mazurka_model::{Access, ObjectId, ProcessId};
use std::ops::Range;

impl Moves<'_> {
    /// Adds the alternatives of other processes behind which something might interact with `access`;
    /// `enabled`: it fires in the present value of its object, and belongs to an enabled step.
    pub(super) fn connect_access(
        &mut self,
        state: &[u8],
        access: &Access,
        moved: &[ProcessId],
        Noted { now, number }: Noted,
        enabled: bool,
        out: &mut Bits,
    ) {
        let object = access.object;
        if self.index.is_none() {
            let Some(kinds) = self.find_users(object, moved, out) else { return };
            if let Some(number) = number
                && self.processes.most <= 64
                && !self.judge.looks_at_exclusion()
            {
                return self.connect_known(state, access, (now, kinds), number, out);
            }
        }
        self.connections.lose();
        let excludes = self.look_at_exclusion(state, object, enabled);
        let kinds = self.look(state, object, moved, now);
        let value = kinds.map(|kinds| (&*self.value, kinds));
        if let Some(index) = &self.index {
            for (node, operation) in &index[object.index()] {
                if !out.contains(*node)
                    && !moved.contains(&ProcessId(self.processes.owner[*node]))
                    && self.interacts(access, &Access { object, operation: *operation }, value, excludes)
                {
                    out.insert(*node);
                }
            }
            return;
        }
        for &process in &self.users {
            let futures = &self.processes.futures[process];
            let first = self.processes.first[process];
            let Some(one) = futures.on(object) else { continue };
            for (alternative, range) in &one.operations {
                if out.contains(first + alternative) {
                    continue;
                }
                let mut others = futures.list[*alternative].accesses[range.clone()].iter();
                let interacts = |other: &Access| self.interacts(access, other, value, excludes);
                if others.any(interacts) {
                    out.insert(first + alternative);
                }
            }
        }
    }

    /// The same for an operation with a number, among the processes that were found to use its object.
    fn connect_known(
        &mut self,
        state: &[u8],
        access: &Access,
        (now, kinds): (bool, u64),
        number: u32,
        out: &mut Bits,
    ) {
        let object = access.object;
        let by_value = now && self.judge.looks_at_values();
        let kinds = if by_value { kinds } else { 0 };
        for index in 0..self.users.len() {
            let process = self.users[index];
            let futures = &self.processes.futures[process];
            let Some(one) = futures.on(object) else { continue };
            let looks = one.verdicts.looks(number, || match by_value {
                true => self.looks(access, futures, one),
                false => Looks::Nothing,
            });
            if looks != Looks::Nothing {
                self.connections.note(object, looks);
                self.note_looks(access, futures, one, looks);
            }
            let seen = match looks {
                Looks::Nothing => seen(&[]),
                Looks::Word(word) => {
                    self.values.read(self.relations, state, object).get(word..=word).and_then(seen)
                }
                Looks::Outline => seen(self.values.outline(self.relations, state, object)),
                Looks::Much => None,
            };
            let known = seen.and_then(|seen| one.verdicts.recall(number, seen, kinds));
            let alternatives = match known {
                Some(alternatives) => alternatives,
                None => {
                    let value = match by_value {
                        true => Some((self.values.read(self.relations, state, object), kinds)),
                        false => None,
                    };
                    let alternatives = interacting(&self.judge, access, futures, one, value);
                    if let Some(seen) = seen.filter(|_| self.notes.has_room()) {
                        one.verdicts.keep(number, seen, kinds, alternatives);
                    }
                    alternatives
                }
            };
            out.insert_from(self.processes.first[process], alternatives);
        }
    }

    /// Notes that the value of an object is looked at.
    fn note_looks(&self, access: &Access, futures: &Futures, one: &Use, looks: Looks) {
        if !self.journal.is_kept() {
            return;
        }
        let object = access.object;
        match looks {
            Looks::Nothing => {}
            Looks::Word(word) => self.journal.value(object, Glance::Word(word)),
            Looks::Outline => self.journal.value(object, Glance::Outline),
            Looks::Much => futures.operations(one).for_each(|other| {
                self.journal.value(object, self.judge.glance(object, &access.operation, &other.operation));
            }),
        }
    }

    /// What of the value of its object must be known to say with which alternatives an operation might interact.
    fn looks(&self, access: &Access, futures: &Futures, one: &Use) -> Looks {
        futures.operations(one).fold(Looks::Nothing, |looks, other| {
            looks.and(self.judge.glance(access.object, &access.operation, &other.operation))
        })
    }

    /// Finds the processes that may still use an object, of those that don't move, and adds those alternatives that may do
    /// anything to it. Gives the kinds of operations that they can still perform on it; nothing: nobody uses it.
    fn find_users(&mut self, object: ObjectId, moved: &[ProcessId], out: &mut Bits) -> Option<u64> {
        self.users.clear();
        let mut kinds = 0;
        for (process, futures) in self.processes.futures.iter().enumerate() {
            if moved.contains(&ProcessId(process as u16)) {
                continue;
            }
            if !futures.everything.is_empty() {
                let first = self.processes.first[process];
                futures.everything.iter().for_each(|alternative| out.insert(first + alternative));
                kinds = u64::MAX;
            }
            if let Some(one) = futures.on(object) {
                kinds |= one.kinds;
                self.users.push(process);
            }
        }
        (!self.users.is_empty()).then_some(kinds)
    }

    /// Whether an operation might interact with another on the same object; `excludes`: unless the two are
    /// never enabled together.
    pub(super) fn interacts(
        &self,
        access: &Access,
        other: &Access,
        value: Option<(&[i64], u64)>,
        excludes: bool,
    ) -> bool {
        let (object, a, b) = (access.object, &access.operation, &other.operation);
        if value.is_some() && self.journal.is_kept() {
            self.journal.value(object, self.judge.glance(object, a, b));
        }
        self.judge.interacts(object, a, b, value)
            && !(excludes && self.judge.excludes(object, a, b, &self.value))
    }

    /// Whether operations are left out that are never enabled together with one of an enabled step: reads
    /// the value of its object then.
    pub(super) fn look_at_exclusion(&mut self, state: &[u8], object: ObjectId, enabled: bool) -> bool {
        let excludes = enabled && self.judge.looks_at_exclusion();
        if excludes {
            self.relations.value(state, object, &mut self.value);
        }
        excludes
    }

    /// If an operation that fires in the present value of an object, `now`, is judged by that value:
    /// reads it, and says which kinds of operations processes that don't move can still perform on it.
    pub(super) fn look(
        &mut self,
        state: &[u8],
        object: ObjectId,
        moved: &[ProcessId],
        now: bool,
    ) -> Option<u64> {
        if !now || !self.judge.looks_at_values() {
            return None;
        }
        self.relations.value(state, object, &mut self.value);
        if let Some(index) = &self.index {
            let mut kinds = 0;
            for (node, operation) in &index[object.index()] {
                if !moved.contains(&ProcessId(self.processes.owner[*node])) {
                    kinds |= kind_bit(operation.kind);
                }
            }
            return Some(kinds);
        }
        Some(self.kinds(object, moved))
    }

    /// Which kinds of operations processes that don't move can still perform on an object.
    fn kinds(&self, object: ObjectId, moved: &[ProcessId]) -> u64 {
        let all = self.processes.futures.iter().enumerate();
        let others = all.filter(|(process, _)| !moved.contains(&ProcessId(*process as u16)));
        others.fold(0, |kinds, (_, futures)| kinds | futures.kinds(object))
    }
}

/// The alternatives behind which something might interact with an operation, bit by bit.
fn interacting(
    judge: &Judge<'_>,
    access: &Access,
    futures: &Futures,
    one: &Use,
    value: Option<(&[i64], u64)>,
) -> u64 {
    let (object, operation) = (access.object, &access.operation);
    let interacts = |range: &Range<usize>, at: usize| {
        let mut others = futures.list[at].accesses[range.clone()].iter();
        others.any(|other| judge.interacts(object, operation, &other.operation, value))
    };
    let all = one.operations.iter().filter(|(at, range)| interacts(range, *at));
    all.fold(0, |all, (at, _)| all | 1 << at)
}
