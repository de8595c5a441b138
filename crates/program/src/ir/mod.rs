//! Programs: processes that move between locations by guarded transitions over shared objects.
//!
//! Front ends lower to a [`Program`]; the interpreter executes it, the analysis says what its
//! transitions touch, and [`text`](crate::text) reads and prints it. [`ProgramBuilder`] makes one by
//! hand. A program is plain data: [`Program::validate`] says whether it makes sense.

mod builder;
mod effect;
mod endless;
mod expression;
mod ids;
mod object;
mod process;
mod program;
mod property;
mod recognise;
mod rewrite;
mod types;
mod validate;

pub use builder::{ProcessBuilder, ProgramBuilder, TransitionBuilder};
pub use effect::{Effect, Pattern, Target};
pub(crate) use endless::is_acyclic;
pub use expression::{
    BinaryOperator, ChannelRef, Expression, ProcessQuestion, RemotePart, UnaryOperator, VariableRef,
};
pub use ids::{ChannelIndex, DeclaredObject, GlobalId, LocalId, LocationId, OwnChannel, TypeId};
pub use object::{Object, ObjectKind};
pub use process::{DeadStatement, Location, ProcessType, Transition};
pub use program::{
    Channel, DEFAULT_PROCESS_LIMIT, ExclusiveClaim, HIGHEST_CHANNEL_LIMIT, HIGHEST_PROCESS_LIMIT, Names,
    Program, Start, Variable,
};
pub use property::{Formula, FormulaOperator, Property, PropertyKind};
pub use types::Type;
pub use validate::{HIGHEST_DEPTH, HIGHEST_HANDSHAKE_ALTERNATIVES};
