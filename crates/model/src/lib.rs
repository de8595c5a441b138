//! The vocabulary every other crate speaks: processes, shared objects and the operations on them,
//! transition systems, footprints, traces, and diagnostics.
//!
//! The one idea behind all of Mazurka: processes communicate only by **operations on shared
//! objects**, and each [object type](object::ObjectType) knows which of its operations depend on
//! each other, in which states. A [`System`] is a transition system over flat byte states. What it
//! can say of the operations behind its steps ([`Relations`]) is all that a partial-order reduction
//! ever sees, so every reduction works for every kind of input.
//!
//! This crate sees nothing else of ours and has no dependencies.

pub mod atoms;
pub mod batch;
pub mod closed;
pub mod describe;
pub mod elsewhere;
pub mod event;
pub mod footprint;
pub mod future;
pub mod ids;
pub mod object;
pub mod operation;
pub mod source;
pub mod system;
pub mod trace;

pub use atoms::Atoms;
pub use batch::{Batch, Successor, Violation, ViolationKind};
pub use closed::{ClosedSets, Keep};
pub use describe::{Describe, Place, StepText};
pub use elsewhere::{Elsewhere, Known, Rank};
pub use event::{Event, EventKind};
pub use footprint::{Access, Footprint};
pub use future::{Future, Obstacles, Standpoint};
pub use ids::{ObjectId, ProcessId, Step};
pub use operation::{Operand, Operation, OperationKind};
pub use system::{Chosen, Frame, Lasting, Part, Relations, System, Width};
pub use trace::{Finding, FindingKind, Trace};
