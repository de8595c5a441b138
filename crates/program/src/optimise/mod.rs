//! Programs with fewer states, or simpler steps, and the same behaviour.
//!
//! An optimisation keeps the numbers of steps: every run of the changed program is a run of the one that was written, with the same
//! violations and the same states up to what is never looked at again. So an error that is found in one is confirmed on the
//! other. What may be left out are runs that differ from another one only in when a process did something that concerns
//! nobody else.

mod dead;
mod fold;
mod merge;
mod outside;

use crate::ir::Program;
use crate::text;

/// Which optimisations are in force.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Optimisations {
    /// Locals that are not read again are reset ([`Program::reset_dead_variables`]).
    pub dead: bool,
    /// Local statements are merged with what leads to them ([`Program::merge_local_statements`]).
    pub merge: bool,
    /// Constants are folded ([`Program::fold_constants`]).
    pub fold: bool,
}

impl Optimisations {
    /// All there are.
    pub const ALL: Optimisations = Optimisations { dead: true, merge: true, fold: true };

    /// Whether there is one.
    pub fn any(self) -> bool {
        self != Optimisations::default()
    }
}

impl Program {
    /// Applies optimisations: constants first, which may make a step local.
    pub fn optimise(&mut self, which: Optimisations) {
        self.origin.get_or_insert(self.fingerprint());
        if which.fold {
            self.fold_constants();
        }
        if which.merge {
            self.merge_local_statements();
        }
        if which.dead {
            self.reset_dead_variables();
        }
    }

    /// A number that the program's meaning decides, the same from one build to the next: FNV-1a over its text without its name, which may
    /// be the path of a file.
    pub fn fingerprint(&self) -> u64 {
        text::print(&Program { name: String::new(), ..self.clone() })
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}
