//! Networks of virtual finite state machines (VFSM), after Godefroid, Peled and Staskauskas, "Using partial-order
//! methods in the formal validation of industrial concurrent programs" (1996).
//!
//! [`parse`] reads a `.vfsm` file into a [`Network`]; [`VfsmSystem`] explores it: processors and timers are the
//! processes of the engine, queues and timers its objects. The persistent sets of the paper's Figure 5 are the
//! system's own ([`mazurka_model::ClosedSets`]), from the kind of [`Information`] that is asked for.
//!
//! ```
//! use mazurka_front::vfsm;
//! use mazurka_model::{Batch, Chosen, System};
//!
//! let text = "machine LAMP { inputs I_PUSH; events PUSH; on PUSH: +I_PUSH;
//!     DARK { NS: I_PUSH > BRIGHT; } BRIGHT end { } }
//!   system s { processor p { lamp: LAMP; } initially lamp.PUSH; }";
//! let parsed = vfsm::parse("lamp.vfsm", text, &[]);
//! let system = vfsm::VfsmSystem::new(parsed.network.expect("the file is right"));
//! let (mut first, mut second) = (Batch::default(), Batch::default());
//! system.initial(&mut first);
//! system.expand(first.state(0), Chosen::All, &mut second);
//! assert!(system.valid_end(second.state(0)));
//! ```

mod ast;
mod atoms;
mod describe;
mod elaborate;
mod information;
mod layout;
mod lex;
pub mod network;
mod parse;
mod persistent;
mod relations;
mod run;
pub mod scxml;
mod system;
mod table;

pub use atoms::{Condition, NetworkAtoms};
pub use information::Information;
pub use network::Network;
pub use system::VfsmSystem;

use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};

/// What came of a file.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The network, unless there is an error.
    pub network: Option<Network>,
    /// What is wrong with the file, or odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The file.
    pub sources: SourceMap,
}

/// Reads a network from the text of a file; `defines` give constants of the file other values.
pub fn parse(name: &str, text: &str, defines: &[(String, String)]) -> Parsed {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let tree = parse::parse(file, text, &mut diagnostics);
    finish(tree, sources, text, defines, diagnostics)
}

/// Makes a network of a tree, whatever it was read from.
fn finish(
    tree: ast::File,
    sources: SourceMap,
    text: &str,
    defines: &[(String, String)],
    mut diagnostics: Vec<Diagnostic>,
) -> Parsed {
    let failed = |all: &[Diagnostic]| all.iter().any(|one| one.severity == Severity::Error);
    let whole = Span { file: 0, start: 0, end: text.find('\n').unwrap_or(text.len()) as u32 };
    let unread = failed(&diagnostics);
    let mut network = elaborate::elaborate(&tree, defines, whole, &mut diagnostics);
    // Where something could not be read, what is missing is no news, but a mistake in what was read is.
    if unread {
        diagnostics
            .retain(|one| one.severity == Severity::Error && !one.message.starts_with("there is no system"));
    }
    diagnostics.sort_by_key(|one| one.span);
    network.sources = sources.clone();
    network.fingerprint = fingerprint(text, defines);
    let network = (!failed(&diagnostics)).then_some(network);
    Parsed { network, diagnostics, sources }
}

/// FNV-1a over the text and the constants.
fn fingerprint(text: &str, defines: &[(String, String)]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let parts = defines.iter().flat_map(|(name, value)| [name.as_str(), "=", value.as_str(), ";"]);
    for byte in std::iter::once(text).chain(parts).flat_map(str::bytes) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}
