//! Persistent sets from a description of who may do what (Godefroid 1996, chapter 4; `system_file.VS` of VeriSoft).
//!
//! A set of steps is *persistent* in a state if whatever the others do, from there on and as long as none of these
//! steps is taken, is independent of all of them. A [`Description`] says which named threads may use which
//! [labelled](label) objects, and which threads they may still start. From a thread that can move, the set grows by every thread that may still use an
//! object which a member is about to use, until none is left; the smallest set found is explored. A thread that is not described may use
//! everything, and an object without a label may be used by everyone.
//!
//! A description is checked, never trusted: a thread that uses what it may not is a failure.

use crate::runtime::Runtime;
use crate::runtime::control::{self, Handle};
use crate::runtime::object::Shape;
use crate::runtime::operation::{Kind, NO_OBJECT, Operation};
use crate::sync::atomic::{self, AtomicBool, AtomicPtr};
use crate::sync::{Barrier, Condvar, Mutex, Once, OnceLock, RwLock, Semaphore, mpsc};
use mazurka_model::ObjectId;

/// What one thread may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Role {
    name: String,
    uses: Vec<String>,
    starts: Vec<String>,
}

/// Who may use which objects, and who starts whom: of threads by name (the first one is `main`). Names are used once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    roles: Vec<Role>,
}

fn named(runtime: &Runtime, thread: u32) -> &str {
    let name = runtime.threads[thread as usize].name.as_deref();
    name.unwrap_or(if thread == 0 { "main" } else { "" })
}

impl Description {
    /// Nothing is known.
    pub fn new() -> Description {
        Description::default()
    }

    /// The thread with this name uses no other labelled objects than these.
    pub fn thread(mut self, name: &str, objects: &[&str]) -> Description {
        self.role(name).uses = objects.iter().map(|&label| label.to_owned()).collect();
        self
    }

    /// The thread with this name starts no other threads than these, each of them once.
    pub fn starts(mut self, name: &str, threads: &[&str]) -> Description {
        self.role(name).starts = threads.iter().map(|&thread| thread.to_owned()).collect();
        self
    }

    fn role(&mut self, name: &str) -> &mut Role {
        let place = self.roles.iter().position(|role| role.name == name).unwrap_or_else(|| {
            self.roles.push(Role { name: name.to_owned(), ..Role::default() });
            self.roles.len() - 1
        });
        &mut self.roles[place]
    }

    /// Whether a thread with this name may use an object with this label, itself or through those it can still start.
    fn may_use(&self, runtime: &Runtime, name: &str, label: &str, depth: usize) -> bool {
        let Some(role) = self.roles.iter().find(|role| role.name == name) else { return true };
        let born = |name: &str| runtime.born.iter().any(|&thread| named(runtime, thread) == name);
        role.uses.iter().any(|known| known == label)
            || role
                .starts
                .iter()
                .any(|child| !born(child) && (depth == 0 || self.may_use(runtime, child, label, depth - 1)))
    }

    fn may(&self, runtime: &Runtime, thread: u32, object: ObjectId) -> bool {
        let Some(label) = runtime.objects[object.index()].label else { return true };
        self.may_use(runtime, named(runtime, thread), label, self.roles.len())
    }

    /// The threads of a smallest persistent set that was found.
    pub(crate) fn persistent(&self, runtime: &Runtime) -> Vec<u32> {
        let enabled: Vec<u32> =
            runtime.born.iter().copied().filter(|&thread| runtime.enabled(thread)).collect();
        let mut best = enabled.clone();
        for &seed in &enabled {
            let mut closed = self.closure(runtime, seed);
            closed.retain(|thread| enabled.contains(thread));
            if closed.len() < best.len() {
                best = closed;
            }
        }
        best
    }

    /// Grows a set until nobody outside can interfere with what its members are about to do.
    fn closure(&self, runtime: &Runtime, seed: u32) -> Vec<u32> {
        let mut set = vec![seed];
        let mut place = 0;
        while let Some(&member) = set.get(place) {
            place += 1;
            let operation = &runtime.threads[member as usize].pending;
            // Nobody can do anything that depends on an end before it has come: who joins waits for it.
            if operation.object == NO_OBJECT || operation.kind == Kind::Exit {
                continue;
            }
            for &other in &runtime.born {
                let alive = runtime.threads[other as usize].alive;
                let ends = runtime.threads[other as usize].life == operation.object;
                let interferes = if operation.kind == Kind::Join {
                    ends
                } else {
                    self.may(runtime, other, operation.object)
                };
                if alive && interferes && !set.contains(&other) {
                    set.push(other);
                }
            }
        }
        set
    }

    /// How an operation contradicts the description.
    pub(crate) fn refuted(&self, runtime: &Runtime, thread: u32, operation: &Operation) -> Option<String> {
        let (name, parent) = (named(runtime, thread), runtime.threads[thread as usize].parent);
        if thread != 0
            && let Some(role) = self.roles.iter().find(|role| role.name == named(runtime, parent))
        {
            let twice = runtime.born.iter().filter(|&&other| named(runtime, other) == name).count() > 1;
            if twice || !role.starts.iter().any(|known| known == name) {
                return Some(format!(
                    "{} starts a thread `{name}`, which its description does not allow",
                    role.name
                ));
            }
        }
        if operation.object == NO_OBJECT {
            return None;
        }
        if operation.kind == Kind::IsFinished {
            return Some(
                "`is_finished` can't be used together with a description of who does what".to_owned(),
            );
        }
        let object = &runtime.objects[operation.object.index()];
        if matches!(object.shape, Shape::Thread | Shape::Token) || self.may(runtime, thread, operation.object)
        {
            return None;
        }
        let name = crate::report::words::thread(runtime, thread);
        let label = object.label.unwrap_or_default();
        Some(format!("{name} uses `{label}` at {}, which its description does not allow", operation.location))
    }
}

/// A type of shared objects that can have labels.
pub trait Shared {
    #[doc(hidden)]
    fn number(&self) -> u32;
}

/// Gives an object the name by which a [`Description`] knows it.
pub fn label(object: &impl Shared, name: &'static str) {
    let number = object.number() as usize;
    control::with(|control| control.runtime.objects[number].label = Some(name));
}

macro_rules! shared {
    ($([$($generic:tt)*] $type:ty),* $(,)?) => {
        $(impl<$($generic)*> Shared for $type {
            fn number(&self) -> u32 {
                let handle: Handle = self.handle();
                handle.id().0
            }
        })*
    };
}

shared!(
    [T: ?Sized] Mutex<T>,
    [T: ?Sized] RwLock<T>,
    [] Condvar,
    [] Barrier,
    [] Once,
    [T] OnceLock<T>,
    [] Semaphore,
    [T] mpsc::Sender<T>,
    [T] mpsc::SyncSender<T>,
    [T] mpsc::Receiver<T>,
    [] AtomicBool,
    [T] AtomicPtr<T>,
    [] atomic::AtomicU8,
    [] atomic::AtomicU16,
    [] atomic::AtomicU32,
    [] atomic::AtomicU64,
    [] atomic::AtomicUsize,
    [] atomic::AtomicI8,
    [] atomic::AtomicI16,
    [] atomic::AtomicI32,
    [] atomic::AtomicI64,
    [] atomic::AtomicIsize,
);
