//! The predicates are asked at every state, so they must not allocate.

use mazurka_model::object::library;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` comes from `alloc` above, hence from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn predicates_do_not_allocate() {
    let mut asked = 0;
    for object in library() {
        let domain = object.domain();
        let before = ALLOCATIONS.get();
        for value in &domain.compared {
            for a in &domain.operations {
                for b in domain.operations.iter().filter(|b| b.process != a.process) {
                    let (x, y) = (object.unrefined(a), object.unrefined(b));
                    asked += usize::from(object.dependent(a, b, value));
                    asked += usize::from(object.interacts(a, b, value));
                    asked += usize::from(object.constant(a, b));
                    asked += usize::from(object.interacts(&x, &y, value));
                }
            }
        }
        assert_eq!(ALLOCATIONS.get(), before, "{object:?}");
    }
    assert!(asked > 0);
    let before = ALLOCATIONS.get();
    assert_eq!(vec![asked].len(), 1);
    assert!(ALLOCATIONS.get() > before, "the allocator counts");
}
