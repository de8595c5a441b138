//! Programs that don't do the same under the same schedule: what was expected, and what was seen.

use super::dfs::Node;
use crate::runtime::Runtime;
use crate::runtime::operation::Access;

/// Why a step from a tree can't be what its thread does next.
pub(super) fn misses(step: &Access, runtime: &Runtime) -> Option<String> {
    let thread = runtime.threads.get(step.thread as usize).filter(|thread| thread.alive);
    let Some(thread) = thread else {
        return Some(format!("thread {} was there before, and is not now", step.thread));
    };
    let operation = &thread.pending;
    (operation.object != step.object).then(|| {
        format!(
            "thread {} used object {} next before, and now performs {:?} on object {} at {}",
            step.thread, step.object.0, operation.kind, operation.object.0, operation.location
        )
    })
}

/// How a program differs from what it did before.
pub(super) fn differs(node: &Node, runtime: &Runtime) -> Option<String> {
    let step = &node.step;
    let thread = runtime.threads.get(step.thread as usize).filter(|thread| thread.alive);
    let Some(thread) = thread else {
        return Some(format!("thread {} was there before, and is not now", step.thread));
    };
    let operation = &thread.pending;
    if operation.object != step.object || node.kind.is_some_and(|kind| operation.kind != kind) {
        let before = node.kind.map_or_else(|| "something".to_owned(), |kind| format!("{kind:?}"));
        return Some(format!(
            "thread {} performed {before} on object {} before, and now {:?} on object {} at {}",
            step.thread, step.object.0, operation.kind, operation.object.0, operation.location
        ));
    }
    if !runtime.enabled(step.thread) || !runtime.possible(step.thread, step.choice) {
        return Some(format!(
            "{:?} of thread {} at {} was possible before, and is not now",
            operation.kind, step.thread, operation.location
        ));
    }
    None
}
