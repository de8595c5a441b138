//! The object library: one file an object type (Godefroid and Pirottin 1993, sections 2 to 5).
//!
//! An object type is given by its *semantics* ([`ObjectType::apply`]): when an operation is defined,
//! what it returns, what it leaves. Its *relations* are fast predicates over (operation, operation,
//! value): [`ObjectType::dependent`] (Definition 5) and [`ObjectType::interacts`] (the "might interact"
//! relation ▷ of Definition 11), beside the [constant](ObjectType::constant) dependency and the operations
//! that [exclude](ObjectType::exclusive) each other, which need no value. The module [`mod@derive`] computes them from the semantics alone over a small domain, and
//! a test compares them for every object listed in [`library()`], so that a wrong table can't land.
//! [`table`] prints them the way the paper does.
//!
//! # How to add an object of your own
//!
//! The documentation of [`mod@derive`] shows a whole object that you can start from. The steps:
//!
//! 1. Write a type that holds the object's parameters (the capacity of a channel) and one
//!    [`OperationKind`] constant for each operation; its number is the operation's place in
//!    [`kinds`](ObjectType::kinds). Refine: `Empty` beside `Length` depends on less.
//! 2. Write [`apply`](ObjectType::apply). An operation that must wait is not defined (`None`). An operation
//!    with several possible outcomes is several operations, told apart by kind or by input, so
//!    that each has one outcome. What an operation returns counts: don't return what nobody uses.
//! 3. Write [`domain`](ObjectType::domain): at least three processes, two inputs of every kind, every
//!    shape of value. If values are unbounded, set a cut-off and compare well inside it.
//! 4. Let all three predicates return `true`, and run [`derive::check`]. Its list `coarse` shows where
//!    nothing depends. Refine one pair of operations at a time until that list is short and
//!    the list `unsound` still empty.
//!    Inputs that are mere data, [identifying](ObjectType::identifies) nothing, and values that
//!    differ only in such data, of one [shape](ObjectType::shape), make ▷ simpler and often smaller.
//! 5. Say in [`unrefined`](ObjectType::unrefined) what a tool without your refined operations would see,
//!    and in [`conditions`](ObjectType::conditions) the words in which a table describes values.
//! 6. An object for this library joins [`library()`]; all tests then run on it. For one of your own,
//!    assert in a test that `derive::check(&yours).unsound` is empty.

pub mod array;
pub mod barrier;
pub mod bounded;
pub mod condvar;
pub mod derive;
pub mod domain;
pub mod fifo;
pub mod flag;
pub mod level;
pub mod library;
pub mod lossy;
pub mod mutex;
pub mod overflowing;
pub mod place;
pub mod processes;
pub mod random_access;
pub mod rendezvous;
pub mod rwlock;
pub mod semaphore;
pub mod sorted;
pub mod table;
pub mod timer;
pub mod variable;
pub mod whereabouts;

use crate::ids::ProcessId;
use crate::operation::{Operation, OperationKind};
use std::fmt::Debug;

pub use domain::Domain;
pub use library::library;

/// A named condition on an object's value, for printing tables the way the papers do (`n < N`).
#[derive(Copy, Clone)]
pub struct Condition {
    /// As it is printed.
    pub text: &'static str,
    /// Whether it holds for an object with these parameters and this value.
    pub holds: fn(object: &dyn ObjectType, value: &[i64]) -> bool,
}

/// What of a value ▷ looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Glance {
    /// Nothing.
    Nothing,
    /// One word of it.
    Word(usize),
    /// Its [outline](ObjectType::outline).
    Outline,
}

/// One operation kind of an object type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// Its name, as in the papers: `Send`, `Receive`.
    pub name: &'static str,
    /// The names of its inputs, at most two.
    pub inputs: &'static [&'static str],
}

/// A type of shared object: its semantics and the relations between its operations.
///
/// The value of an object is a list of words. A channel's is the list of its messages. Every other
/// object has values of a **fixed number of words**, as many as [`initial`](Self::initial) gives, because
/// programs keep them in fixed slots of the state. A set of processes is one word, a bit for
/// each ([`process_bit`]), so such objects serve at most 63 processes.
///
/// The relations are only asked about operations of different processes (operations of one process
/// always depend on each other). They must be *sound*: an answer `false` is a promise. Answering
/// `true` too often costs reduction, never correctness. An input that is not known
/// ([`Operand::Any`](crate::Operand::Any)) stands for every input: the answer is `true` if it is for any of
/// them. Relations are asked at every state, so they don't allocate.
pub trait ObjectType: Debug + Send + Sync {
    /// The name of the type, as `mazurka objects` lists it.
    fn name(&self) -> &'static str;

    /// One sentence on what it models.
    fn summary(&self) -> &'static str;

    /// The operations, in the order of the tables; an [`OperationKind`] indexes this slice.
    fn kinds(&self) -> &'static [KindInfo];

    /// The value of a fresh object.
    fn initial(&self) -> Vec<i64>;

    /// Performs a defined operation: clears `next`, fills it with the value it leaves and returns
    /// the output (0 where the operation has none). `None`: the operation is not defined here.
    ///
    /// All operands that the operation uses are known. Nondeterminism is one operation per outcome.
    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64>;

    /// Conditional dependency (Definition 5): `false` promises that in `value` neither operation
    /// enables or disables the other, and that both orders give the same outputs and value.
    /// Symmetric in `a` and `b`.
    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool;

    /// `a ▷ b` (Definition 11): `false` promises that from `value`, by defined operations of processes
    /// other than `a`'s, each independent of `a` where it fires, no value is reached in which
    /// `b` is defined and dependent on `a`. Not symmetric.
    ///
    /// The dependency meant here is that of `a` and `b` for *some* inputs: only those count that
    /// [identify](Self::identifies) an operation, and of the value only its [shape](Self::shape). So
    /// the answer does not look at a message sent or a value written. [`mod@derive`] has the details.
    ///
    /// What follows (Theorem 12): whoever keeps all operations from happening that get the answer
    /// `true` for an `a` has a conditional stubborn set (Definition 9). No path of the others
    /// ends in an operation that is dependent on `a`.
    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool;

    /// Constant dependency (Definition 2): whether the operations depend in any value at all.
    fn constant(&self, a: &Operation, b: &Operation) -> bool;

    /// Whether the operations, of whichever processes, are never enabled together: `true` promises
    /// that there is no value in which both are defined (Peled 1993, section 4.2, the relation E). Symmetric.
    /// Of an input that is not known the answer must hold for every input. Saying `false` costs
    /// reduction at most.
    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        let _ = (a, b);
        false
    }

    /// ▷ where it is known which kinds of operations other processes than that of `a` can still
    /// perform on the object, bit by bit: paths need not be considered that take others. `b` is one
    /// of those. With all bits set it is [`interacts`](Self::interacts).
    fn interacts_among(&self, a: &Operation, b: &Operation, value: &[i64], kinds: u64) -> bool {
        let _ = kinds;
        self.interacts(a, b, value)
    }

    /// What of a value [`interacts_among`](Self::interacts_among) looks at for these operations: for values that have as
    /// much in common it gives the same answer. Errs on the side of more.
    fn glance(&self, a: &Operation, b: &Operation) -> Glance {
        let _ = (a, b);
        Glance::Outline
    }

    /// Makes of a value its outline: for values with the same outline [`interacts_among`](Self::interacts_among) gives the
    /// same answers. Unless an object says otherwise, that is the value itself.
    fn outline(&self, value: &mut Vec<i64>) {
        let _ = value;
    }

    /// Whether operations of this kind never change the value, wherever they are defined.
    fn reads(&self, kind: OperationKind) -> bool {
        let _ = kind;
        false
    }

    /// Whether the operations are independent in every value for the simplest of reasons: neither changes
    /// what the other looks at or changes. Operations that commute (additions, say) don't count.
    fn apart(&self, a: &Operation, b: &Operation) -> bool {
        self.reads(a.kind) && self.reads(b.kind)
    }

    /// The operation that a tool without refined operations would see: `Length` for `Empty`,
    /// `Write` for `Add`. It never depends on less, nor interacts with too little. This is what
    /// `--dependency conditional` and `constant` look at.
    fn unrefined(&self, operation: &Operation) -> Operation {
        *operation
    }

    /// Whether an input (0 or 1) tells refined operations of one kind apart, like the index of an array.
    /// What is left are inputs such as the value written or the message sent: ▷ is derived from
    /// a dependency that counts two operations as dependent if they are for *some* such inputs.
    fn identifies(&self, kind: OperationKind, input: usize) -> bool {
        let _ = (kind, input);
        true
    }

    /// What of a value the dependency may look at from which ▷ is derived: it counts two operations as
    /// dependent if they are in *some* value of the same shape. The messages in a channel were inputs
    /// once, so the shape of a channel is its length, as in the paper, and whatever of the messages
    /// its refined operations look at. Only the derivation asks for it.
    fn shape(&self, value: &[i64]) -> Vec<i64> {
        value.to_vec()
    }

    /// The domain over which the relations are derived.
    fn domain(&self) -> Domain;

    /// The parameter that the tables call N: the capacity of a channel.
    fn parameter(&self) -> i64 {
        0
    }

    /// Conditions for the tables, the preferred ones first.
    fn conditions(&self) -> &'static [Condition];

    /// The name of an operation kind; `Any` for one that stands for all.
    fn kind_name(&self, kind: OperationKind) -> &'static str {
        self.kinds().get(kind.index()).map_or("Any", |info| info.name)
    }
}

/// The bit of a process in a word that holds a set of processes.
///
/// `None` from process 63 on: such a word has no room for it. Objects that hold sets of processes
/// leave all operations of such a process undefined, and front ends refuse systems of that size.
pub fn process_bit(process: ProcessId) -> Option<i64> {
    if process.0 < 63 { Some(1 << process.0) } else { None }
}
