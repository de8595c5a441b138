//! What all searches keep, as bytes: counts, findings, places executed, sleep sets.

use super::choose::Chooser;
use super::component::{Components, Link};
use super::run::Run;
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::outcome::Stop;
use crate::reduce::pause::LEARNT;
use crate::store::StateRef;
use mazurka_model::trace::TraceStep;
use mazurka_model::{Finding, FindingKind, Step, Trace, ViolationKind};
use std::io;
use std::time::{Duration, Instant};

/// What a violation is numbered by.
const KINDS: [ViolationKind; 5] = [
    ViolationKind::Assertion,
    ViolationKind::Fault,
    ViolationKind::Contract,
    ViolationKind::Reception,
    ViolationKind::Overflow,
];

impl Run<'_> {
    /// Writes the record of the run.
    pub fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let counts = &self.statistics;
        for count in [counts.states, counts.matched, counts.depth, counts.errors, counts.reopened] {
            out.u64(count)?;
        }
        out.u64(self.started.elapsed().as_nanos() as u64)?;
        out.u32(self.patience)?;
        out.flag(self.beyond_depth)?;
        out.u64(self.notes.len() as u64)?;
        for note in &self.notes {
            out.array(note.as_bytes())?;
        }
        out.u64(self.findings.len() as u64)?;
        for Finding { kind, trace } in &self.findings {
            save_kind(*kind, out)?;
            out.u32(trace.initial)?;
            out.u64(trace.steps.len() as u64)?;
            for TraceStep { step, outcome } in &trace.steps {
                save_step(*step, out)?;
                out.u32(*outcome)?;
            }
        }
        out.u64(self.reported.len() as u64)?;
        // In an order of their own, so that equal runs give equal files.
        let mut reported: Vec<(u8, u8, u32)> = self.reported.iter().map(|kind| parts(*kind)).collect();
        reported.sort_unstable();
        for (what, how, place) in reported {
            out.raw(&[what, how])?;
            out.u32(place)?;
        }
        out.u64(self.deadlocks.len() as u64)?;
        let mut deadlocks: Vec<&[u8]> = self.deadlocks.iter().map(Box::as_ref).collect();
        deadlocks.sort_unstable();
        deadlocks.into_iter().try_for_each(|state| out.array(state))
    }

    /// Reads the record of a run into that of one which has not begun.
    pub fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        let counts = &mut self.statistics;
        counts.states = from.u64()?;
        counts.matched = from.u64()?;
        counts.depth = from.u64()?;
        counts.errors = from.u64()?;
        counts.reopened = from.u64()?;
        if self.config.limits.states.is_some_and(|limit| counts.states >= limit) {
            self.stopped = Some(Stop::States);
        }
        let before = Duration::from_nanos(from.u64()?);
        self.started = Instant::now().checked_sub(before).unwrap_or(self.started);
        self.patience = from.u32()?;
        self.beyond_depth = from.flag()?;
        self.notes.clear();
        let mut text = Vec::new();
        for _ in 0..from.u64()? {
            from.array(&mut text)?;
            self.notes.push(String::from_utf8_lossy(&text).into_owned());
        }
        for _ in 0..from.u64()? {
            let kind = restore_kind(from)?;
            let initial = from.u32()?;
            let mut steps = Vec::new();
            for _ in 0..from.u64()? {
                steps.push(TraceStep { step: restore_step(from)?, outcome: from.u32()? });
            }
            self.findings.push(Finding { kind, trace: Trace { initial, steps, repeats: None } });
        }
        for _ in 0..from.u64()? {
            let kind = restore_kind(from)?;
            self.reported.insert(kind);
        }
        for _ in 0..from.u64()? {
            from.array(&mut text)?;
            self.deadlocks.insert(text.as_slice().into());
        }
        Ok(())
    }
}

fn save_step(step: Step, out: &mut Writer<'_>) -> io::Result<()> {
    out.u32(u32::from(step.process.0))?;
    out.u32(step.code)
}

fn restore_step(from: &mut Reader) -> Result<Step, Refusal> {
    Ok(Step::new(from.u32()? as u16, from.u32()?))
}

fn parts(kind: FindingKind) -> (u8, u8, u32) {
    let number = |kind| KINDS.iter().position(|k| *k == kind).unwrap_or(0) as u8;
    match kind {
        FindingKind::Deadlock => (0, 0, 0),
        FindingKind::Step { kind, place } => (1, number(kind), place),
        FindingKind::State { kind, place } => (2, number(kind), place),
        FindingKind::Stopped => (3, 0, 0),
        // A search that is saved finds none: temporal properties have a search of their own.
        FindingKind::Temporal { property } => (4, 0, property),
    }
}

fn save_kind(kind: FindingKind, out: &mut Writer<'_>) -> io::Result<()> {
    let (what, how, place) = parts(kind);
    out.raw(&[what, how])?;
    out.u32(place)
}

fn restore_kind(from: &mut Reader) -> Result<FindingKind, Refusal> {
    let (what, how, place) = (from.u8()?, from.u8()?, from.u32()?);
    let kind = *KINDS.get(usize::from(how)).ok_or(Refusal::Damaged("an unknown kind of error"))?;
    match what {
        0 => Ok(FindingKind::Deadlock),
        1 => Ok(FindingKind::Step { kind, place }),
        2 => Ok(FindingKind::State { kind, place }),
        3 => Ok(FindingKind::Stopped),
        4 => Ok(FindingKind::Temporal { property: place }),
        _ => Err(Refusal::Damaged("an unknown kind of finding")),
    }
}

impl Chooser<'_> {
    /// Writes the sleep sets and what was executed so far.
    pub fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        for pause in [self.pause, self.seeking] {
            let learnt = pause.map_or([0; LEARNT], |pause| pause.learnt());
            learnt.into_iter().try_for_each(|number| out.u32(number))?;
        }
        out.u64(self.expander.atomic_steps())?;
        let covered = self.expander.all_covered();
        out.u64(covered.len() as u64)?;
        for place in covered {
            out.u32(place)?;
        }
        out.u64(u64::from(self.sets.len()))?;
        for number in 1..self.sets.len() {
            let steps = self.sets.steps(number);
            out.u64(steps.len() as u64)?;
            for step in steps {
                save_step(*step, out)?;
            }
        }
        Ok(())
    }

    /// Reads them into a chooser that has not begun.
    pub fn restore(&mut self, from: &mut Reader) -> Result<(), Refusal> {
        for pause in [&mut self.pause, &mut self.seeking] {
            let mut learnt = [0; LEARNT];
            for number in &mut learnt {
                *number = from.u32()?;
            }
            if let Some(pause) = pause {
                pause.recall(learnt);
            }
        }
        let atomic_steps = from.u64()?;
        let mut covered = Vec::new();
        for _ in 0..from.u64()? {
            covered.push(from.u32()?);
        }
        self.expander.restore(atomic_steps, &covered);
        for number in 1..from.u64()? {
            let mut steps = Vec::new();
            for _ in 0..from.u64()? {
                steps.push(restore_step(from)?);
            }
            if u64::from(self.sets.number(&mut steps)) != number {
                return Err(Refusal::Damaged("a sleep set is there twice"));
            }
        }
        Ok(())
    }
}

impl Link {
    /// Writes the link.
    pub fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.u32(self.low)?;
        out.u32(self.reach)?;
        out.flag(self.full)?;
        out.flag(self.exit)
    }

    /// Reads a link.
    pub fn restore(from: &mut Reader) -> Result<Link, Refusal> {
        Ok(Link { low: from.u32()?, reach: from.u32()?, full: from.flag()?, exit: from.flag()? })
    }
}

impl Components {
    /// Writes the components that are not complete.
    pub fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        out.u32(self.next)?;
        out.u64(self.open.len() as u64)?;
        self.open.iter().try_for_each(|state| out.u32(state.0))
    }

    /// Reads them.
    pub fn restore(from: &mut Reader) -> Result<Components, Refusal> {
        let mut components = Components { next: from.u32()?, ..Components::default() };
        for _ in 0..from.u64()? {
            components.open.push(StateRef(from.u32()?));
        }
        Ok(components)
    }
}
