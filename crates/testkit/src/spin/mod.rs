//! SPIN as an oracle: a Promela model must have as many states and transitions here as there.
//!
//! SPIN's verifier is made without statement merging, without dead-variable elimination and without
//! reduction, claims left out, and goes on after errors: it then visits the whole state space. What is
//! compared are the numbers of states stored and of transitions (stored and matched), and whether an
//! assertion was violated and an invalid end state reached. Nothing of SPIN is part of this project:
//! where it is not installed, there is nothing to compare with.

pub mod formulas;
pub mod measure;
pub mod simulation;
pub mod table;
mod verifier;

pub use verifier::Verifier;

use mazurka_engine::{Config, Limits, Method, Reduction, Silent, check};
use mazurka_front::promela::{Options, lower, parse};
use mazurka_model::source::Severity;
use mazurka_model::{FindingKind, ViolationKind};
use mazurka_program::{Interpreter, Program};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the package installs its examples.
pub const EXAMPLES: &str = "/usr/share/doc/spin/examples";

/// What a full search finds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// States stored.
    pub states: u64,
    /// Transitions: stored plus matched.
    pub transitions: u64,
    /// An assertion is violated.
    pub assertion: bool,
    /// An invalid end state is reached.
    pub invalid_end: bool,
}

impl Counts {
    /// The verdict in words.
    pub fn verdict(&self) -> &'static str {
        match (self.assertion, self.invalid_end) {
            (false, false) => "holds",
            (true, false) => "assertion",
            (false, true) => "deadlock",
            (true, true) => "assertion, deadlock",
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states, {} transitions, {}", self.states, self.transitions, self.verdict())
    }
}

/// A model with what it includes, without its never claims, read and lowered.
pub fn read(path: &Path) -> Result<Program, String> {
    let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    program(&path.display().to_string(), &claims_left_out(&text).unwrap_or(text.into_owned()))
}

/// A model from its text.
pub fn program(name: &str, text: &str) -> Result<Program, String> {
    let include = |from: &str, wanted: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok((path.display().to_string(), text))
    };
    let options = Options { include: Box::new(include), ..Options::default() };
    let parsed = parse(name, text, &options);
    let lowered = lower::lower(name, &parsed);
    let errors = parsed.diagnostics.iter().chain(&lowered.diagnostics);
    let errors: Vec<String> = errors
        .filter(|d| d.severity == Severity::Error)
        .map(|d| {
            let line = d.span.and_then(|span| parsed.sources.locate(span)).map_or(0, |place| place.line);
            format!("line {line}: {}", d.message)
        })
        .collect();
    let overflow = loses(text);
    lowered.program.map(|program| Program { overflow, ..program }).ok_or_else(|| errors.join("; "))
}

/// Whether a model's header says that a message sent to a full channel is lost.
pub(crate) fn loses(text: &str) -> bool {
    text.lines().any(|line| line == "// full-channel: lose")
}

/// Searches a program without reduction, storing at most `most_states` states.
pub fn ours(program: Program, most_states: u64) -> Result<Counts, String> {
    let reduction = Reduction { method: Method::None, sleep: false };
    ours_with(program, most_states, Config { reduction, ..Config::default() })
}

/// Searches a program with these options for all errors, storing at most `most_states` states.
pub fn ours_with(program: Program, most_states: u64, config: Config) -> Result<Counts, String> {
    let system = Interpreter::new(program)
        .map_err(|errors| errors.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))?;
    let limits = Limits { states: Some(most_states), ..config.limits };
    let config = Config { limits, max_errors: 0, ..config };
    let outcome = check(&system, &config, &Silent);
    if let Some(stop) = outcome.stopped {
        return Err(format!("the search ended early: {}", stop.reason()));
    }
    let assertion = outcome.findings.iter().any(|f| {
        matches!(f.kind, FindingKind::Step { kind: ViolationKind::Assertion | ViolationKind::Fault, .. })
    });
    let invalid_end = outcome.findings.iter().any(|f| f.kind == FindingKind::Deadlock);
    let statistics = &outcome.statistics;
    Ok(Counts { states: statistics.states, transitions: statistics.transitions(), assertion, invalid_end })
}

/// Whether SPIN and a C compiler are installed.
pub fn installed() -> bool {
    runs("spin", "-V") && runs("gcc", "--version")
}

/// Lets SPIN verify a model with its own reduction, for at most so many seconds.
pub fn theirs_reduced(path: &Path, seconds: u64) -> Result<Counts, String> {
    Verifier { reduced: true, ..Verifier::patient(seconds) }.theirs(path)
}

pub(crate) fn runs(program: &str, option: &str) -> bool {
    Command::new(program).arg(option).output().is_ok()
}

/// Does something in a directory of its own, which is gone afterwards.
pub(crate) fn in_scratch<T>(what: impl FnOnce(&Path) -> Result<T, String>) -> Result<T, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("spin-diff-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
    let result = what(&directory);
    let _ = std::fs::remove_dir_all(&directory);
    result
}

/// The text of a model without its never claims: a verifier made with them treats `timeout` in another way
/// even if they are left out later, and a label that a claim looks at may become a step. `None` if there
/// are none, or the model includes files.
fn claims_left_out(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    let mut found = false;
    while let Some(start) = text.find("\nnever").filter(|_| !text.contains("#include")) {
        let mut depth = 0;
        let end = text[start..].char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            (c == '}' && depth == 0).then_some(start + at + 1)
        });
        let Some(end) = end else { break };
        text.replace_range(start..end, "\n");
        found = true;
    }
    found.then_some(text)
}

/// A copy of a model without its never claims, if it has some.
pub(crate) fn without_claims(path: &Path, directory: &Path) -> Result<Option<PathBuf>, String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let Some(text) = claims_left_out(&String::from_utf8_lossy(&text)) else { return Ok(None) };
    let copy = directory.join("model.pml");
    std::fs::write(&copy, text).map_err(|e| e.to_string())?;
    Ok(Some(copy))
}

/// All models below a directory.
pub fn models(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
}
