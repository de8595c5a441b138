//! The relation between events and the object library: what the library calls dependent in a value, is dependent here.
//!
//! The library's relations are derived from the semantics of its objects, so a class that is too small here would be noticed. What
//! the library calls independent may still be dependent here: the relation between events knows no values but outcomes.

use super::object::{Object, Shape, channel_state};
use super::operation::{Access, Kind, NONE, Operation, related};
use super::semantics::{class_in, enabled_in, looks};
use mazurka_model::ObjectId;
use mazurka_model::object::{ObjectType, fifo, mutex, rwlock, semaphore, variable};

/// The library's operation as one of ours: the kind, and its operand.
type Translation = fn(&mazurka_model::Operation) -> Option<(Kind, u64)>;

fn compare(
    library: &dyn ObjectType,
    shape: Shape,
    state: fn(&[i64]) -> u64,
    translate: Translation,
) -> usize {
    let domain = library.domain();
    let mut object = Object::new();
    let mut compared = 0;
    let mut next = Vec::new();
    for value in &domain.compared {
        let here = state(value);
        object.reset(shape, here, std::panic::Location::caller());
        let event = |operation: &mazurka_model::Operation| {
            let (kind, operand) = translate(operation)?;
            let ours = Operation { operand, ..Operation::new(kind, ObjectId(0)) };
            let (class, number) = class_in(&ours, &object, here)?;
            let (thread, room) = (u32::from(operation.process.0), NONE);
            let looks = looks(kind, class);
            let access = Access { thread, object: ObjectId(0), class, number, room, looks, choice: NONE };
            Some((enabled_in(&ours, &object, here), access))
        };
        for a in &domain.operations {
            let Some((enabled, ours)) = event(a) else { continue };
            let defined = library.apply(value, a, &mut next).is_some();
            // Only its holder can be asked to release something, which programs see to and states don't.
            let releases =
                matches!(translate(a), Some((Kind::Unlock | Kind::ReadUnlock | Kind::WriteUnlock, _)));
            let recursive = shape == Shape::RwLock && enabled && !defined;
            assert!(enabled == defined || releases || recursive, "{} {a:?} in {value:?}", library.name());
            for b in domain.operations.iter().filter(|b| b.process != a.process) {
                let Some((_, theirs)) = event(b) else { continue };
                let both = defined && library.apply(value, b, &mut next).is_some();
                if both && library.dependent(a, b, value) {
                    assert!(related(&ours, &theirs), "{}: {a:?} and {b:?} in {value:?}", library.name());
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn what_the_library_calls_dependent_is_dependent() {
    let one = |value: &[i64]| value[0] as u64;
    let mutexes = compare(&mutex::Mutex, Shape::Mutex, one, |operation| match operation.kind {
        mutex::LOCK => Some((Kind::Lock, 0)),
        mutex::UNLOCK => Some((Kind::Unlock, 0)),
        mutex::TRY_LOCK => Some((Kind::TryLock, 0)),
        _ => None,
    });
    let both = |value: &[i64]| (value[1] as u64) << 32 | u64::from(value[0].count_ones());
    let rwlocks = compare(&rwlock::RwLock, Shape::RwLock, both, |operation| match operation.kind {
        rwlock::ACQUIRE_READ => Some((Kind::ReadLock, 0)),
        rwlock::RELEASE_READ => Some((Kind::ReadUnlock, 0)),
        rwlock::ACQUIRE_WRITE => Some((Kind::WriteLock, 0)),
        rwlock::RELEASE_WRITE => Some((Kind::WriteUnlock, 0)),
        _ => None,
    });
    let library = semaphore::Semaphore { initial: 1 };
    let semaphores = compare(&library, Shape::Semaphore, one, |operation| match operation.kind {
        semaphore::WAIT => Some((Kind::Acquire, 1)),
        semaphore::SIGNAL => Some((Kind::Release, 1)),
        semaphore::VALUE => Some((Kind::Permits, 0)),
        _ => None,
    });
    let variables = compare(&variable::Variable, Shape::Atomic, one, |operation| match operation.kind {
        variable::READ => Some((Kind::Load, 0)),
        variable::WRITE => Some((Kind::Store, operation.operands[0].known()? as u64)),
        variable::ADD => Some((Kind::Add, operation.operands[0].known()? as u64)),
        _ => None,
    });
    for (what, count) in
        [("mutex", mutexes), ("rwlock", rwlocks), ("semaphore", semaphores), ("variable", variables)]
    {
        assert!(count > 0, "nothing of {what} was compared");
    }
    for capacity in 1..=3 {
        let length = |value: &[i64]| channel_state(value.len() as u64, 0, false, false);
        let shape = Shape::Channel(capacity as u32);
        let compared = compare(&fifo::Fifo { capacity }, shape, length, |operation| match operation.kind {
            fifo::SEND => Some((Kind::Send, 0)),
            fifo::RECEIVE => Some((Kind::Receive, 0)),
            _ => None,
        });
        assert!(compared > 0, "nothing of a channel was compared");
    }
}
