//! Objects of the object library that a program declares.

use mazurka_model::object::ObjectType;
use mazurka_model::object::barrier::Barrier;
use mazurka_model::object::condvar::Condvar;
use mazurka_model::object::flag::Flag;
use mazurka_model::object::mutex::Mutex;
use mazurka_model::object::place::Place;
use mazurka_model::object::rwlock::RwLock;
use mazurka_model::object::semaphore::Semaphore;
use mazurka_model::object::timer::Timer;
use mazurka_model::source::Span;

/// Which object, with its parameters. Values are words of fixed number and width.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A counting semaphore.
    Semaphore {
        /// Its initial value.
        initial: i32,
    },
    /// A lock.
    Mutex,
    /// A lock for many readers or one writer.
    RwLock,
    /// A condition variable.
    Condvar,
    /// A cyclic barrier.
    Barrier {
        /// How many processes it waits for.
        parties: i32,
    },
    /// A timer.
    Timer,
    /// A place of a Petri net.
    Place {
        /// Its initial tokens.
        initial: i32,
    },
    /// A boolean.
    Flag,
}

impl ObjectKind {
    /// The words that declare objects in the text.
    pub const KEYWORDS: &'static [&'static str] =
        &["semaphore", "mutex", "rwlock", "condvar", "barrier", "timer", "place", "flag"];

    /// The object that a word and its parameters declare.
    pub fn parse(keyword: &str, parameters: &[i32]) -> Result<ObjectKind, String> {
        let single = |what: &str| match parameters {
            [value] => Ok(*value),
            _ => Err(format!("a {keyword} needs {what}, as in `{keyword} s = 1`")),
        };
        let kind = match keyword {
            "semaphore" => ObjectKind::Semaphore { initial: single("its initial value")? },
            "barrier" => ObjectKind::Barrier { parties: single("the number of processes it waits for")? },
            "place" => ObjectKind::Place { initial: single("its initial tokens")? },
            "mutex" => ObjectKind::Mutex,
            "rwlock" => ObjectKind::RwLock,
            "condvar" => ObjectKind::Condvar,
            "timer" => ObjectKind::Timer,
            "flag" => ObjectKind::Flag,
            _ => return Err(format!("`{keyword}` is no object")),
        };
        match kind.parameter() {
            None if !parameters.is_empty() => Err(format!("a {keyword} has no parameters")),
            _ => Ok(kind),
        }
    }

    /// The word that declares it.
    pub fn keyword(&self) -> &'static str {
        match self {
            ObjectKind::Semaphore { .. } => "semaphore",
            ObjectKind::Mutex => "mutex",
            ObjectKind::RwLock => "rwlock",
            ObjectKind::Condvar => "condvar",
            ObjectKind::Barrier { .. } => "barrier",
            ObjectKind::Timer => "timer",
            ObjectKind::Place { .. } => "place",
            ObjectKind::Flag => "flag",
        }
    }

    /// Its parameter, if it has one.
    pub fn parameter(&self) -> Option<i32> {
        match *self {
            ObjectKind::Semaphore { initial } | ObjectKind::Place { initial } => Some(initial),
            ObjectKind::Barrier { parties } => Some(parties),
            _ => None,
        }
    }

    /// Whether the parameter makes sense.
    pub(super) fn check(&self) -> Result<(), String> {
        match *self {
            ObjectKind::Semaphore { initial } | ObjectKind::Place { initial } if initial < 0 => {
                Err(format!("the initial value {initial} is negative"))
            }
            ObjectKind::Barrier { parties } if !(1..=63).contains(&parties) => {
                Err(format!("it waits for {parties} processes: between 1 and 63 are possible"))
            }
            _ => Ok(()),
        }
    }

    /// The object of the library.
    pub fn instantiate(&self) -> Box<dyn ObjectType> {
        match *self {
            ObjectKind::Semaphore { initial } => Box::new(Semaphore { initial: initial.into() }),
            ObjectKind::Mutex => Box::new(Mutex),
            ObjectKind::RwLock => Box::new(RwLock),
            ObjectKind::Condvar => Box::new(Condvar),
            ObjectKind::Barrier { parties } => Box::new(Barrier { parties: parties.max(1) as u32 }),
            ObjectKind::Timer => Box::new(Timer),
            ObjectKind::Place { initial } => Box::new(Place { initial: initial.into() }),
            ObjectKind::Flag => Box::new(Flag),
        }
    }

    /// How many bytes each word of the value takes. Sets of processes need 8, and so do counters: a
    /// count that could overflow would make signals depend on each other.
    pub fn word_size(&self) -> u32 {
        match self {
            ObjectKind::RwLock | ObjectKind::Condvar | ObjectKind::Barrier { .. } => 8,
            ObjectKind::Semaphore { .. } | ObjectKind::Place { .. } => 8,
            ObjectKind::Mutex => 2,
            ObjectKind::Timer | ObjectKind::Flag => 1,
        }
    }
}

/// A declared object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// Where it is declared.
    pub span: Span,
}
