//! The object library: one file an object type (Godefroid and Pirottin 1993, sections 2 to 5).
//!
//! An object type is given by its *semantics* ([`ObjectType::apply`]): when an operation is defined,
//! what it returns, what it leaves. Its *relations* are two fast predicates over (operation,
//! operation, value): [`ObjectType::dependent`] (Definition 5) and [`ObjectType::interacts`] (the
//! "might interact" relation ▷ of Definition 11). The module `derive` computes both from the
//! semantics alone over a small domain, and a test compares them for every object listed in
//! `library`, so that a wrong table can't land.

pub mod array;
pub mod barrier;
pub mod condvar;
pub mod fifo;
pub mod flag;
pub mod lossy;
pub mod mutex;
pub mod place;
pub mod random_access;
pub mod rendezvous;
pub mod rwlock;
pub mod semaphore;
pub mod sorted;
pub mod timer;
pub mod variable;

use crate::ids::ProcessId;
use crate::operation::{Operation, OperationKind};
use std::fmt::Debug;

/// A named condition on an object's value, for printing tables the way the papers do (`n < N`).
#[derive(Copy, Clone)]
pub struct Condition {
    /// As it is printed.
    pub text: &'static str,
    /// Whether it holds for an object with these parameters and this value.
    pub holds: fn(object: &dyn ObjectType, value: &[i64]) -> bool,
}

/// One operation kind of an object type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// Its name, as in the papers: `Send`, `Receive`.
    pub name: &'static str,
    /// The names of its inputs, at most two.
    pub inputs: &'static [&'static str],
}

/// The small domain over which the relations of an object are derived and compared.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The values in which derived and declared relations are compared.
    pub compared: Vec<Vec<i64>>,
    /// Every operation, of at least three processes, with every input of the domain.
    pub operations: Vec<Operation>,
    /// Whether a value lies within the cut-off, for objects whose values are unbounded.
    pub within: fn(value: &[i64]) -> bool,
}

/// A type of shared object: its semantics and the relations between its operations.
///
/// The relations are only asked about operations of different processes (operations of one process
/// always depend on each other). Both must be *sound*: an answer `false` is a promise. Answering
/// `true` too often costs reduction, never correctness.
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

    /// `a ▷ b` (Definition 11): `false` promises that from `value`, by operations independent of
    /// `a`, no value is reached in which `b` is defined and dependent on `a`.
    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool;

    /// Constant dependency (Definition 2): whether the operations depend in any value at all.
    fn constant(&self, a: &Operation, b: &Operation) -> bool;

    /// The operation that a tool without refined operations would see: `Length` for `Empty`,
    /// `Write` for `Add`. This is what `--dependency conditional` and `constant` look at.
    fn unrefined(&self, operation: &Operation) -> Operation {
        *operation
    }

    /// The domain over which the relations are derived.
    fn domain(&self) -> Domain;

    /// Conditions for the tables, the preferred ones first.
    fn conditions(&self) -> &'static [Condition];

    /// The name of an operation kind.
    fn kind_name(&self, kind: OperationKind) -> &'static str {
        self.kinds()[kind.index()].name
    }
}

/// The bit of a process in a word that holds a set of processes.
///
/// `None` from process 63 on: such a word has no room for it. Objects that hold sets of processes
/// leave all operations of such a process undefined, and front ends refuse systems of that size.
pub fn process_bit(process: ProcessId) -> Option<i64> {
    if process.0 < 63 { Some(1 << process.0) } else { None }
}
