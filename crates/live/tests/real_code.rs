//! Real code: small ports of published lock-free structures and channels to the types of this crate, and well-known
//! concurrency bugs made again. The book's chapter on real code tells what was found.

use mazurka_live::cell::{Tracked, UnsafeCell};
use mazurka_live::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use mazurka_live::sync::{Condvar, Mutex};
use mazurka_live::{Checker, FailureKind, Report, Verdict, assert_sometimes, hint, thread};
use std::mem::MaybeUninit;
use std::sync::Arc;

const SC: Ordering = Ordering::SeqCst;

fn holds(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().run(f);
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
    tell(&report);
    report
}

fn fails(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().run(f);
    assert_eq!(report.verdict, Verdict::Violated, "{report}");
    tell(&report);
    report
}

/// For the book: `-- --nocapture` shows it.
fn tell(report: &Report) {
    let name = std::thread::current().name().unwrap_or("").to_owned();
    println!(
        "{name}: {:?}, {} executions, {:.1} ms",
        report.verdict,
        report.executions,
        report.time.as_secs_f64() * 1e3
    );
}

mod array_queue {
    //! The bounded queue of crossbeam-queue (Vyukov's), ported: slots with stamps, one compare-and-exchange for
    //! each push and pop.
    use super::*;

    struct Slot {
        stamp: AtomicUsize,
        value: UnsafeCell<MaybeUninit<usize>>,
    }

    pub struct ArrayQueue {
        head: AtomicUsize,
        tail: AtomicUsize,
        slots: Vec<Slot>,
        one_lap: usize,
        published: Ordering,
    }

    unsafe impl Sync for ArrayQueue {}
    unsafe impl Send for ArrayQueue {}

    impl ArrayQueue {
        /// `published` is the ordering with which a filled slot is announced; `Release` is the right one.
        pub fn new(capacity: usize, published: Ordering) -> ArrayQueue {
            let slots = (0..capacity)
                .map(|stamp| Slot {
                    stamp: AtomicUsize::new(stamp),
                    value: UnsafeCell::new(MaybeUninit::uninit()),
                })
                .collect();
            let one_lap = (capacity + 1).next_power_of_two();
            ArrayQueue { head: AtomicUsize::new(0), tail: AtomicUsize::new(0), slots, one_lap, published }
        }

        fn next(&self, position: usize) -> usize {
            let (index, lap) = (position & (self.one_lap - 1), position & !(self.one_lap - 1));
            if index + 1 < self.slots.len() { position + 1 } else { lap.wrapping_add(self.one_lap) }
        }

        pub fn push(&self, value: usize) -> Result<(), usize> {
            let mut tail = self.tail.load(Ordering::Relaxed);
            loop {
                let slot = &self.slots[tail & (self.one_lap - 1)];
                let stamp = slot.stamp.load(Ordering::Acquire);
                if tail == stamp {
                    match self.tail.compare_exchange_weak(tail, self.next(tail), SC, Ordering::Relaxed) {
                        Ok(_) => {
                            slot.value.with_mut(|place| unsafe { (*place).write(value) });
                            slot.stamp.store(tail + 1, self.published);
                            return Ok(());
                        }
                        Err(seen) => tail = seen,
                    }
                } else if stamp.wrapping_add(self.one_lap) == tail + 1 {
                    let head = self.head.load(Ordering::Relaxed);
                    if head.wrapping_add(self.one_lap) == tail {
                        return Err(value);
                    }
                    hint::spin_loop();
                    tail = self.tail.load(Ordering::Relaxed);
                } else {
                    hint::spin_loop();
                    tail = self.tail.load(Ordering::Relaxed);
                }
            }
        }

        pub fn pop(&self) -> Option<usize> {
            let mut head = self.head.load(Ordering::Relaxed);
            loop {
                let slot = &self.slots[head & (self.one_lap - 1)];
                let stamp = slot.stamp.load(Ordering::Acquire);
                if head + 1 == stamp {
                    match self.head.compare_exchange_weak(head, self.next(head), SC, Ordering::Relaxed) {
                        Ok(_) => {
                            let value = slot.value.with(|place| unsafe { (*place).assume_init() });
                            slot.stamp.store(head.wrapping_add(self.one_lap), Ordering::Release);
                            return Some(value);
                        }
                        Err(seen) => head = seen,
                    }
                } else if stamp == head {
                    let tail = self.tail.load(Ordering::Relaxed);
                    if tail == head {
                        return None;
                    }
                    hint::spin_loop();
                    head = self.head.load(Ordering::Relaxed);
                } else {
                    hint::spin_loop();
                    head = self.head.load(Ordering::Relaxed);
                }
            }
        }
    }

    fn two_producers(published: Ordering) -> impl Fn() + Sync {
        move || {
            let queue = Arc::new(ArrayQueue::new(2, published));
            let producers: Vec<_> = (1..=2)
                .map(|value| {
                    let queue = Arc::clone(&queue);
                    thread::spawn(move || queue.push(value).unwrap())
                })
                .collect();
            let early = queue.pop();
            assert_sometimes!(early.is_some());
            for producer in producers {
                producer.join().unwrap();
            }
            let mut seen: Vec<usize> = early.into_iter().chain(std::iter::from_fn(|| queue.pop())).collect();
            seen.sort_unstable();
            assert_eq!(seen, [1, 2], "nothing is lost and nothing comes twice");
        }
    }

    /// The loop of `pop` reads three variables, so it is cut where it only goes round and round.
    fn checker() -> Checker {
        Checker::new().max_steps(60)
    }

    #[test]
    fn nothing_is_lost() {
        let report = checker().max_executions(20_000).run(two_producers(Ordering::Release));
        assert!(report.failures.is_empty(), "{report}");
        tell(&report);
    }

    #[test]
    fn a_slot_announced_too_weakly_is_a_data_race() {
        let report = checker().run(two_producers(Ordering::Relaxed));
        assert!(matches!(report.failures[0].kind, FailureKind::DataRace(_)), "{report}");
        tell(&report);
    }
}

mod oneshot {
    //! A channel for one message in the manner of the crate `oneshot`: a state byte, and a parked receiver.
    use super::*;

    const EMPTY: usize = 0;
    const WAITING: usize = 1;
    const FULL: usize = 2;

    struct Shared {
        state: AtomicUsize,
        value: Tracked<usize>,
        receiver: Mutex<Option<thread::Thread>>,
    }

    /// `looks_again`: whether the receiver announces itself by compare-and-exchange, as it must.
    fn program(looks_again: bool) -> impl Fn() + Sync {
        move || {
            let shared = Arc::new(Shared {
                state: AtomicUsize::new(EMPTY),
                value: Tracked::new(0),
                receiver: Mutex::new(None),
            });
            let other = Arc::clone(&shared);
            let sender = thread::spawn(move || {
                other.value.set(7);
                if other.state.swap(FULL, Ordering::AcqRel) == WAITING
                    && let Some(receiver) = other.receiver.lock().unwrap().take()
                {
                    receiver.unpark();
                }
            });
            if shared.state.load(Ordering::Acquire) == EMPTY {
                *shared.receiver.lock().unwrap() = Some(thread::current());
                let announced = if looks_again {
                    shared.state.compare_exchange(EMPTY, WAITING, Ordering::AcqRel, Ordering::Acquire).is_ok()
                } else {
                    shared.state.store(WAITING, Ordering::Release);
                    true
                };
                while announced && shared.state.load(Ordering::Acquire) != FULL {
                    thread::park();
                }
            }
            assert_eq!(shared.value.get(), 7);
            sender.join().unwrap();
        }
    }

    #[test]
    fn the_message_arrives() {
        holds(program(true));
    }

    #[test]
    fn a_message_that_is_overwritten_is_waited_for() {
        let report = fails(program(false));
        assert_eq!(report.failures[0].kind, FailureKind::LostWakeup, "{report}");
    }
}

mod treiber {
    //! A stack in the manner of crossbeam-epoch's examples (Treiber 1986), with nodes that stay allocated, and
    //! the same with nodes that are used again: the ABA problem.
    use super::*;

    struct Node {
        value: usize,
        next: AtomicPtr<Node>,
    }

    struct Stack {
        head: AtomicPtr<Node>,
    }

    impl Stack {
        fn push(&self, node: *mut Node) {
            loop {
                let head = self.head.load(SC);
                // The node is this thread's own until it is in the stack.
                unsafe { (*node).next.store(head, SC) };
                if self.head.compare_exchange(head, node, SC, SC).is_ok() {
                    return;
                }
            }
        }

        fn pop(&self) -> *mut Node {
            loop {
                let head = self.head.load(SC);
                if head.is_null() {
                    return head;
                }
                // Nodes are freed after the test only.
                let next = unsafe { (*head).next.load(SC) };
                if self.head.compare_exchange(head, next, SC, SC).is_ok() {
                    return head;
                }
            }
        }
    }

    #[derive(Copy, Clone)]
    struct Nodes([*mut Node; 3]);
    unsafe impl Send for Nodes {}
    unsafe impl Sync for Nodes {}

    /// One thread pops; another pops two and pushes the first one back, if nodes are used again.
    fn program(used_again: bool) -> impl Fn() + Sync {
        move || {
            let make =
                |value| Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(std::ptr::null_mut()) }));
            let nodes = Nodes([make(1), make(2), make(3)]);
            let stack = Arc::new(Stack { head: AtomicPtr::new(std::ptr::null_mut()) });
            stack.push(nodes.0[1]);
            stack.push(nodes.0[0]);
            let other = Arc::clone(&stack);
            let thief = thread::spawn(move || {
                let nodes = nodes;
                let first = other.pop();
                let second = other.pop();
                if first.is_null() || second.is_null() {
                    return usize::from(!first.is_null());
                }
                other.push(if used_again { first } else { nodes.0[2] });
                1
            });
            let mine = usize::from(!stack.pop().is_null());
            let taken = mine + thief.join().unwrap();
            let mut left = 0;
            while !stack.pop().is_null() {
                left += 1;
                assert!(left < 4, "the stack goes round in a circle");
            }
            assert_eq!(taken + left, 2, "two nodes can be had");
            for node in nodes.0 {
                // Nobody else runs any more.
                let node = unsafe { Box::from_raw(node) };
                assert!(node.value > 0);
            }
        }
    }

    #[test]
    fn nodes_used_again_break_the_stack() {
        let report = fails(program(true));
        assert!(report.failures[0].to_string().contains("two nodes can be had"), "{report}");
    }

    #[test]
    fn nodes_that_are_new_do_not() {
        holds(program(false));
    }
}

mod double_checked_locking {
    //! Famous bug 1: lazy initialisation with a flag that doesn't synchronise (Bacon et al., "The double-checked
    //! locking is broken" declaration).
    use super::*;

    fn program(load: Ordering, store: Ordering) -> impl Fn() + Sync {
        move || {
            let shared = Arc::new((AtomicBool::new(false), Mutex::new(()), Tracked::new(0)));
            let get = move |shared: &(AtomicBool, Mutex<()>, Tracked<i32>)| {
                if !shared.0.load(load) {
                    let _guard = shared.1.lock().unwrap();
                    if !shared.0.load(load) {
                        shared.2.set(42);
                        shared.0.store(true, store);
                    }
                }
                shared.2.get()
            };
            let other = Arc::clone(&shared);
            let thread = thread::spawn(move || get(&other));
            assert_eq!(get(&shared), 42);
            assert_eq!(thread.join().unwrap(), 42);
        }
    }

    #[test]
    fn broken_without_synchronisation() {
        let report = fails(program(Ordering::Relaxed, Ordering::Relaxed));
        assert!(matches!(report.failures[0].kind, FailureKind::DataRace(_)), "{report}");
    }

    #[test]
    fn right_with_acquire_and_release() {
        holds(program(Ordering::Acquire, Ordering::Release));
    }
}

mod bounded_buffer {
    //! Famous bug 2: a bounded buffer with one condition variable and `notify_one` (the one that Extreme Programming
    //! Challenge 14 was about): a notification can reach a thread of the wrong sort, and all sleep.
    use super::*;

    struct Buffer {
        count: Mutex<usize>,
        changed: Condvar,
        all: bool,
    }

    impl Buffer {
        fn change(&self, can: impl Fn(usize) -> bool, by: impl Fn(usize) -> usize) {
            let mut count = self.count.lock().unwrap();
            while !can(*count) {
                count = self.changed.wait(count).unwrap();
            }
            *count = by(*count);
            if self.all {
                self.changed.notify_all();
            } else {
                self.changed.notify_one();
            }
        }
    }

    fn program(all: bool) -> impl Fn() + Sync {
        move || {
            let buffer = Arc::new(Buffer { count: Mutex::new(0), changed: Condvar::new(), all });
            let start = |put: bool, times: usize| {
                let buffer = Arc::clone(&buffer);
                thread::spawn(move || {
                    for _ in 0..times {
                        if put {
                            buffer.change(|count| count < 1, |count| count + 1);
                        } else {
                            buffer.change(|count| count > 0, |count| count - 1);
                        }
                    }
                })
            };
            let threads = [start(true, 2), start(false, 1), start(false, 1)];
            for thread in threads {
                thread.join().unwrap();
            }
        }
    }

    #[test]
    fn notify_one_is_not_enough() {
        let report = fails(program(false));
        assert_eq!(report.failures[0].kind, FailureKind::LostWakeup);
    }

    #[test]
    fn notify_all_is() {
        holds(program(true));
    }
}
