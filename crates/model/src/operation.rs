//! An operation on a shared object: who performs it, which one it is, and with what input.

use crate::ids::ProcessId;

/// Which operation of its object type; an index into [`ObjectType::kinds`](crate::object::ObjectType::kinds).
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct OperationKind(pub u8);

impl OperationKind {
    /// Not one operation but any: it stands for every operation of its object, whatever its type.
    /// No object's relations are ever asked about it.
    pub const ANY: OperationKind = OperationKind(u8::MAX);

    /// The kind as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One input of an operation: a value that is known, or any value at all.
///
/// `Any` arises where the input is not known, such as the index of an array access that a process
/// may perform in the future. Relations answer for `Any` what they answer for the worst value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Operand {
    /// Not known: stands for every value.
    #[default]
    Any,
    /// Exactly this value.
    Is(i64),
}

impl Operand {
    /// Whether both operands can stand for one and the same value.
    pub fn may_equal(self, other: Operand) -> bool {
        match (self, other) {
            (Operand::Is(a), Operand::Is(b)) => a == b,
            _ => true,
        }
    }

    /// Whether the operands can stand for different values.
    pub fn may_differ(self, other: Operand) -> bool {
        match (self, other) {
            (Operand::Is(a), Operand::Is(b)) => a != b,
            _ => true,
        }
    }

    /// The value, if it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Operand::Is(value) => Some(value),
            Operand::Any => None,
        }
    }
}

/// An operation: (process, name, input).
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Operation {
    /// Who performs it.
    pub process: ProcessId,
    /// Which operation.
    pub kind: OperationKind,
    /// Its inputs; unused ones are `Any`.
    pub operands: [Operand; 2],
}

impl Operation {
    /// An operation without inputs (or with unknown ones).
    pub fn new(process: ProcessId, kind: OperationKind) -> Operation {
        Operation { process, kind, operands: [Operand::Any; 2] }
    }

    /// An operation with one known input.
    pub fn with(process: ProcessId, kind: OperationKind, input: i64) -> Operation {
        Operation { process, kind, operands: [Operand::Is(input), Operand::Any] }
    }

    /// An operation with two inputs.
    pub fn with_both(process: ProcessId, kind: OperationKind, operands: [Operand; 2]) -> Operation {
        Operation { process, kind, operands }
    }
}
