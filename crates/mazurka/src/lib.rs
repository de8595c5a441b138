//! Mazurka for people who write models in Rust.

mod assertion;
mod check;
mod counterexample;
mod describe;
mod encode;
mod footprints;
mod model;
mod native;
mod relations;
mod report;
mod scratch;

pub use assertion::{Assertion, Assertions};
pub use check::{Checker, check};
pub use counterexample::Counterexample;
pub use encode::{Encode, EncodeError, Serialised};
pub use footprints::{Footprints, ObjectSet};
pub use mazurka_engine::{
    Config, Dependency, Guarantee, Limits, Method, Monitor, Order, Outcome, Progress, Properties, Reduction,
    SearchKind, Silent, Statistics, Stop, Verdict,
};
pub use mazurka_model::object::ObjectType;
pub use mazurka_model::{
    Access, FindingKind, Footprint, ObjectId, Operand, Operation, OperationKind, ProcessId, Step, System, object,
};
pub use report::Report;
pub use model::Model;
pub use native::Native;
