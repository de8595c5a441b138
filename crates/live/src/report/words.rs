//! Operations and objects in words.

use crate::runtime::Runtime;
use crate::runtime::object::{Shape, readers, writer};
use crate::runtime::operation::{Event, Kind, NO_OBJECT, NONE, Operation};
use mazurka_model::ObjectId;
use std::panic::Location;

/// A place in the source; nothing for what happens inside of this crate, such as the end of a guard, where Rust doesn't tell the caller.
pub(crate) fn place(location: &Location<'_>) -> String {
    let own = file!().strip_suffix("report/words.rs");
    if own.is_some_and(|own| location.file().starts_with(own)) {
        return String::new();
    }
    format!("{}:{}", location.file(), location.line())
}

/// The name of a thread.
pub(crate) fn thread(runtime: &Runtime, number: u32) -> String {
    match &runtime.threads[number as usize].name {
        Some(name) => name.clone(),
        None if number == 0 => "main".to_owned(),
        None => format!("thread {number}"),
    }
}

/// The name of an object: its type, and which one of that type.
pub(crate) fn object(runtime: &Runtime, id: ObjectId) -> String {
    let shape = runtime.objects[id.index()].shape;
    match shape {
        Shape::Thread | Shape::Token => {
            let owner = runtime.born.iter().copied().find(|&number| {
                let it = &runtime.threads[number as usize];
                it.life == id || it.token == id
            });
            owner.map_or_else(|| "thread".to_owned(), |owner| thread(runtime, owner))
        }
        _ => {
            let same = |&&index: &&u32| runtime.objects[index as usize].shape.name() == shape.name();
            let numbers = used(runtime);
            let which = numbers.iter().filter(same).position(|&index| index == id.0).map_or(0, |at| at + 1);
            format!("{} {which}", shape.name())
        }
    }
}

/// The objects that occur in the execution, in the order of their numbers.
pub(crate) fn used(runtime: &Runtime) -> Vec<u32> {
    let happened = runtime.events.iter().map(|event| event.operation.object);
    let pending = runtime
        .born
        .iter()
        .map(|&number| &runtime.threads[number as usize])
        .filter(|it| it.alive)
        .map(|it| it.pending.object);
    let mut numbers: Vec<u32> =
        happened.chain(pending).filter(|&id| id != NO_OBJECT).map(|id| id.0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// An event in words.
pub(crate) fn event(runtime: &Runtime, event: &Event) -> String {
    let operation = &event.operation;
    let name = if operation.object == NO_OBJECT { String::new() } else { object(runtime, operation.object) };
    let (input, outcome) = (operation.operand as i64, event.outcome as i64);
    let before = event.before as i64;
    let succeeded = if event.outcome == 1 { "" } else { ", in vain" };
    match operation.kind {
        Kind::Spawn => format!("spawn {}", thread(runtime, operation.operand as u32)),
        Kind::Exit => "exit".to_owned(),
        Kind::Join => format!("join {name}"),
        Kind::IsFinished => format!("is {name} finished: {}", outcome == 1),
        Kind::Park => "park".to_owned(),
        Kind::ParkTimeout => "park with a time limit".to_owned(),
        Kind::Unpark => format!("unpark {name}"),
        Kind::Toss => format!("toss: {outcome} of {input}"),
        Kind::Lock => format!("lock {name}"),
        Kind::TryLock => format!("try to lock {name}{succeeded}"),
        Kind::Unlock => format!("unlock {name}"),
        Kind::ReadLock => format!("read-lock {name}"),
        Kind::TryRead => format!("try to read-lock {name}{succeeded}"),
        Kind::ReadUnlock => format!("read-unlock {name}"),
        Kind::WriteLock => format!("write-lock {name}"),
        Kind::TryWrite => format!("try to write-lock {name}{succeeded}"),
        Kind::WriteUnlock => format!("write-unlock {name}"),
        Kind::Wait => format!("wait for {name}"),
        Kind::Wake => format!("woken by {name}"),
        Kind::WakeTimeout if event.outcome == 1 => format!("waited too long for {name}"),
        Kind::WakeTimeout => format!("woken by {name}"),
        Kind::NotifyOne if event.access.choice == NONE => format!("notify {name}: nobody waits"),
        Kind::NotifyOne => format!("notify {name}: wakes {}", thread(runtime, event.access.choice)),
        Kind::NotifyAll => format!("notify all of {name}: wakes {outcome}"),
        Kind::Arrive => format!("arrive at {name}"),
        Kind::Pass => format!("pass {name}"),
        Kind::Begin if event.before == 0 => format!("start {name}"),
        Kind::Begin => format!("{name} is done"),
        Kind::End => format!("finish {name}"),
        Kind::Cancel => format!("give up {name}"),
        Kind::IsDone => format!("is {name} done: {}", outcome == 2),
        Kind::IsPoisoned => format!("is {name} poisoned"),
        Kind::ClearPoison => format!("clear the poison of {name}"),
        Kind::Acquire => format!("acquire {input} of {name}"),
        Kind::TryAcquire => format!("try to acquire {input} of {name}{succeeded}"),
        Kind::Release => format!("release {input} of {name}"),
        Kind::Permits => format!("permits of {name}: {outcome}"),
        Kind::Send | Kind::TrySend => match event.outcome {
            1 => format!("send to {name}"),
            2 => format!("send to {name}: nobody receives"),
            _ => format!("send to {name}: full"),
        },
        Kind::Receive | Kind::TryReceive => match event.outcome {
            1 => format!("receive from {name}"),
            2 => format!("receive from {name}: closed"),
            _ => format!("receive from {name}: empty"),
        },
        Kind::Request => format!("ready to receive from {name}"),
        Kind::Taken => format!("{name} took it"),
        Kind::DropSender => format!("drop a sender of {name}"),
        Kind::DropReceiver => format!("drop the receiver of {name}"),
        Kind::Load => format!("load {name}: {outcome}"),
        Kind::Store => format!("store {name} = {input}"),
        Kind::Swap => format!("swap {name}: {before} → {input}"),
        Kind::CompareExchange if event.before == operation.operand => {
            format!("compare-exchange {name}: {before} → {}", operation.second as i64)
        }
        Kind::CompareExchange => format!("compare-exchange {name}: {before}, not {input}"),
        Kind::Update => format!("update {name}, was {before}"),
        Kind::Add => format!("add {input} to {name}"),
    }
}

/// What a thread is about to do, as it is offered for a choice.
pub(crate) fn pending(runtime: &Runtime, number: u32, choice: u32) -> String {
    let operation = &runtime.threads[number as usize].pending;
    let name = if operation.object == NO_OBJECT { String::new() } else { object(runtime, operation.object) };
    let input = operation.operand as i64;
    let what = match operation.kind {
        Kind::Spawn => "spawn a thread".to_owned(),
        Kind::Exit => "exit".to_owned(),
        Kind::Join => format!("join {name}"),
        Kind::IsFinished => format!("is {name} finished"),
        Kind::Park => "park".to_owned(),
        Kind::ParkTimeout => "park with a time limit".to_owned(),
        Kind::Unpark => format!("unpark {name}"),
        Kind::Toss => format!("toss: {choice} of {input}"),
        Kind::Lock => format!("lock {name}"),
        Kind::TryLock => format!("try to lock {name}"),
        Kind::Unlock => format!("unlock {name}"),
        Kind::ReadLock => format!("read-lock {name}"),
        Kind::TryRead => format!("try to read-lock {name}"),
        Kind::ReadUnlock => format!("read-unlock {name}"),
        Kind::WriteLock => format!("write-lock {name}"),
        Kind::TryWrite => format!("try to write-lock {name}"),
        Kind::WriteUnlock => format!("write-unlock {name}"),
        Kind::Wait => format!("wait for {name}"),
        Kind::WakeTimeout if runtime.threads[number as usize].signal == NONE => {
            format!("give up waiting for {name}")
        }
        Kind::Wake | Kind::WakeTimeout => format!("woken by {name}"),
        Kind::NotifyOne if choice != NONE => format!("notify {name}: wake {}", thread(runtime, choice)),
        Kind::NotifyOne => format!("notify {name}: nobody waits"),
        Kind::NotifyAll => format!("notify all of {name}"),
        Kind::Arrive => format!("arrive at {name}"),
        Kind::Pass => format!("pass {name}"),
        Kind::Begin => format!("start {name}, or find it done"),
        Kind::End => format!("finish {name}"),
        Kind::Cancel => format!("give up {name}"),
        Kind::IsDone => format!("is {name} done"),
        Kind::IsPoisoned => format!("is {name} poisoned"),
        Kind::ClearPoison => format!("clear the poison of {name}"),
        Kind::Acquire => format!("acquire {input} of {name}"),
        Kind::TryAcquire => format!("try to acquire {input} of {name}"),
        Kind::Release => format!("release {input} of {name}"),
        Kind::Permits => format!("permits of {name}"),
        Kind::Send => format!("send to {name}"),
        Kind::TrySend => format!("try to send to {name}"),
        Kind::Receive => format!("receive from {name}"),
        Kind::TryReceive => format!("try to receive from {name}"),
        Kind::Request => format!("ready to receive from {name}"),
        Kind::Taken => format!("{name} took it"),
        Kind::DropSender => format!("drop a sender of {name}"),
        Kind::DropReceiver => format!("drop the receiver of {name}"),
        Kind::Load => format!("load {name}"),
        Kind::Store => format!("store {name} = {input}"),
        Kind::Swap => format!("swap {name} with {input}"),
        Kind::CompareExchange => {
            format!("compare-exchange {name}: {input} → {}", operation.second as i64)
        }
        Kind::Update => format!("update {name}"),
        Kind::Add => format!("add {input} to {name}"),
    };
    format!("{}: {what}  {}", thread(runtime, number), place(operation.location))
}

/// What a thread waits for, and who could end that.
pub(crate) fn waits(runtime: &Runtime, operation: &Operation) -> String {
    let name = if operation.object == NO_OBJECT { String::new() } else { object(runtime, operation.object) };
    let state = runtime.objects.get(operation.object.index()).map_or(0, |object| object.state);
    if operation.awaits != NONE {
        return format!("waits in a loop for {name} to change");
    }
    match operation.kind {
        Kind::Join => format!("waits for the end of {name}"),
        Kind::Park => "waits for its token".to_owned(),
        Kind::Lock if state > 0 => {
            format!("waits for {name}, held by {}", thread(runtime, state as u32 - 1))
        }
        Kind::ReadLock | Kind::WriteLock if writer(state) > 0 => {
            format!("waits for {name}, held by {}", thread(runtime, writer(state) as u32 - 1))
        }
        Kind::WriteLock if readers(state) > 0 => {
            let holders = &runtime.objects[operation.object.index()].threads;
            let names: Vec<String> = holders.iter().map(|&holder| thread(runtime, holder)).collect();
            format!("waits for {name}, read by {}", names.join(", "))
        }
        Kind::Wake => format!("waits for a notification of {name}"),
        Kind::Pass => format!("waits for others at {name}"),
        Kind::Begin => format!("waits for the initialisation of {name}"),
        Kind::Acquire => format!("waits for {} of {name}, which has {state}", operation.operand),
        Kind::Send => format!("waits for room in {name}"),
        Kind::Receive => format!("waits for a message from {name}"),
        Kind::Taken => format!("waits for a receiver at {name}"),
        kind => format!("is at {kind:?} {name}"),
    }
}
