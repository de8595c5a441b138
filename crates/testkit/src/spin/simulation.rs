//! Random simulation: a run of SPIN's simulator must end as our full search says that runs can end.
//!
//! A simulation that violates an assertion, or stops where some process is at no end, is a run of the
//! model, so the full search must have found such an error. Where the model has one run only, both tools
//! must end that run in the same way; what the run is here is found by following the interpreter.

use super::{in_scratch, loses, without_claims};
use mazurka_model::{Batch, Chosen, System, ViolationKind};
use std::path::Path;
use std::process::Command;

/// How a run ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All processes have gone, or stand at ends.
    Fine,
    /// An assertion was violated.
    Violated,
    /// Nothing can move, and some process stands at no end.
    Stuck,
    /// It goes on.
    Cut,
}

impl End {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            End::Fine => "ends",
            End::Violated => "violates",
            End::Stuck => "stuck",
            End::Cut => "goes on",
        }
    }
}

/// Steps after which a simulation is cut.
const MOST_STEPS: usize = 10_000;

/// How a random simulation of SPIN's ends.
pub fn theirs(path: &Path, seed: u32) -> Result<End, String> {
    let path = path.canonicalize().map_err(|e| e.to_string())?;
    in_scratch(|directory| {
        let shown = without_claims(&path, directory)?.unwrap_or(path.clone());
        let text = std::fs::read(&path).map_err(|e| e.to_string())?;
        let lose = if loses(&String::from_utf8_lossy(&text)) { "-m" } else { "-b" };
        let (seed, steps) = (format!("-n{seed}"), format!("-u{MOST_STEPS}"));
        let output = Command::new("timeout")
            .args(["10", "spin", lose, "-b", "-T", &seed, &steps])
            .arg(&shown)
            .current_dir(directory)
            .output()
            .map_err(|e| e.to_string())?;
        end(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| "no end".to_owned())
    })
}

/// What the output of a simulation says.
fn end(text: &str) -> Option<End> {
    if text.contains("assertion violated") {
        return Some(End::Violated);
    }
    if text.contains("depth-limit") {
        return Some(End::Cut);
    }
    if !text.contains("created") {
        return None;
    }
    let at_no_end = |line: &str| line.contains(":\tproc") && !line.contains("<valid end state>");
    Some(if text.lines().any(at_no_end) { End::Stuck } else { End::Fine })
}

/// How the only run ends; `None` if there are several, or it is long.
pub fn only_run(system: &dyn System) -> Option<End> {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    for _ in 0..MOST_STEPS {
        if batch.len() > 1 {
            return None;
        }
        if batch.violations().iter().any(|v| v.kind == ViolationKind::Assertion) {
            return Some(End::Violated);
        }
        let state = batch.state(0).to_vec();
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        if batch.is_empty() && batch.violations().is_empty() {
            return Some(if system.valid_end(&state) { End::Fine } else { End::Stuck });
        }
        if batch.is_empty() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spin::program;
    use mazurka_program::Interpreter;

    fn run(text: &str) -> Option<End> {
        only_run(&Interpreter::new(program("model", text).unwrap()).unwrap())
    }

    #[test]
    fn the_only_run_is_followed_to_its_end() {
        assert_eq!(run("byte x; active proctype P() { x = 1; assert(x == 1) }"), Some(End::Fine));
        assert_eq!(run("byte x; active proctype P() { x = 1; assert(x == 2); x = 2 }"), Some(End::Violated));
        assert_eq!(run("byte x; active proctype P() { x = 1; x == 2 }"), Some(End::Stuck));
        assert_eq!(run("byte x; active proctype P() { x = 1; end: x == 2 }"), Some(End::Fine));
        assert_eq!(run("byte x; active proctype P() { do :: x = 1 - x od }"), None);
        assert_eq!(run("byte x; active proctype P() { if :: x = 1 :: x = 2 fi }"), None);
    }

    #[test]
    fn outputs_are_understood() {
        assert_eq!(end("2 processes created\n"), Some(End::Fine));
        assert_eq!(
            end("timeout\n  6:\tproc  0 (P:1) m.pml:6 (state 2)\n1 process created\n"),
            Some(End::Stuck)
        );
        let valid = "timeout\n  6:\tproc  0 (P:1) m.pml:6 (state 2) <valid end state>\n1 process created\n";
        assert_eq!(end(valid), Some(End::Fine));
        assert_eq!(end("depth-limit (-u10 steps) reached\n"), Some(End::Cut));
        assert_eq!(end("spin: m.pml:3, Error: assertion violated\n"), Some(End::Violated));
        assert_eq!(end(""), None);
    }
}
