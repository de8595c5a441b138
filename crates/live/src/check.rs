//! Checking: all executions of a closure that matter, with options and limits.

use crate::execution::Execution;
use crate::failure::{Failure, FailureKind};
use crate::minimise;
use crate::persistent::Description;
use crate::report::timeline::Timeline;
use crate::report::token;
use crate::runtime::control::{self, Control, End, Rules};
use crate::runtime::fiber::Fibers;
use crate::runtime::names::Names;
use crate::search::Strategy;
use crate::search::checkpoint::{Numbers, VERSION};
use crate::search::dfs::{Dfs, Method};
use crate::search::manual::{Manual, Possibilities, Possible};
use crate::search::random::Random;
use crate::search::replay::{Replay, Schedule};
use crate::search::team::Team;
use crate::watchdog::Watchdog;
use std::collections::HashMap;
use std::fmt;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which executions are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// Depth first, with everything explored that the method does not rule out.
    Exhaustive(Method),
    /// So many executions in which each step is random.
    Random {
        /// Where the random numbers start.
        seed: u64,
        /// How many.
        executions: u64,
    },
    /// So many executions with random priorities that change at `depth - 1` random moments (PCT).
    Priorities {
        /// Where the random numbers start.
        seed: u64,
        /// How many.
        executions: u64,
        /// How many ordering constraints a bug needs that is looked for.
        depth: u32,
    },
    /// One execution, from the token of a failure.
    Replay(String),
}

impl Search {
    fn strategy(&self, description: Option<&Description>) -> Box<dyn Strategy> {
        match self {
            Search::Exhaustive(method) => Box::new(Dfs::new(*method).describe(description)),
            Search::Random { seed, executions } => Box::new(Random::new(*seed, *executions, None)),
            Search::Priorities { seed, executions, depth } => {
                Box::new(Random::new(*seed, *executions, Some(*depth)))
            }
            Search::Replay(text) => {
                let schedule = token::read(text)
                    .unwrap_or_else(|| panic!("`{text}` is no token of a failure: one starts with mz1:"));
                Box::new(Replay::new(schedule, false))
            }
        }
    }
}

/// What is known after a check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was explored, and nothing is wrong.
    Holds,
    /// Something is wrong.
    Violated,
    /// Nothing wrong was found, and not everything was explored.
    Unknown,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is known.
    pub verdict: Verdict,
    /// Why not everything was explored.
    pub limit: Option<String>,
    /// Executions that came to an end: complete, deadlocked or failed.
    pub executions: u64,
    /// Executions given up because they were like others before.
    pub redundant: u64,
    /// Visible operations, over all executions, those of repeated beginnings included.
    pub steps: u64,
    /// The most visible operations of an execution.
    pub longest: u64,
    /// The most threads that ran together.
    pub threads: usize,
    /// What is wrong.
    pub failures: Vec<Failure>,
    /// Conditions of [`assert_sometimes!`](crate::assert_sometimes) that no execution met.
    pub never: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// Panics with what is wrong, if something is.
    #[track_caller]
    pub fn unwrap(&self) {
        if self.verdict == Verdict::Violated {
            panic!("{self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}\n")?;
        }
        for what in &self.never {
            writeln!(f, "no execution ever met the condition {what}\n")?;
        }
        let verdict = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        };
        write!(f, "{verdict} after {} executions of at most {} steps", self.executions, self.longest)?;
        if self.redundant > 0 {
            write!(f, ", {} redundant", self.redundant)?;
        }
        if let Some(limit) = &self.limit {
            write!(f, "; {limit}")?;
        }
        Ok(())
    }
}

/// What to report while a check runs.
pub type Progress<'a> = dyn Fn(&Snapshot) + Sync + 'a;

/// How far a check is.
#[derive(Copy, Clone, Debug)]
pub struct Snapshot {
    /// Executions so far.
    pub executions: u64,
    /// An estimate of how many there are in all.
    pub estimate: Option<u64>,
    /// How long it has taken.
    pub time: Duration,
}

/// A check with options.
///
/// ```
/// use mazurka_live::{Checker, Method, Search, thread};
///
/// let report = Checker::new()
///     .search(Search::Exhaustive(Method::Source))
///     .max_executions(1000)
///     .run(|| {
///         thread::spawn(|| ()).join().unwrap();
///     });
/// assert_eq!(report.executions, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    search: Search,
    most_executions: Option<u64>,
    most_time: Option<Duration>,
    most_failures: usize,
    stack_size: usize,
    rules: Rules,
    minimise: bool,
    threads: usize,
    description: Option<Description>,
    divergence: Option<Duration>,
    checkpoint: Option<(PathBuf, Duration)>,
    resume: Option<PathBuf>,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// Optimal exploration without limits, up to the first failure.
    pub fn new() -> Checker {
        Checker {
            search: Search::Exhaustive(Method::Optimal),
            most_executions: None,
            most_time: None,
            most_failures: 1,
            stack_size: 256 * 1024,
            rules: Rules { panics_fail: true, leaks_fail: true, most_steps: 1_000_000, livelock: 0 },
            minimise: true,
            threads: 1,
            description: None,
            divergence: None,
            checkpoint: None,
            resume: None,
        }
    }

    /// Explores with so many threads of the machine. Every trace is still executed once, but by source sets instead of
    /// wakeup trees, which need one order: some executions can turn out to be redundant. Random searches are not divided.
    pub fn threads(mut self, threads: usize) -> Checker {
        self.threads = threads.max(1);
        self
    }

    /// Explores persistent sets, found from a description of who does what, with sleep sets.
    pub fn describe(mut self, description: Description) -> Checker {
        self.description = Some(description);
        self.method(Method::Persistent)
    }

    /// Which executions are tried.
    pub fn search(mut self, search: Search) -> Checker {
        self.search = search;
        self
    }

    /// Depth first by this method.
    pub fn method(self, method: Method) -> Checker {
        self.search(Search::Exhaustive(method))
    }

    /// Only the execution of a failure's token.
    pub fn replay(self, token: &str) -> Checker {
        self.search(Search::Replay(token.to_owned()))
    }

    /// Stops after so many executions.
    pub fn max_executions(mut self, most: u64) -> Checker {
        self.most_executions = Some(most);
        self
    }

    /// Stops after so long.
    pub fn max_time(mut self, most: Duration) -> Checker {
        self.most_time = Some(most);
        self
    }

    /// Executions longer than this are cut, and nothing is called verified then.
    pub fn max_steps(mut self, most: u32) -> Checker {
        self.rules.most_steps = most;
        self
    }

    /// Goes on until there are so many failures; 0 for all.
    pub fn max_failures(mut self, most: usize) -> Checker {
        self.most_failures = most;
        self
    }

    /// The size of each thread's stack, in bytes.
    pub fn stack_size(mut self, bytes: usize) -> Checker {
        self.stack_size = bytes;
        self
    }

    /// Whether a panic is a failure of the test, as it is by default, or what `join` returns.
    pub fn panics_fail(mut self, fail: bool) -> Checker {
        self.rules.panics_fail = fail;
        self
    }

    /// Whether threads that wait for ever after the test has returned are a failure, as they are by default.
    pub fn leaks_fail(mut self, fail: bool) -> Checker {
        self.rules.leaks_fail = fail;
        self
    }

    /// A thread that can't move during so many steps of others is a failure; 0, the default, for never.
    pub fn livelock(mut self, steps: u32) -> Checker {
        self.rules.livelock = steps;
        self
    }

    /// Writes the search to a file now and then, and when a limit ends it, so that [`resume`](Self::resume) can go on from there. Only
    /// one thread explores then. Programs with a [`LazyLock`](crate::sync::LazyLock) can't: their addresses differ.
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Duration) -> Checker {
        self.checkpoint = Some((path.into(), every));
        self
    }

    /// Goes on from a checkpoint of the same test, with the same method.
    pub fn resume(mut self, path: impl Into<PathBuf>) -> Checker {
        self.resume = Some(path.into());
        self
    }

    /// A thread that performs no visible operation for so long ends the process, with a message on standard error: it
    /// can't be stopped otherwise. Without this, the default, a test that diverges runs for ever.
    pub fn divergence(mut self, limit: Duration) -> Checker {
        self.divergence = Some(limit);
        self
    }

    /// Whether a failing execution is made to switch less between threads before it is shown, as by default.
    pub fn minimise(mut self, minimise: bool) -> Checker {
        self.minimise = minimise;
        self
    }

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
        // What is inserted into a wakeup tree must be there before the tree is explored; source sets don't ask for that.
        let method = if method == Method::Optimal { Method::Source } else { method };
        let team = Arc::new(Team::new(self.threads));
        let names = Names::default();
        let count = AtomicU64::new(0);
        let work = |first: bool| {
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
            tally
        })
    }

    /// Runs one execution up to the end of a schedule: what is possible then, what happened, and what went wrong.
    pub(crate) fn up_to(
        &self,
        location: &'static Location<'static>,
        f: &(dyn Fn() + Sync),
        schedule: Schedule,
    ) -> (Vec<Possible>, Timeline, Option<FailureKind>) {
        hook::install();
        let found = Possibilities::default();
        let mut run = Run::new(self, location, f, Box::new(Manual::new(schedule, found.clone())));
        run.explore(None, None);
        let failure = run.tally.failures.pop().map(|failure| failure.kind);
        let timeline = run.control.map(|control| Timeline::new(&control.runtime));
        let possible = found.borrow().clone();
        (possible, timeline.unwrap_or_else(Timeline::empty), failure)
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

/// What executions have shown so far.
#[derive(Default)]
struct Tally {
    executions: u64,
    redundant: u64,
    cut: u64,
    steps: u64,
    longest: u64,
    threads: usize,
    failures: Vec<Failure>,
    limit: Option<String>,
    exhausted: bool,
    /// A checkpoint could not be made.
    unsaved: bool,
    sometimes: HashMap<&'static Location<'static>, (String, bool)>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.redundant += other.redundant;
        self.cut += other.cut;
        self.steps += other.steps;
        self.longest = self.longest.max(other.longest);
        self.threads = self.threads.max(other.threads);
        self.failures.extend(other.failures);
        self.limit = self.limit.take().or(other.limit);
        self.exhausted &= other.exhausted;
        for (place, (text, met)) in other.sometimes {
            self.sometimes.entry(place).or_insert((text, false)).1 |= met;
        }
    }

    /// Draws the conclusion.
    fn report(mut self, checker: &Checker, time: Duration) -> Report {
        let unmet = self.sometimes.iter().filter(|(_, (_, met))| !met);
        let mut never: Vec<String> =
            unmet.map(|(location, (text, _))| format!("`{text}` at {location}")).collect();
        never.sort();
        if self.unsaved
            && let Some(limit) = &mut self.limit
        {
            limit.push_str("; no checkpoint, because there are static variables");
        }
        if self.cut > 0 && self.limit.is_none() {
            let most = checker.rules.most_steps;
            self.limit = Some(format!("{} executions were cut after {most} steps", self.cut));
        }
        let complete = self.exhausted && self.limit.is_none() && self.cut == 0;
        if self.limit.is_none() && !complete && self.failures.is_empty() {
            self.limit = Some("not all executions were tried".to_owned());
        }
        // A condition that was never met is only certain to be impossible if everything was tried.
        let violated = !self.failures.is_empty() || (complete && !never.is_empty());
        let verdict = match (violated, complete) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Holds,
            (false, false) => Verdict::Unknown,
        };
        Report {
            verdict,
            limit: self.limit,
            executions: self.executions,
            redundant: self.redundant,
            steps: self.steps,
            longest: self.longest,
            threads: self.threads,
            failures: self.failures,
            never,
            time,
        }
    }
}

/// A search that runs.
struct Run<'a> {
    checker: &'a Checker,
    location: &'static Location<'static>,
    f: &'a (dyn Fn() + Sync),
    control: Option<Box<Control>>,
    fibers: Fibers,
    start: Instant,
    tally: Tally,
    /// Those who explore together, and how many executions they have made.
    team: Option<(&'a Team, &'a AtomicU64)>,
    method: Option<Method>,
    checkpoint: Option<&'a (PathBuf, Duration)>,
}

impl<'a> Run<'a> {
    fn new(
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

    fn explore(&mut self, progress: Option<&Progress<'_>>, mut observer: Option<&mut dyn FnMut(&Execution)>) {
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
    fn load(&mut self, method: Method, text: &str) -> Option<()> {
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

    fn tally(mut self) -> Tally {
        if let Some(control) = self.control.take() {
            self.tally.sometimes = control.sometimes;
        }
        self.tally.threads = self.fibers.most;
        self.tally
    }
}

/// Checks all executions of a closure that matter, and panics with what is wrong if something is.
///
/// ```
/// use mazurka_live::sync::atomic::{AtomicUsize, Ordering};
/// use mazurka_live::{check, thread};
/// use std::sync::Arc;
///
/// let report = check(|| {
///     let count = Arc::new(AtomicUsize::new(0));
///     let other = Arc::clone(&count);
///     let thread = thread::spawn(move || other.fetch_add(1, Ordering::SeqCst));
///     count.fetch_add(1, Ordering::SeqCst);
///     thread.join().unwrap();
///     assert_eq!(count.load(Ordering::SeqCst), 2);
/// });
/// assert_eq!(report.executions, 2);
/// ```
#[track_caller]
pub fn check(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().run_with(Location::caller(), &f, None, None);
    report.unwrap();
    report
}

mod hook {
    //! What panics of threads under control say is kept, not printed.

    use crate::failure::payload_text;
    use crate::runtime::control;
    use std::sync::Once;

    static INSTALLED: Once = Once::new();

    /// Puts a hook before the one that is there.
    pub(super) fn install() {
        INSTALLED.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
                let text = format!("{}{place}", payload_text(info.payload()));
                if control::try_with(|control| control.panicked(text)).is_none() {
                    before(info);
                }
            }));
        });
    }
}
