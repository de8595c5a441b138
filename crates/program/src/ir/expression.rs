//! Expressions: what guards and effects compute, in 32-bit integers with C's operators.

use super::effect::Pattern;
use super::ids::{ChannelIndex, DeclaredObject, GlobalId, LocalId, LocationId, OwnChannel, TypeId};
use mazurka_model::OperationKind;

/// A variable, seen from a process.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VariableRef {
    /// Shared by all processes.
    Global(GlobalId),
    /// The process's own.
    Local(LocalId),
}

/// A channel by name, seen from a process.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ChannelRef {
    /// Declared by the program.
    Global(ChannelIndex),
    /// Created with the process itself.
    Own(OwnChannel),
}

/// Operators with one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands; truth is 1, falsity 0.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// The right side is evaluated only if the left is true.
    And,
    /// The right side is evaluated only if the left is false.
    Or,
}

impl UnaryOperator {
    /// The value that the operator gives.
    #[inline]
    pub fn compute(self, a: i32) -> i32 {
        match self {
            UnaryOperator::Negate => a.wrapping_neg(),
            UnaryOperator::Not => (a == 0).into(),
            UnaryOperator::Complement => !a,
        }
    }
}

impl BinaryOperator {
    /// The value that the operator gives; none for a division by 0.
    #[inline]
    pub fn compute(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            BinaryOperator::Add => a.wrapping_add(b),
            BinaryOperator::Subtract => a.wrapping_sub(b),
            BinaryOperator::Multiply => a.wrapping_mul(b),
            BinaryOperator::Divide if b == 0 => return None,
            BinaryOperator::Divide => a.wrapping_div(b),
            BinaryOperator::Remainder if b == 0 => return None,
            BinaryOperator::Remainder => a.wrapping_rem(b),
            // Shifts by 32 and more give what shifting bit by bit gives, not what the hardware does.
            BinaryOperator::ShiftLeft => u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0),
            BinaryOperator::ShiftRight => a >> u32::try_from(b).unwrap_or(31).min(31),
            BinaryOperator::BitAnd => a & b,
            BinaryOperator::BitOr => a | b,
            BinaryOperator::BitXor => a ^ b,
            BinaryOperator::Equal => (a == b).into(),
            BinaryOperator::NotEqual => (a != b).into(),
            BinaryOperator::Less => (a < b).into(),
            BinaryOperator::LessEqual => (a <= b).into(),
            BinaryOperator::Greater => (a > b).into(),
            BinaryOperator::GreaterEqual => (a >= b).into(),
            BinaryOperator::And => (a != 0 && b != 0).into(),
            BinaryOperator::Or => (a != 0 || b != 0).into(),
        })
    }
}

/// What is asked of another process that is named by its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemotePart {
    /// Whether it stands at this location.
    At(LocationId),
    /// The value of a variable of its own.
    Variable(LocalId),
    /// An element of an array of its own.
    Element(LocalId, Expression),
}

/// What is asked of the process in a slot.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ProcessQuestion {
    /// Whether it could move. A fault if a process asks it of itself, or if the answer depends on the
    /// question.
    Enabled,
    /// The number of its location, from 1; 0 if there is no such process.
    Location,
    /// Its priority; 0 if there is no such process.
    Priority,
}

/// An expression. Wherever a channel is expected, its operand is an expression that gives the
/// channel's number: [`Expression::Channel`] for a named one, a variable that holds one otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A number.
    Constant(i32),
    /// The value of a variable.
    Variable(VariableRef),
    /// An element of an array; a fault if the index is out of range.
    Element(VariableRef, Box<Expression>),
    /// The number of a named channel.
    Channel(ChannelRef),
    /// The slot of the process that evaluates it.
    Pid,
    /// How many processes are alive.
    ProcessCount,
    /// Whether no process could move if this were false.
    Timeout,
    /// An operator with one operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator with two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// Condition, then, else.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// How many messages a channel holds.
    Length(Box<Expression>),
    /// Whether a channel holds no message.
    Empty(Box<Expression>),
    /// Whether a channel can hold no further message; always so for a rendezvous.
    Full(Box<Expression>),
    /// Whether a receive with these patterns would be possible; nothing is bound. Always false for
    /// a rendezvous.
    Poll {
        /// The channel.
        channel: Box<Expression>,
        /// What the message must look like; `Bind` counts as `Ignore`.
        patterns: Vec<Pattern>,
        /// Any message of the channel will do, not only the first.
        anywhere: bool,
    },
    /// What a process of this type looks like: the one in this slot, or the first there is. False, or 0,
    /// if there is none; a fault if the slot holds a process of another type.
    Remote {
        /// Its type.
        process: TypeId,
        /// Its slot.
        instance: Option<Box<Expression>>,
        /// What is asked.
        part: Box<RemotePart>,
    },
    /// A question about the process in a slot.
    Process(ProcessQuestion, Box<Expression>),
    /// Whether no process stands at a progress location.
    NonProgress,
    /// The output of an operation of an object; the value that it leaves is dropped. A fault if the
    /// operation is not defined.
    Observe {
        /// The object.
        object: DeclaredObject,
        /// The operation.
        kind: OperationKind,
        /// Its inputs.
        operands: Vec<Expression>,
    },
}

impl From<i32> for Expression {
    fn from(value: i32) -> Expression {
        Expression::Constant(value)
    }
}

impl From<GlobalId> for Expression {
    fn from(id: GlobalId) -> Expression {
        Expression::Variable(VariableRef::Global(id))
    }
}

impl From<LocalId> for Expression {
    fn from(id: LocalId) -> Expression {
        Expression::Variable(VariableRef::Local(id))
    }
}

impl From<ChannelIndex> for Expression {
    fn from(id: ChannelIndex) -> Expression {
        Expression::Channel(ChannelRef::Global(id))
    }
}

impl From<OwnChannel> for Expression {
    fn from(id: OwnChannel) -> Expression {
        Expression::Channel(ChannelRef::Own(id))
    }
}

impl From<GlobalId> for VariableRef {
    fn from(id: GlobalId) -> VariableRef {
        VariableRef::Global(id)
    }
}

impl From<LocalId> for VariableRef {
    fn from(id: LocalId) -> VariableRef {
        VariableRef::Local(id)
    }
}

/// An element of an array.
pub(super) fn element(array: VariableRef, index: Expression) -> Expression {
    Expression::Element(array, Box::new(index))
}

macro_rules! comparison {
    ($(#[$doc:meta])* $name:ident, $operator:ident) => {
        $(#[$doc])*
        pub fn $name(self, right: impl Into<Expression>) -> Expression {
            Expression::binary(BinaryOperator::$operator, self, right)
        }
    };
}

impl Expression {
    /// An element of an array.
    pub fn element(array: impl Into<VariableRef>, index: impl Into<Expression>) -> Expression {
        element(array.into(), index.into())
    }

    /// An operator with two operands.
    pub fn binary(
        operator: BinaryOperator,
        left: impl Into<Expression>,
        right: impl Into<Expression>,
    ) -> Expression {
        Expression::Binary(operator, Box::new(left.into()), Box::new(right.into()))
    }

    /// The number of messages in a channel.
    pub fn length(channel: impl Into<Expression>) -> Expression {
        Expression::Length(Box::new(channel.into()))
    }

    comparison!(
        /// `self == right`
        equals,
        Equal
    );
    comparison!(
        /// `self != right`
        differs,
        NotEqual
    );
    comparison!(
        /// `self < right`
        below,
        Less
    );
    comparison!(
        /// `self <= right`
        at_most,
        LessEqual
    );
    comparison!(
        /// `self > right`
        above,
        Greater
    );
    comparison!(
        /// `self >= right`
        at_least,
        GreaterEqual
    );
    comparison!(
        /// `self && right`
        and,
        And
    );
    comparison!(
        /// `self || right`
        or,
        Or
    );

    /// Calls `visit` for every direct operand.
    pub fn for_each_operand<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match self {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Channel(_)
            | Expression::Pid
            | Expression::ProcessCount
            | Expression::Timeout
            | Expression::NonProgress => {}
            Expression::Remote { instance, part, .. } => {
                instance.iter().for_each(|e| visit(e));
                if let RemotePart::Element(_, index) = &**part {
                    visit(index);
                }
            }
            Expression::Element(_, a)
            | Expression::Unary(_, a)
            | Expression::Process(_, a)
            | Expression::Length(a)
            | Expression::Empty(a)
            | Expression::Full(a) => visit(a),
            Expression::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            Expression::Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Expression::Poll { channel, patterns, .. } => {
                visit(channel);
                for pattern in patterns {
                    if let Pattern::Match(e) = pattern {
                        visit(e);
                    }
                }
            }
            Expression::Observe { operands, .. } => operands.iter().for_each(visit),
        }
    }

    /// Whether the expression or a part of it is such that `wanted` says so.
    pub fn any(&self, wanted: &dyn Fn(&Expression) -> bool) -> bool {
        let mut found = wanted(self);
        self.for_each_operand(&mut |operand| found = found || operand.any(wanted));
        found
    }

    /// The length of the longest path from the root to a leaf.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        self.for_each_operand(&mut |operand| deepest = deepest.max(operand.depth()));
        deepest + 1
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operator:ident) => {
        impl<T: Into<Expression>> std::ops::$trait<T> for Expression {
            type Output = Expression;
            fn $method(self, right: T) -> Expression {
                Expression::binary(BinaryOperator::$operator, self, right)
            }
        }
    };
}

operator!(Add, add, Add);
operator!(Sub, sub, Subtract);
operator!(Mul, mul, Multiply);
operator!(Div, div, Divide);
operator!(Rem, rem, Remainder);

impl std::ops::Not for Expression {
    type Output = Expression;
    fn not(self) -> Expression {
        Expression::Unary(UnaryOperator::Not, Box::new(self))
    }
}
