//! The corpus: models in `testdata/`, whose headers say what is expected of them.
//!
//! A header is the block of comments at the top of a file:
//!
//! ```text
//! // Two processes wait for each other.
//! // expect: deadlock
//! // states: 12
//! ```
//!
//! `expect` lists errors (`deadlock`, `assertion`, `fault`) or is `holds`; `states` is the number of
//! states of the full state space, and `deadlocks` the number of deadlock states.

use crate::oracle::Facts;
use mazurka_model::source::Severity;
use mazurka_program::{Program, text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A model and what is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Its file.
    pub path: PathBuf,
    /// The program.
    pub program: Program,
    /// The kinds of error it has; none if it holds.
    pub errors: BTreeSet<String>,
    /// How many states it has.
    pub states: u64,
    /// How many deadlock states it has, if the header says so.
    pub deadlocks: Option<u64>,
}

impl Model {
    /// What the facts contradict in the header.
    pub fn contradicted(&self, facts: &Facts) -> Option<String> {
        let mut errors: BTreeSet<String> =
            facts.violated.iter().map(|(kind, _)| (*kind).to_owned()).collect();
        if !facts.deadlocks.is_empty() {
            errors.insert("deadlock".to_owned());
        }
        if errors != self.errors {
            return Some(format!("errors expected: {:?}, found: {errors:?}", self.errors));
        }
        if facts.states != self.states {
            return Some(format!("{} states expected, there are {}", self.states, facts.states));
        }
        let deadlocks = facts.deadlocks.len() as u64;
        if self.deadlocks.is_some_and(|expected| expected != deadlocks) {
            return Some(format!("{:?} deadlocks expected, there are {deadlocks}", self.deadlocks));
        }
        None
    }
}

/// The directory of the corpus.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// All models below a directory, by name.
pub fn models(directory: &Path) -> Result<Vec<Model>, String> {
    let mut paths = Vec::new();
    let entries = std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.extension().is_some_and(|e| e == "mzk") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// Reads one model.
pub fn read(path: &Path) -> Result<Model, String> {
    let source = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let complain = |message: String| format!("{}: {message}", path.display());
    let parsed = text::parse(&path.display().to_string(), &source);
    let errors: Vec<String> = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| d.message.clone())
        .collect();
    let program = match parsed.program {
        Some(program) if errors.is_empty() => program,
        _ => return Err(complain(errors.join("; "))),
    };
    let entry = |name: &str| {
        source
            .lines()
            .map_while(|line| line.strip_prefix("//"))
            .find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'))
            .map(str::trim)
    };
    let number = |name: &str| match entry(name) {
        None => Ok(None),
        Some(value) => {
            value.parse().map(Some).map_err(|_| complain(format!("{name}: `{value}` is no number")))
        }
    };
    let expected =
        entry("expect").ok_or_else(|| complain("the header does not say what to expect".to_owned()))?;
    let errors: BTreeSet<String> =
        expected.split(',').map(|e| e.trim().to_owned()).filter(|e| e != "holds").collect();
    if let Some(unknown) = errors.iter().find(|e| !["deadlock", "assertion", "fault"].contains(&e.as_str())) {
        return Err(complain(format!("`{unknown}` can't be expected")));
    }
    let states =
        number("states")?.ok_or_else(|| complain("the header does not give the states".to_owned()))?;
    Ok(Model { path: path.to_owned(), program, errors, states, deadlocks: number("deadlocks")? })
}
