//! Machine code for programs, made by Cranelift.
//!
//! [`Compiled`] is a program's [`System`](mazurka_model::System) whose moves are machine code: the guards and
//! effects of each process type in one function that switches on the location. States, steps, their order,
//! violations and coverage are those of the [interpreter](mazurka_program::Interpreter), which is the
//! oracle of this crate and its partner: it computes what is rare, does every step that goes wrong, and
//! answers all that is not asked for every state. So a search, a reduction or a report can't tell which of
//! the two it works with.
//!
//! ```
//! use mazurka_jit::Compiled;
//! use mazurka_model::{Batch, Chosen, System};
//! use mazurka_program::{Interpreter, text};
//!
//! let source = "program p\nvar n: byte = 3\nprocess P() {\n  a -> a when n > 0 do n = n - 1\n}\nstart P()\n";
//! let program = text::parse("p.mzk", source).program.expect("valid");
//! let interpreter = Interpreter::new(program).expect("valid");
//! let compiled = Compiled::new(Box::new(interpreter)).expect("this machine is supported");
//! let (mut initial, mut one, mut other) = (Batch::default(), Batch::default(), Batch::default());
//! compiled.initial(&mut initial);
//! compiled.expand(initial.state(0), Chosen::All, &mut one);
//! compiled.interpreter().expand(initial.state(0), Chosen::All, &mut other);
//! assert_eq!(one.state(0), other.state(0));
//! ```
//!
//! What is not compiled: programs whose processes have priorities, process types of more than 10,000
//! transitions, and the sender's side of a handshake that does more than sending. On a machine that Cranelift
//! does not know, [`Compiled::new`] says so, and the interpreter can be used as it is.
//!
//! This crate sees `mazurka-model` and `mazurka-program` only. It is full of `unsafe`, in three places:
//! the functions that machine code calls (`assistance`), the memory of the code (`module`), and its calls (`system`).

mod assistance;
mod context;
mod emit;
mod module;
mod several;
mod system;

pub use system::{Compiled, Coverage};

use std::fmt;

/// Why a program can't be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}
