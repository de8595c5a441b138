//! Random programs: every method covers what the naive search finds, and optimal exploration makes as many executions
//! as there are traces. Traces are counted here, from the executions of the naive search, by a relation that
//! is written down again and shares nothing with the searches.

use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::sync::{Barrier, Condvar, Mutex, OnceLock, RwLock, Semaphore, mpsc};
use mazurka_live::{Checker, Execution, FailureKind, Method, Step, thread, toss};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex as Plain};

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, bound: u64) -> usize {
        (self.next() % bound) as usize
    }
}

/// What a thread does.
#[derive(Clone, Debug)]
enum Do {
    Load(usize),
    Store(usize, usize),
    Increment(usize),
    Add(usize),
    Exchange(usize, usize, usize),
    Swap(usize, usize),
    Locked(usize, Vec<Do>),
    TryLocked(usize, Vec<Do>),
    Reading(Vec<Do>),
    Writing(Vec<Do>),
    TryReading(Vec<Do>),
    TryWriting(Vec<Do>),
    Wait,
    WaitTimeout,
    NotifyOne,
    NotifyAll,
    Permit(u32, Vec<Do>),
    TryPermit(Vec<Do>),
    Send(usize),
    TrySend(usize),
    Receive,
    TryReceive,
    Barrier,
    Once(usize),
    Get,
    Park,
    Unpark,
    Toss(usize),
    IfLast(usize, Vec<Do>),
}

/// Which objects a program uses.
#[derive(Clone, Debug)]
struct Program {
    bodies: Vec<Vec<Do>>,
    capacity: usize,
    bounded: bool,
    barrier: usize,
    permits: u32,
    channel: bool,
}

fn action(numbers: &mut Numbers, flavour: usize, depth: usize) -> Do {
    let inner = |numbers: &mut Numbers| {
        if depth == 0 || numbers.below(2) == 0 {
            Vec::new()
        } else {
            vec![action(numbers, flavour, depth - 1)]
        }
    };
    let (x, v) = (numbers.below(2), numbers.below(3));
    let basic = |numbers: &mut Numbers| match numbers.below(7) {
        0 | 1 => Do::Load(x),
        2 => Do::Store(x, v + 1),
        3 => Do::Increment(x),
        4 => Do::Add(x),
        5 => Do::Exchange(x, v, v + 1),
        _ => Do::Swap(x, v),
    };
    match numbers.below(10) {
        0..=2 => basic(numbers),
        3 if depth > 0 => Do::IfLast(numbers.below(2), vec![action(numbers, flavour, depth - 1)]),
        _ => match (flavour, numbers.below(4)) {
            (0, 0..=2) => Do::Locked(x, inner(numbers)),
            (0, _) => Do::TryLocked(x, inner(numbers)),
            (1, 0) => Do::Reading(inner(numbers)),
            (1, 1) => Do::Writing(inner(numbers)),
            (1, 2) => Do::TryReading(inner(numbers)),
            (1, _) => Do::TryWriting(inner(numbers)),
            (2, 0) => Do::Wait,
            (2, 1) => Do::WaitTimeout,
            (2, 2) => Do::NotifyOne,
            (2, _) => Do::NotifyAll,
            (3, 0) => Do::Permit(1 + numbers.below(2) as u32, inner(numbers)),
            (3, 1) => Do::TryPermit(inner(numbers)),
            (3, _) => Do::Permit(1, inner(numbers)),
            (4, 0) => Do::Send(v),
            (4, 1) => Do::TrySend(v),
            (4, 2) => Do::Receive,
            (4, _) => Do::TryReceive,
            (5, 0) => Do::Barrier,
            (5, 1) => Do::Once(v),
            (5, 2) => Do::Get,
            (5, _) => Do::Toss(2),
            (6, 0 | 1) => Do::Park,
            (6, _) => Do::Unpark,
            _ => basic(numbers),
        },
    }
}

fn program(seed: u64) -> Program {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e3779b97f4a7c15).wrapping_add(77));
    for _ in 0..4 {
        numbers.next();
    }
    let threads = 2 + numbers.below(2);
    let flavour = numbers.below(8);
    let bodies = (0..threads)
        .map(|_| {
            let length = 1 + numbers.below(if threads == 2 { 3 } else { 2 });
            (0..length).map(|_| action(&mut numbers, flavour, 2)).collect()
        })
        .collect();
    let bounded = numbers.below(3) > 0;
    let capacity = numbers.below(3);
    let barrier = 1 + numbers.below(3);
    let permits = numbers.below(3) as u32;
    Program { bodies, capacity, bounded, barrier, permits, channel: flavour == 4 }
}

/// The sending side, of either sort.
enum Sending {
    Free(mpsc::Sender<usize>),
    Bounded(mpsc::SyncSender<usize>),
}

struct World {
    x: [AtomicUsize; 2],
    locks: [Mutex<usize>; 2],
    shared: RwLock<usize>,
    condvar: Condvar,
    semaphore: Semaphore,
    barrier: Barrier,
    once: OnceLock<usize>,
    receiver: Plain<Option<mpsc::Receiver<usize>>>,
}

struct Thread {
    me: usize,
    world: Arc<World>,
    sender: Option<Sending>,
    receiver: Option<mpsc::Receiver<usize>>,
    /// The threads that were started before.
    older: Vec<thread::Thread>,
    last: usize,
    log: Vec<usize>,
}

impl Thread {
    fn note(&mut self, value: usize) {
        self.last = value;
        self.log.push(value);
    }

    fn run(&mut self, actions: &[Do]) {
        for one in actions {
            self.step(one);
        }
    }

    fn step(&mut self, one: &Do) {
        let world = Arc::clone(&self.world);
        match one {
            Do::Load(x) => self.note(world.x[*x].load(SeqCst)),
            Do::Store(x, v) => world.x[*x].store(*v, SeqCst),
            Do::Increment(x) => self.note(world.x[*x].fetch_add(1, SeqCst)),
            Do::Add(x) => world.x[*x].add(1, SeqCst),
            Do::Exchange(x, a, b) => {
                let seen = world.x[*x].compare_exchange(*a, *b, SeqCst, SeqCst);
                self.note(seen.unwrap_or_else(|v| v + 10));
            }
            Do::Swap(x, v) => self.note(world.x[*x].swap(*v, SeqCst)),
            Do::Locked(x, inner) => {
                if self.log.contains(&(100 + x)) {
                    return;
                }
                let mut guard = world.locks[*x].lock().unwrap();
                *guard += 1;
                let seen = *guard;
                self.log.push(100 + x);
                self.note(seen);
                self.run(inner);
                drop(guard);
                self.log.retain(|&entry| entry != 100 + x);
            }
            Do::TryLocked(x, inner) => {
                if self.log.contains(&(100 + x)) {
                    return;
                }
                let guard = world.locks[*x].try_lock();
                self.note(usize::from(guard.is_ok()));
                if guard.is_ok() {
                    self.log.push(100 + x);
                    self.run(inner);
                    drop(guard);
                    self.log.retain(|&entry| entry != 100 + x);
                }
            }
            Do::Reading(inner) => {
                if self.log.contains(&200) {
                    return;
                }
                let guard = world.shared.read().unwrap();
                let seen = *guard;
                self.log.push(200);
                self.note(seen);
                self.run(inner);
                drop(guard);
                self.log.retain(|&entry| entry != 200);
            }
            Do::Writing(inner) => {
                if self.log.contains(&200) {
                    return;
                }
                let mut guard = world.shared.write().unwrap();
                *guard += 1;
                self.log.push(200);
                self.run(inner);
                drop(guard);
                self.log.retain(|&entry| entry != 200);
            }
            Do::TryReading(inner) => {
                let guard = world.shared.try_read();
                self.note(guard.as_ref().map_or(9, |value| **value));
                if guard.is_ok() && !self.log.contains(&200) {
                    self.log.push(200);
                    self.run(inner);
                    drop(guard);
                    self.log.retain(|&entry| entry != 200);
                }
            }
            Do::TryWriting(inner) => {
                let guard = world.shared.try_write();
                self.note(usize::from(guard.is_ok()));
                if guard.is_ok() && !self.log.contains(&200) {
                    self.log.push(200);
                    self.run(inner);
                    drop(guard);
                    self.log.retain(|&entry| entry != 200);
                }
            }
            Do::Wait => {
                let guard = world.locks[0].lock().unwrap();
                let guard = world.condvar.wait(guard).unwrap();
                let seen = *guard;
                self.note(seen);
            }
            Do::WaitTimeout => {
                let guard = world.locks[0].lock().unwrap();
                let limit = std::time::Duration::from_millis(1);
                let (guard, result) = world.condvar.wait_timeout(guard, limit).unwrap();
                drop(guard);
                self.note(usize::from(result.timed_out()));
            }
            Do::NotifyOne => world.condvar.notify_one(),
            Do::NotifyAll => world.condvar.notify_all(),
            Do::Permit(count, inner) => {
                let permit = world.semaphore.acquire_many(*count);
                self.run(inner);
                drop(permit);
            }
            Do::TryPermit(inner) => {
                let permit = world.semaphore.try_acquire();
                self.note(usize::from(permit.is_some()));
                if permit.is_some() {
                    self.run(inner);
                }
            }
            Do::Send(v) => {
                let sent = match &self.sender {
                    Some(Sending::Free(sender)) => sender.send(*v).is_ok(),
                    Some(Sending::Bounded(sender)) => sender.send(*v).is_ok(),
                    None => false,
                };
                self.note(usize::from(sent));
            }
            Do::TrySend(v) => {
                let sent = match &self.sender {
                    Some(Sending::Bounded(sender)) => match sender.try_send(*v) {
                        Ok(()) => 1,
                        Err(mpsc::TrySendError::Full(_)) => 2,
                        Err(_) => 3,
                    },
                    _ => 0,
                };
                self.note(sent);
            }
            Do::Receive => {
                let seen = self.receiver.as_ref().map_or(50, |receiver| receiver.recv().unwrap_or(60));
                self.note(seen);
            }
            Do::TryReceive => {
                let seen = self.receiver.as_ref().map_or(50, |receiver| match receiver.try_recv() {
                    Ok(value) => value,
                    Err(mpsc::TryRecvError::Empty) => 70,
                    Err(mpsc::TryRecvError::Disconnected) => 80,
                });
                self.note(seen);
            }
            Do::Barrier => {
                let leads = world.barrier.wait().is_leader();
                self.note(usize::from(leads));
            }
            Do::Once(v) => {
                let me = self.me;
                let seen = *world.once.get_or_init(|| v + 10 * me);
                self.note(seen);
            }
            Do::Get => self.note(world.once.get().copied().unwrap_or(99)),
            Do::Park => thread::park(),
            Do::Unpark => {
                if let Some(other) = self.older.last() {
                    other.unpark();
                }
            }
            Do::Toss(n) => self.note(toss(*n)),
            Do::IfLast(v, inner) => {
                if self.last == *v {
                    self.run(inner);
                }
            }
        }
    }
}

type Outcome = (Vec<Vec<usize>>, Vec<usize>);

/// Runs a program and hands over what its threads have seen and what they leave.
fn run(program: &Program, outcomes: &Plain<BTreeSet<Outcome>>) {
    let (senders, receiver): (Vec<Sending>, _) = if !program.channel {
        (Vec::new(), None)
    } else if program.bounded {
        let (sender, receiver) = mpsc::sync_channel(program.capacity);
        (program.bodies.iter().map(|_| Sending::Bounded(sender.clone())).collect(), Some(receiver))
    } else {
        let (sender, receiver) = mpsc::channel();
        (program.bodies.iter().map(|_| Sending::Free(sender.clone())).collect(), Some(receiver))
    };
    let world = Arc::new(World {
        x: [AtomicUsize::new(0), AtomicUsize::new(0)],
        locks: [Mutex::new(0), Mutex::new(0)],
        shared: RwLock::new(0),
        condvar: Condvar::new(),
        semaphore: Semaphore::new(program.permits),
        barrier: Barrier::new(program.barrier),
        once: OnceLock::new(),
        receiver: Plain::new(receiver),
    });
    let mut handles: Vec<thread::JoinHandle<Vec<usize>>> = Vec::new();
    let mut senders = senders.into_iter();
    for (me, body) in program.bodies.iter().enumerate() {
        let (world, body, sender) = (Arc::clone(&world), body.clone(), senders.next());
        let receiver = if me == 0 { world.receiver.lock().unwrap().take() } else { None };
        let older = handles.iter().map(|handle| handle.thread().clone()).collect();
        let handle = thread::spawn(move || {
            let mut thread = Thread { me, world, sender, receiver, older, last: 0, log: Vec::new() };
            thread.run(&body);
            drop(thread.sender.take());
            thread.log
        });
        handles.push(handle);
    }
    let logs: Vec<Vec<usize>> = handles.into_iter().map(|handle| handle.join().unwrap()).collect();
    let left = world.x.iter().map(|x| x.load(SeqCst)).collect();
    outcomes.lock().unwrap().insert((logs, left));
}

/// The order that an execution fixes: for every two steps that depend on each other, which one is first. Two
/// executions are one trace if they agree.
fn trace(execution: &Execution, capacities: &HashMap<u32, u64>) -> Vec<(u32, usize, Vec<u64>)> {
    let steps = &execution.steps;
    let mut closure: Vec<Vec<bool>> = Vec::new();
    let mut positions: HashMap<u32, usize> = HashMap::new();
    let mut place = Vec::new();
    for step in steps {
        let position = positions.entry(step.thread).or_default();
        place.push(*position);
        *position += 1;
    }
    for later in 0..steps.len() {
        let mut before = vec![false; later];
        for earlier in (0..later).rev() {
            if !before[earlier] && depends(steps, earlier, later, capacities) {
                before[earlier] = true;
                for (place, known) in closure[earlier].iter().enumerate() {
                    before[place] |= known;
                }
            }
        }
        closure.push(before);
    }
    let identity = |step: usize| u64::from(steps[step].thread) << 32 | place[step] as u64;
    let mut result: Vec<(u32, usize, Vec<u64>)> = (0..steps.len())
        .map(|step| {
            let mut past: Vec<u64> = closure[step]
                .iter()
                .enumerate()
                .filter(|(_, before)| **before)
                .map(|(at, _)| identity(at))
                .collect();
            past.sort_unstable();
            past.push(u64::from(steps[step].choice.unwrap_or(0)));
            (steps[step].thread, place[step], past)
        })
        .collect();
    result.sort();
    result
}

fn depends(steps: &[Step], i: usize, j: usize, capacities: &HashMap<u32, u64>) -> bool {
    let (a, b) = (&steps[i], &steps[j]);
    if a.thread == b.thread {
        return true;
    }
    if a.operation == "Spawn" && a.input == u64::from(b.thread) {
        return true;
    }
    if a.object.is_none() || a.object != b.object {
        return false;
    }
    // A wakeup follows the notification that caused it; a barrier is passed after the last arrival.
    let woken =
        |step: &Step| step.operation == "Wake" || (step.operation == "WakeTimeout" && step.output == 0);
    if woken(b) {
        let wakes = |step: &Step| {
            step.object == b.object
                && ((step.operation == "NotifyOne" && step.choice == Some(b.thread))
                    || (step.operation == "NotifyAll" && step.output > 0))
        };
        let enqueued =
            steps[..j].iter().rposition(|s| s.operation == "Wait" && s.thread == b.thread).unwrap();
        let cause = steps[enqueued..j].iter().position(wakes).map(|at| at + enqueued);
        return cause == Some(i);
    }
    if woken(a) || a.operation == "Pass" {
        return false;
    }
    if b.operation == "Pass" {
        return a.operation == "Arrive" && a.output & 1 == 1 && a.output >> 1 == b.input;
    }
    let object = a.object.unwrap();
    if let Some(&capacity) = capacities.get(&object)
        && capacity != 0
    {
        let sent = |s: &Step| matches!(s.operation.as_str(), "Send" | "TrySend") && s.output == 1;
        let got = |s: &Step| matches!(s.operation.as_str(), "Receive" | "TryReceive") && s.output == 1;
        let nth = |at: usize, which: &dyn Fn(&Step) -> bool| {
            steps[..=at].iter().filter(|s| s.object == Some(object) && which(s)).count() as u64
        };
        let (drop_a, drop_b) = (a.operation == "DropSender", b.operation == "DropSender");
        if (sent(a) && sent(b)) || (got(a) && got(b)) {
            return true;
        }
        if sent(a) && got(b) {
            return nth(i, &sent) == nth(j, &got);
        }
        if got(a) && sent(b) {
            return nth(i, &got) + capacity == nth(j, &sent);
        }
        // Who receives without waiting may find out that a sender is gone; who waits, only if he finds nothing.
        let indifferent = |s: &Step| match s.operation.as_str() {
            "Send" | "TrySend" | "DropSender" => true,
            "Receive" => got(s),
            _ => false,
        };
        if (drop_a && indifferent(b)) || (drop_b && indifferent(a)) {
            return false;
        }
        if (sent(a) || got(a)) && (sent(b) || got(b)) {
            return false;
        }
    }
    let looks = |s: &Step| match s.operation.as_str() {
        "Load" | "IsFinished" | "IsDone" | "Join" | "Permits" => true,
        "CompareExchange" => s.before != s.input,
        "Swap" => s.before == s.input,
        "TryLock" | "TryRead" | "TryWrite" | "TryAcquire" | "ParkTimeout" => s.output == 0,
        "NotifyOne" | "NotifyAll" => s.before == 0,
        "Begin" => s.before == 2,
        // At a rendezvous everything depends.
        "Send" | "TrySend" | "Receive" | "TryReceive" => {
            s.output != 1 && capacities.get(&s.object.unwrap()).is_some_and(|capacity| *capacity != 0)
        }
        _ => false,
    };
    if looks(a) && looks(b) {
        return false;
    }
    let adds = |s: &Step| s.operation == "Add";
    let shares = |s: &Step| match s.operation.as_str() {
        "ReadLock" | "ReadUnlock" => true,
        "TryRead" => s.output == 1,
        _ => false,
    };
    !((adds(a) && adds(b)) || (shares(a) && shares(b)))
}

struct Found {
    outcomes: BTreeSet<Outcome>,
    failures: BTreeSet<String>,
    executions: u64,
    redundant: u64,
    traces: BTreeSet<Vec<(u32, usize, Vec<u64>)>>,
    complete: bool,
}

fn explore(program: &Program, method: Method, traces: bool) -> Found {
    let outcomes = Plain::new(BTreeSet::new());
    let mut failures = BTreeSet::new();
    let mut found = BTreeSet::new();
    let capacity = if program.bounded { program.capacity as u64 } else { u64::MAX / 2 };
    let report = Checker::new()
        .method(method)
        .max_failures(0)
        .minimise(false)
        .max_executions(2_000)
        .run_observed(|| run(program, &outcomes), &mut |execution| {
            if execution.redundant {
                return;
            }
            if let Some(kind) = &execution.failure {
                let strange = matches!(kind, FailureKind::Nondeterminism(_));
                assert!(!strange, "{kind}: {method:?}, {program:#?}, {:#?}", execution.steps);
                failures.insert(kind.name().to_owned());
            }
            if traces {
                let channel = |s: &&Step| s.operation.contains("Send") || s.operation.contains("Rece");
                let capacities =
                    execution.steps.iter().filter(channel).map(|s| (s.object.unwrap(), capacity)).collect();
                found.insert(trace(execution, &capacities));
            }
        });
    Found {
        outcomes: outcomes.into_inner().unwrap(),
        failures,
        executions: report.executions,
        redundant: report.redundant,
        traces: found,
        complete: report.limit.is_none(),
    }
}

/// The naive search is the oracle, or sleep sets alone where that takes too long: they ask of the relation only that independent
/// steps commute. `false`: too large to compare.
fn compare(seed: u64) -> bool {
    let program = program(seed);
    let mut oracle = explore(&program, Method::Naive, true);
    if !oracle.complete {
        oracle = explore(&program, Method::Sleep, true);
    }
    if !oracle.complete {
        return false;
    }
    for method in [Method::Optimal, Method::Source, Method::Sleep] {
        let other = explore(&program, method, false);
        let context = format!("program {seed}, {method:?}: {program:#?}");
        assert!(other.complete, "{context}");
        assert_eq!(other.outcomes, oracle.outcomes, "{context}");
        assert_eq!(other.failures, oracle.failures, "{context}");
        assert_eq!(other.executions, oracle.traces.len() as u64, "traces of {context}");
        if method == Method::Optimal {
            assert_eq!(other.redundant, 0, "{context}");
        }
    }
    for threads in [2, 3] {
        let outcomes = Plain::new(BTreeSet::new());
        let together = Checker::new().threads(threads).max_failures(0).minimise(false);
        let together = together.run(|| run(&program, &outcomes));
        let context = format!("program {seed}, {threads} threads: {program:#?}");
        assert_eq!(*outcomes.lock().unwrap(), oracle.outcomes, "{context}");
        assert_eq!(together.executions, oracle.traces.len() as u64, "traces of {context}");
        let kinds: BTreeSet<String> = together.failures.iter().map(|f| f.kind.name().to_owned()).collect();
        assert_eq!(kinds, oracle.failures, "{context}");
    }
    true
}

/// Which part of a search several threads of the machine do is not the same every time: only many times show what goes wrong.
fn together_again_and_again(from: u64, to: u64) {
    for seed in from..to {
        let program = program(seed);
        let alone = explore(&program, Method::Optimal, false);
        if !alone.complete || alone.executions < 4 {
            continue;
        }
        for time in 0..40 {
            let outcomes = Plain::new(BTreeSet::new());
            let together = Checker::new().threads(2 + time % 3).max_failures(0).minimise(false);
            let together = together.run(|| run(&program, &outcomes));
            let context = format!("program {seed}, {} threads: {program:#?}", 2 + time % 3);
            assert_eq!(together.executions, alone.executions, "{context}");
            assert_eq!(*outcomes.lock().unwrap(), alone.outcomes, "{context}");
        }
    }
}

fn campaign(from: u64, to: u64) {
    let compared = (from..to).filter(|&seed| compare(seed)).count() as u64;
    assert!(compared * 2 >= to - from, "only {compared} programs were small enough");
}

#[test]
fn a_few_hundred_programs() {
    campaign(0, 150);
    // Programs that found defects once: outcomes of a toss behind a race, and of a notification.
    campaign(1789, 1790);
    campaign(8623, 8624);
    // A receive that doesn't wait, and a sender that is gone.
    campaign(30_295, 30_296);
    // What a step becomes behind the steps that come with it.
    campaign(2326, 2327);
    together_again_and_again(40_000, 40_020);
    // A sequence inserted while others were at work hid what came later.
    (0..40).for_each(|_| together_again_and_again(20_405, 20_406));
}

/// `cargo test --release -p mazurka-live --test random -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn twenty_thousand_programs() {
    campaign(1_000, 21_000);
}

/// `cargo test --release -p mazurka-live --test random -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_programs_together() {
    together_again_and_again(30_000, 31_000);
}
