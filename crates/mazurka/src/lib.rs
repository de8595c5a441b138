//! Mazurka for people who write models in Rust.

mod assertion;
mod describe;
mod encode;
mod footprints;
mod model;
mod native;
mod relations;
mod scratch;

pub use assertion::{Assertion, Assertions};
pub use encode::{Encode, EncodeError, Serialised};
pub use footprints::{Footprints, ObjectSet};
pub use mazurka_model::ProcessId;
pub use model::Model;
pub use native::Native;
pub use zerocopy;
