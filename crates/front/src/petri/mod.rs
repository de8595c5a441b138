//! Petri nets: place/transition nets in PNML, explored directly as a system.
//!
//! [`parse`] reads a net, [`NetSystem`] explores it: each transition is a process with a single move and each
//! place an object of the library, so that the engine's stubborn sets work on transitions. An invariant on
//! markings ([`expression`] reads one, [`contest`] the property files of the Model Checking Contest) is
//! checked on states, and what may break it steers the reduction. Temporal properties ([`linear`]) look at markings
//! by their conditions ([`atoms`]).
//!
//! ```
//! use mazurka_front::petri;
//! use mazurka_model::{Chosen, System};
//!
//! let text = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
//!   <place id="p"><initialMarking><text>1</text></initialMarking></place> <place id="q"/>
//!   <transition id="t"/> <arc source="p" target="t"/> <arc source="t" target="q"/>
//! </net></pnml>"#;
//! let parsed = petri::parse("n.pnml", text);
//! let system = petri::NetSystem::new(parsed.net.expect("the net is right"));
//! let mut states = mazurka_model::Batch::default();
//! system.initial(&mut states);
//! assert_eq!(states.state(0), [1, 0]);
//! ```

pub mod atoms;
pub mod contest;
mod describe;
pub mod expression;
pub mod formula;
pub mod linear;
pub mod marking;
pub mod net;
mod pnml;
mod relations;
mod system;
pub mod unbounded;
pub(crate) mod xml;

pub use formula::Formula;
pub use linear::Linear;
pub use marking::Width;
pub use net::Net;
pub use pnml::{Parsed, parse};
pub use system::NetSystem;
