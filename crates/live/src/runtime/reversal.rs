//! What reversing races asks of the relation between events, checked for every kind of object in every state that a few operations lead to.
//!
//! Races are found in one order of independent events and reversed in all (Abdulla, Aronis, Jonsson and Sagonas 2017, section 3.1, property 7):
//! if an event precedes the next event of a thread, then it does so with an event of a third thread in between. A relation
//! in which an operation depends on less once something else has happened loses executions, however true it is that
//! independent events commute.

use super::Runtime;
use super::object::{Shape, writer};
use super::operation::{Access, Class, Event, Kind, NONE, Operation, related};
use mazurka_model::ObjectId;
use std::panic::Location;

const THREADS: u32 = 3;

/// A step that a thread may take: who, what, with which operands.
type Move = (u32, Kind, u64, u64);

/// An object that three threads use.
struct Scene {
    shape: Shape,
    state: u64,
    moves: Vec<Move>,
    /// How many operations come first, at most.
    before: usize,
}

fn scene(shape: Shape, state: u64, before: usize, kinds: &[(Kind, u64, u64)]) -> Scene {
    let threads = 0..THREADS;
    let moves =
        threads.flat_map(|thread| kinds.iter().map(move |&(kind, a, b)| (thread, kind, a, b))).collect();
    Scene { shape, state, moves, before }
}

/// Whether a program can ask for this: only who has something releases it.
fn sensible(runtime: &Runtime, (thread, kind, ..): Move) -> bool {
    let object = &runtime.objects[0];
    let last = |kinds: &[Kind]| {
        let own = runtime.events.iter().rev().filter(|event| event.access.thread == thread);
        own.map(|event| event.operation.kind).find(|kind| kinds.contains(kind))
    };
    match kind {
        Kind::Unlock => object.state == u64::from(thread) + 1,
        Kind::WriteUnlock => writer(object.state) == u64::from(thread) + 1,
        Kind::ReadUnlock => object.threads.contains(&thread),
        Kind::ReadLock | Kind::WriteLock => {
            !object.threads.contains(&thread) && writer(object.state) != u64::from(thread) + 1
        }
        // A thread that has dropped its sender, or the receiver, does nothing with it any more.
        Kind::Send | Kind::TrySend | Kind::DropSender => last(&[Kind::DropSender]).is_none(),
        Kind::Receive | Kind::TryReceive | Kind::DropReceiver => last(&[Kind::DropReceiver]).is_none(),
        Kind::End | Kind::Cancel => {
            let began = last(&[Kind::Begin, Kind::End, Kind::Cancel]) == Some(Kind::Begin);
            began && object.state == 1 && {
                let own = |event: &&Event| event.access.class == Class::Write;
                runtime.events.iter().rev().find(own).is_some_and(|event| event.access.thread == thread)
            }
        }
        Kind::Wait => !waits(runtime, thread),
        Kind::Wake | Kind::WakeTimeout => waits(runtime, thread),
        _ => true,
    }
}

/// Whether a thread has joined those who wait for a condition variable, and not left them.
fn waits(runtime: &Runtime, thread: u32) -> bool {
    let own = runtime.events.iter().rev().find(|event| event.access.thread == thread);
    own.is_some_and(|event| event.operation.kind == Kind::Wait)
}

/// An event, and the one that it follows by name.
#[derive(Copy, Clone)]
struct Happened {
    access: Access,
    event: u32,
    cause: u32,
}

fn precedes(a: &Happened, b: &Happened) -> bool {
    related(&a.access, &b.access) || b.cause == a.event
}

/// Takes a step. `None` if it can't be taken.
fn perform(runtime: &mut Runtime, step: Move) -> Option<Happened> {
    let (thread, kind, operand, second) = step;
    if !sensible(runtime, step) {
        return None;
    }
    let operation = Operation { second, ..Operation::with(kind, ObjectId(0), operand) };
    runtime.threads[thread as usize].pending = operation;
    if !runtime.enabled(thread) {
        return None;
    }
    let event = runtime.events.len() as u32;
    let access = runtime.access(thread, runtime.alternative(thread, 0));
    let signal = runtime.threads[thread as usize].signal;
    let named = access.class == Class::Local && matches!(kind, Kind::Wake | Kind::WakeTimeout);
    let before = runtime.objects[0].state;
    let outcome = runtime.effect(&operation, &access, event);
    if matches!(kind, Kind::Update | Kind::Add) {
        runtime.objects[0].state += 1;
    }
    runtime.objects[0].record(event, access.class);
    runtime.events.push(Event { access, position: 1, operation, before, outcome, time: 0 });
    Some(Happened { access, event, cause: if named { signal } else { NONE } })
}

/// The object after these steps. `None` if they can't be taken.
fn after<'r>(runtime: &'r mut Runtime, scene: &Scene, steps: &[Move]) -> Option<&'r mut Runtime> {
    let here = Location::caller();
    runtime.begin(here);
    for thread in 0..THREADS {
        runtime.bear(thread, NONE, 0, here);
        runtime.threads[thread as usize].signal = NONE;
    }
    runtime.objects.truncate(1);
    runtime.objects[0].reset(scene.shape, scene.state, here);
    runtime.objects[0].senders = THREADS - 1;
    steps.iter().all(|step| perform(runtime, *step).is_some()).then_some(runtime)
}

/// How many triples were looked at.
fn check(scene: &Scene) -> usize {
    let mut runtime = Runtime::new();
    runtime.objects.push(super::object::Object::new());
    let mut compared = 0;
    let mut prefixes: Vec<Vec<Move>> = vec![Vec::new()];
    let mut next = 0;
    while next < prefixes.len() {
        let prefix = prefixes[next].clone();
        next += 1;
        for &first in &scene.moves {
            let Some(at) = after(&mut runtime, scene, &prefix) else { continue };
            if perform(at, first).is_none() {
                continue;
            }
            if prefix.len() < scene.before {
                prefixes.push(prefix.iter().copied().chain([first]).collect());
            }
            for &second in scene.moves.iter().filter(|second| second.0 != first.0) {
                let Some(at) = after(&mut runtime, scene, &prefix) else { continue };
                let (Some(a), Some(b)) = (perform(at, first), perform(at, second)) else { continue };
                if !precedes(&a, &b) {
                    continue;
                }
                for &between in scene.moves.iter().filter(|it| it.0 != first.0 && it.0 != second.0) {
                    let Some(at) = after(&mut runtime, scene, &prefix) else { continue };
                    let (Some(a), Some(c), Some(b)) =
                        (perform(at, first), perform(at, between), perform(at, second))
                    else {
                        continue;
                    };
                    compared += 1;
                    assert!(
                        precedes(&a, &b) || (precedes(&a, &c) && precedes(&c, &b)),
                        "{:?} after {prefix:?}: {first:?} precedes {second:?}, but not with {between:?} in between",
                        scene.shape
                    );
                }
            }
        }
    }
    compared
}

#[test]
fn what_precedes_a_step_does_so_with_another_in_between() {
    use Kind::*;
    let none = |kinds: &[Kind]| -> Vec<(Kind, u64, u64)> { kinds.iter().map(|&kind| (kind, 0, 0)).collect() };
    let mut scenes = vec![
        scene(
            Shape::Atomic,
            0,
            2,
            &[
                (Load, 0, 0),
                (Store, 0, 0),
                (Store, 1, 0),
                (Swap, 1, 0),
                (CompareExchange, 0, 1),
                (CompareExchange, 1, 2),
                (Update, 0, 0),
                (Add, 1, 0),
            ],
        ),
        scene(Shape::Mutex, 0, 3, &none(&[Lock, TryLock, Unlock])),
        scene(Shape::RwLock, 0, 3, &none(&[ReadLock, TryRead, ReadUnlock, WriteLock, TryWrite, WriteUnlock])),
        scene(
            Shape::Semaphore,
            1,
            3,
            &[(Acquire, 1, 0), (TryAcquire, 1, 0), (TryAcquire, 2, 0), (Release, 1, 0), (Permits, 0, 0)],
        ),
        scene(Shape::Once, 0, 3, &none(&[Begin, End, Cancel, IsDone])),
        scene(Shape::Token, 0, 3, &none(&[Park, ParkTimeout, Unpark])),
        scene(Shape::Condvar, 0, 3, &none(&[Wait, Wake, WakeTimeout, NotifyOne, NotifyAll])),
    ];
    for capacity in [1, 2, u32::MAX] {
        let senders = [0, 2]
            .into_iter()
            .flat_map(|thread| [Send, TrySend, DropSender].into_iter().map(move |kind| (thread, kind, 0, 0)));
        let receiver = [Receive, TryReceive, DropReceiver].into_iter().map(|kind| (1, kind, 0, 0));
        let moves = senders.chain(receiver).collect();
        scenes.push(Scene { shape: Shape::Channel(capacity), state: 0, moves, before: 4 });
    }
    for scene in &scenes {
        let compared = check(scene);
        assert!(compared > 50, "only {compared} triples of {:?} were looked at", scene.shape);
    }
}
