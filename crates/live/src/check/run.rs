//! A search that runs: one execution after another, until nothing is left or a limit is met.

use super::options::Checker;
use super::result::{Progress, Snapshot};
use super::tally::Tally;
use crate::execution::Execution;
use crate::failure::{Failure, FailureKind};
use crate::report::token;
use crate::runtime::control::{self, Control, End};
use crate::runtime::fiber::Fibers;
use crate::runtime::names::Names;
use crate::search::Strategy;
use crate::search::checkpoint::{Numbers, VERSION};
use crate::search::dfs::Dfs;
use crate::search::method::Method;
use crate::search::team::Team;
use crate::watchdog::Watchdog;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search that runs.
pub(super) struct Run<'a> {
    pub(super) checker: &'a Checker,
    pub(super) location: &'static Location<'static>,
    pub(super) f: &'a (dyn Fn() + Sync),
    pub(super) control: Option<Box<Control>>,
    pub(super) fibers: Fibers,
    pub(super) start: Instant,
    pub(super) tally: Tally,
    /// Those who explore together, and how many executions they have made.
    pub(super) team: Option<(&'a Team, &'a AtomicU64)>,
    pub(super) method: Option<Method>,
    pub(super) checkpoint: Option<&'a (PathBuf, Duration)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        checker: &'a Checker,
        location: &'static Location<'static>,
        f: &'a (dyn Fn() + Sync),
        strategy: Box<dyn Strategy>,
    ) -> Run<'a> {
        Run {
            checker,
            location,
            f,
            control: Some(Box::new(Control::new(strategy, checker.rules))),
            fibers: Fibers::new(checker.stack_size),
            start: Instant::now(),
            tally: Tally::default(),
            team: None,
            method: None,
            checkpoint: None,
        }
    }

    pub(super) fn explore(
        &mut self,
        progress: Option<&Progress<'_>>,
        mut observer: Option<&mut dyn FnMut(&Execution)>,
    ) {
        let watchdog = self.checker.divergence.map(|limit| {
            Watchdog::new(limit, |text| {
                eprintln!("{text}");
                std::process::exit(101);
            })
        });
        if let (Some(control), Some(watchdog)) = (&mut self.control, &watchdog) {
            control.pulse = Some(Arc::clone(&watchdog.pulse));
        }
        let (mut told, mut saved) = (Instant::now(), Instant::now());
        while let Some(control) = self.control.take() {
            let mut control = control::execute(control, &mut self.fibers, self.location, &self.f);
            let end = control.end.take().unwrap_or(End::Complete);
            let length = control.runtime.events.len() as u64;
            self.tally.steps += length;
            let again = end == End::Again;
            if let Some(observer) = &mut observer
                && !again
            {
                observer(&Execution::new(&control.runtime, &end));
            }
            let more = again || self.conclude(&mut control, end, length);
            self.control = Some(control);
            if !more {
                break;
            }
            if self.limited() {
                self.save();
                break;
            }
            if let Some((_, every)) = self.checkpoint
                && saved.elapsed() >= *every
            {
                saved = Instant::now();
                self.save();
            }
            if let Some(progress) = progress
                && self.tally.executions.is_multiple_of(64)
                && told.elapsed() >= Duration::from_secs(1)
            {
                told = Instant::now();
                progress(&self.snapshot());
            }
        }
    }

    /// Writes a checkpoint.
    fn save(&mut self) {
        let (Some((path, _)), Some(control)) = (&self.checkpoint, &self.control) else { return };
        let parts = control.strategy.save().zip(control.runtime.names.save());
        let Some((search, names)) = parts else {
            self.tally.unsaved = true;
            return;
        };
        let Tally { executions, redundant, cut, steps, longest, failures, .. } = &self.tally;
        let mut text = format!(
            "{VERSION}\n{:?}\n{executions} {redundant} {cut} {steps} {longest}\n{names}\n{search}\n",
            self.method.unwrap_or(Method::Optimal)
        );
        for failure in failures {
            text.push_str(&format!("{}\n", failure.token()));
        }
        // In one go: a process that ends meanwhile leaves the checkpoint before.
        let fresh = path.with_extension("new");
        let written = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, path));
        if let Err(error) = written {
            panic!("the checkpoint {} can't be written: {error}", path.display());
        }
    }

    /// Goes on from a checkpoint; `None` if it is damaged.
    pub(super) fn load(&mut self, method: Method, text: &str) -> Option<()> {
        let mut lines = text.lines();
        if lines.next()? != VERSION || lines.next()? != format!("{method:?}") {
            return None;
        }
        let mut numbers = Numbers::new(lines.next()?);
        self.tally.executions = numbers.next()?;
        self.tally.redundant = numbers.next()?;
        self.tally.cut = numbers.next()?;
        self.tally.steps = numbers.next()?;
        self.tally.longest = numbers.next()?;
        let names = Names::load(lines.next()?)?;
        let dfs = Dfs::new(method).describe(self.checker.description.as_ref()).load(lines.next()?)?;
        let control = self.control.as_mut()?;
        control.runtime.names = names;
        control.strategy = Box::new(dfs);
        // Failures of before are executed again.
        for line in lines {
            let failure = self.checker.once(self.location, self.f, token::read(line)?);
            self.tally.failures.extend(failure);
        }
        Some(())
    }

    fn snapshot(&self) -> Snapshot {
        let done = self.control.as_ref().map_or(0.0, |control| control.strategy.progress());
        let executions = match self.team {
            Some((_, count)) => count.load(Ordering::Relaxed),
            None => self.tally.executions,
        };
        let estimate = (done > 0.0).then(|| (executions as f64 / done) as u64);
        Snapshot { executions, estimate, time: self.start.elapsed() }
    }

    /// Draws the conclusions from an execution; whether there is another.
    fn conclude(&mut self, control: &mut Control, end: End, length: u64) -> bool {
        match &end {
            End::Redundant => self.tally.redundant += 1,
            End::Cut => self.tally.cut += 1,
            _ => self.tally.executions += 1,
        }
        if let Some((_, count)) = self.team {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.tally.longest = self.tally.longest.max(length);
        let mut fatal = false;
        if let End::Failed(kind) = &end {
            fatal = matches!(kind, FailureKind::Nondeterminism(_) | FailureKind::WrongDescription(_));
            let failure = Failure::new(kind.clone(), &control.runtime);
            self.tally.failures.push(failure);
        }
        let more = control.strategy.finished(&mut control.runtime, &end);
        if !more {
            self.tally.exhausted = control.strategy.exhaustive();
        }
        if fatal && let Some((team, _)) = self.team {
            team.stop();
        }
        more && !fatal
    }

    fn limited(&mut self) -> bool {
        let checker = self.checker;
        let done = match self.team {
            Some((_, count)) => count.load(Ordering::Relaxed),
            None => self.tally.executions + self.tally.redundant + self.tally.cut,
        };
        let enough = checker.most_failures > 0 && self.tally.failures.len() >= checker.most_failures;
        let tried = self.tally.executions + self.tally.redundant + self.tally.cut;
        if checker.most_executions.is_some_and(|most| done >= most) {
            self.tally.limit = Some(format!("stopped after {done} executions"));
        } else if let Some(most) = checker.most_time
            && tried.is_multiple_of(16)
            && self.start.elapsed() >= most
        {
            self.tally.limit = Some(format!("stopped after {:.1} seconds", most.as_secs_f64()));
        }
        let stop = enough || self.tally.limit.is_some();
        if let Some((team, _)) = self.team {
            if stop {
                team.stop();
            }
            return stop || team.stopped();
        }
        stop
    }

    pub(super) fn tally(mut self) -> Tally {
        if let Some(control) = self.control.take() {
            self.tally.sometimes = control.sometimes;
        }
        self.tally.threads = self.fibers.most;
        self.tally
    }
}
