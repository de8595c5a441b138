//! Ways to run a check: alone, observed, by several threads together, once.

use super::hook;
use super::options::{Checker, Search};
use super::result::{Progress, Report};
use super::run::Run;
use super::tally::Tally;
use crate::execution::Execution;
use crate::failure::Failure;
use crate::minimise;
use crate::report::timeline::Timeline;
use crate::runtime::control;
use crate::runtime::names::Names;
use crate::search::dfs::Dfs;
use crate::search::manual::{Manual, Moment, Wish};
use crate::search::method::Method;
use crate::search::replay::{Replay, Schedule, schedule_of};
use crate::search::team::Team;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

/// Ends the work of all if one of them panics.
struct StopOnPanic<'a>(&'a Team);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

impl Checker {
    /// Checks a closure, and panics with what is wrong if something is.
    #[track_caller]
    pub fn check(&self, f: impl Fn() + Sync) -> Report {
        let report = self.run(f);
        report.unwrap();
        report
    }

    /// Checks a closure.
    #[track_caller]
    pub fn run(&self, f: impl Fn() + Sync) -> Report {
        self.run_with(Location::caller(), &f, None, None)
    }

    /// Checks a closure and shows every execution to `observer`.
    #[track_caller]
    pub fn run_observed(&self, f: impl Fn() + Sync, observer: &mut dyn FnMut(&Execution)) -> Report {
        self.run_with(Location::caller(), &f, None, Some(observer))
    }

    /// Checks a closure and tells how far it is, about once a second.
    #[track_caller]
    pub fn run_with_progress(&self, f: impl Fn() + Sync, progress: &Progress<'_>) -> Report {
        self.run_with(Location::caller(), &f, Some(progress), None)
    }

    fn run_with(
        &self,
        location: &'static Location<'static>,
        f: &(dyn Fn() + Sync),
        progress: Option<&Progress<'_>>,
        observer: Option<&mut dyn FnMut(&Execution)>,
    ) -> Report {
        assert!(!control::controlled(), "a check can't run inside of another one");
        hook::install();
        let start = Instant::now();
        let mut tally = match &self.search {
            Search::Exhaustive(method)
                if self.threads > 1
                    && observer.is_none()
                    && self.checkpoint.is_none()
                    && self.resume.is_none() =>
            {
                self.together(location, f, *method, progress)
            }
            search => {
                let mut run = Run::new(self, location, f, search.strategy(self.description.as_ref()));
                if let Search::Exhaustive(method) = search {
                    run.method = Some(*method);
                    run.checkpoint = self.checkpoint.as_ref();
                }
                if let (Search::Exhaustive(method), Some(path)) = (search, &self.resume) {
                    let loaded = std::fs::read_to_string(path).map_err(|error| error.to_string());
                    let loaded =
                        loaded.and_then(|text| run.load(*method, &text).ok_or("it is damaged".into()));
                    if let Err(why) = loaded {
                        panic!("the checkpoint {} can't be used: {why}", path.display());
                    }
                }
                run.explore(progress, observer);
                run.tally()
            }
        };
        if self.minimise {
            for failure in &mut tally.failures {
                minimise::shorten(failure, |schedule| self.once(location, f, schedule));
            }
        }
        tally.report(self, start.elapsed())
    }

    /// Explores with several threads.
    fn together(
        &self,
        location: &'static Location<'static>,
        f: &(dyn Fn() + Sync),
        method: Method,
        progress: Option<&Progress<'_>>,
    ) -> Tally {
        let team = Arc::new(Team::new(self.threads));
        let names = Names::default();
        let count = AtomicU64::new(0);
        let work = |first: bool| {
            // Whoever panics must not be waited for.
            let _guard = StopOnPanic(&team);
            let mut dfs = Dfs::in_team(method, Arc::clone(&team)).describe(self.description.as_ref());
            if !first && !dfs.join() {
                return Tally { exhausted: true, ..Tally::default() };
            }
            let mut run = Run::new(self, location, f, Box::new(dfs));
            if let Some(control) = &mut run.control {
                control.runtime.names = names.clone();
            }
            run.team = Some((&team, &count));
            run.explore(progress.filter(|_| first), None);
            run.tally()
        };
        let work = &work;
        let others = self.threads - 1;
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..others).map(|_| scope.spawn(move || work(false))).collect();
            let mut tally = work(true);
            for handle in handles {
                match handle.join() {
                    Ok(other) => tally.add(other),
                    Err(payload) => std::panic::resume_unwind(payload),
                }
            }
            if self.most_failures > 0 {
                tally.failures.truncate(self.most_failures);
            }
            tally
        })
    }

    /// Runs one execution that asks a person for its steps, and tells how it ended.
    pub(crate) fn by_hand(
        &self,
        location: &'static Location<'static>,
        f: &(dyn Fn() + Sync),
        schedule: Schedule,
        moments: Sender<Moment>,
        wishes: Receiver<Wish>,
    ) {
        hook::install();
        // A person who thinks is no divergence.
        let checker = Checker { divergence: None, ..self.clone() };
        let mut run =
            Run::new(&checker, location, f, Box::new(Manual::new(schedule, moments.clone(), wishes)));
        run.explore(None, None);
        let Some(control) = &run.control else { return };
        let end = match run.tally.failures.first() {
            Some(failure) => failure.kind.to_string(),
            None if run.tally.cut > 0 => "this execution is longer than allowed".to_owned(),
            None if run.tally.redundant > 0 => return,
            None => "the end: nothing is wrong".to_owned(),
        };
        let (timeline, schedule) = (Timeline::new(&control.runtime), schedule_of(&control.runtime));
        // Nobody listens any more if the person has left.
        let _ = moments.send(Moment { possible: Vec::new(), timeline, schedule, end: Some(end) });
    }

    /// Runs one execution under a schedule and returns its failure.
    pub(crate) fn once(
        &self,
        location: &'static Location<'static>,
        f: &(dyn Fn() + Sync),
        schedule: Schedule,
    ) -> Option<Failure> {
        let mut run = Run::new(self, location, f, Box::new(Replay::new(schedule, true)));
        run.explore(None, None);
        run.tally.failures.pop()
    }
}
