//! Threads as coroutines: stacks from a pool, switching, and borrowed closures.
//!
//! All unsafe code of the run time is in this file, and rests on three facts. A fiber is only ever suspended
//! by its own body, so its yielder is alive then. A closure that is borrowed from a caller is finished,
//! or its stack discarded without running it again, before that caller goes on: [`erase`] says who sees to
//! it. A stack that is reset is not looked at again; what its values own is leaked.

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::Cell;

type Fiber = Coroutine<(), (), (), DefaultStack>;

/// What a thread runs.
pub(crate) type Body = Box<dyn FnOnce()>;

thread_local! {
    /// The yielder of the fiber that runs.
    static YIELDER: Cell<*const Yielder<(), ()>> = const { Cell::new(std::ptr::null()) };
}

/// How many stacks a thread of the machine keeps from one check to the next.
const KEPT: usize = 64;

thread_local! {
    /// Stacks that no check uses, and their size.
    static SPARE: Cell<(usize, Vec<DefaultStack>)> = const { Cell::new((0, Vec::new())) };
}

/// The fibers of an execution, by the number of the thread, and the stacks that wait for the next.
pub(crate) struct Fibers {
    slots: Vec<Option<(Fiber, *const Yielder<(), ()>)>>,
    stacks: Vec<DefaultStack>,
    stack_size: usize,
    /// The most that were in use together.
    pub(crate) most: usize,
    used: usize,
}

impl Fibers {
    pub(crate) fn new(stack_size: usize) -> Fibers {
        let (size, spare) = SPARE.take();
        let stacks = if size == stack_size { spare } else { Vec::new() };
        Fibers { slots: Vec::new(), stacks, stack_size, most: 0, used: 0 }
    }

    /// Makes a fiber that has not started.
    pub(crate) fn create(&mut self, thread: u32, body: Body) {
        let index = thread as usize;
        while self.slots.len() <= index {
            self.slots.push(None);
        }
        let stack = self.stacks.pop().unwrap_or_else(|| {
            DefaultStack::new(self.stack_size).expect("no memory is left for another stack")
        });
        self.used += 1;
        self.most = self.most.max(self.used);
        let fiber = Coroutine::with_stack(stack, move |yielder, ()| {
            YIELDER.set(yielder);
            body();
        });
        self.slots[index] = Some((fiber, std::ptr::null()));
    }

    /// Runs a fiber until it suspends; `true` if it is at its end.
    pub(crate) fn resume(&mut self, thread: u32) -> bool {
        let slot = &mut self.slots[thread as usize];
        let Some((fiber, yielder)) = slot else { return true };
        YIELDER.set(*yielder);
        match fiber.resume(()) {
            CoroutineResult::Yield(()) => {
                *yielder = YIELDER.get();
                false
            }
            CoroutineResult::Return(()) => {
                if let Some((fiber, _)) = slot.take() {
                    self.stacks.push(fiber.into_stack());
                    self.used -= 1;
                }
                true
            }
        }
    }

    /// The fibers that are not at their end, the youngest first.
    pub(crate) fn unfinished(&self, thread: u32) -> bool {
        self.slots.get(thread as usize).is_some_and(Option::is_some)
    }

    /// Discards a fiber with all that is on its stack.
    pub(crate) fn discard(&mut self, thread: u32) {
        if let Some((mut fiber, _)) = self.slots[thread as usize].take() {
            // SAFETY: nothing refers to this stack: what other fibers borrowed from it has been unwound or
            // discarded before, because the youngest go first, and none of them runs again.
            unsafe { fiber.force_reset() };
            self.stacks.push(fiber.into_stack());
            self.used -= 1;
        }
    }
}

impl Drop for Fibers {
    fn drop(&mut self) {
        let mut stacks = std::mem::take(&mut self.stacks);
        stacks.truncate(KEPT);
        // A check on a thread that is being torn down keeps nothing.
        let _ = SPARE.try_with(|spare| spare.set((self.stack_size, stacks)));
    }
}

/// Suspends the running fiber.
pub(crate) fn suspend() {
    let yielder = YIELDER.get();
    assert!(!yielder.is_null(), "not in a thread under control");
    // SAFETY: the pointer was set when this fiber was resumed or started, by the fiber that runs now, whose
    // yielder lives on its own stack as long as its body runs.
    unsafe { (*yielder).suspend(()) }
    YIELDER.set(yielder);
}

/// Takes a closure for one that borrows nothing.
///
/// # Safety
///
/// The caller must not go on, return or unwind before the fiber that runs it is at its end or discarded.
pub(crate) unsafe fn erase<'a>(body: Box<dyn FnOnce() + 'a>) -> Body {
    // SAFETY: only the lifetime changes, and the caller promises that the borrowed values outlive the fiber.
    unsafe { std::mem::transmute::<Box<dyn FnOnce() + 'a>, Body>(body) }
}
