//! Why a command could not do its work, with the exit code that says whose fault it is.

use crate::Exit;
use mazurka_model::source::{Diagnostic, SourceMap};
use mazurka_report::{Colour, diagnostic};
use std::io::Write;

/// A command that could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The command line, or a file it names, is wrong.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// The model is wrong.
    Model(Vec<Diagnostic>, SourceMap),
    /// Stopped by the user before there was anything to say.
    Interrupted,
    /// A defect of this program.
    Internal(String),
}

impl Failure {
    /// The command line, or a file it names, is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: None }
    }

    /// With advice.
    pub fn help(self, advice: impl Into<String>) -> Failure {
        match self {
            Failure::Usage { message, .. } => Failure::Usage { message, help: Some(advice.into()) },
            other => other,
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage { .. } | Failure::Model(..) => 2,
            Failure::Interrupted => Exit::Unknown.code(),
            Failure::Internal(_) => 4,
        }
    }

    /// Tells the user, on standard error. If even that is closed, the exit code has to do.
    pub fn show(&self, colour: Colour) {
        let mut text = String::new();
        match self {
            Failure::Usage { message, help } => {
                text.push_str(&format!("{} {message}\n", colour.bad("error:")));
                if let Some(help) = help {
                    text.push_str(&format!("  {} {help}\n", colour.strong("help:")));
                }
            }
            Failure::Model(diagnostics, sources) => {
                for one in diagnostics {
                    text.push_str(&diagnostic::render(one, sources, colour));
                    text.push_str("\n\n");
                }
            }
            Failure::Interrupted => text.push_str("interrupted\n"),
            Failure::Internal(message) => {
                text.push_str(&format!("{} {message}\n", colour.bad("internal error:")));
                text.push_str(
                    "This is a defect of mazurka, not of your model. Please report it, with the model and \
                     the command line.\n",
                );
            }
        }
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
