//! SPIN's verifiers: generated, compiled, run, and their reports read.

use super::{Counts, in_scratch, loses, runs, without_claims};
use std::path::Path;
use std::process::Command;

/// How a verifier is made and how far it goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    /// The C compiler.
    pub compiler: &'static str,
    /// How much it optimises.
    pub optimisation: &'static str,
    /// The verifier's longest path.
    pub depth: u32,
    /// The verifier's table has two to the power of this many slots.
    pub hash_bits: u32,
    /// How many seconds the verifier may run.
    pub seconds: u64,
    /// With SPIN's own reduction.
    pub reduced: bool,
}

impl Verifier {
    /// For models of any size.
    pub fn patient(seconds: u64) -> Verifier {
        let (compiler, optimisation) = ("gcc", "-O1");
        Verifier { compiler, optimisation, depth: 2_000_000, hash_bits: 24, seconds, reduced: false }
    }

    /// For many small models: what counts is how long the C compiler takes.
    pub fn quick() -> Verifier {
        Verifier { optimisation: "-O0", depth: 100_000, hash_bits: 16, ..Verifier::patient(20) }
    }

    /// The same with a compiler that is many times faster, if it is installed.
    pub fn quickest() -> Verifier {
        let compiler = if runs("tcc", "-v") { "tcc" } else { "gcc" };
        Verifier { compiler, ..Verifier::quick() }
    }

    /// Lets SPIN verify a model: with the quickest verifier, and if that does not get to the end, with a
    /// patient one.
    pub fn of_any_size(path: &Path, seconds: u64) -> Result<Counts, String> {
        let quick = Verifier { seconds: 3, ..Verifier::quickest() };
        quick.theirs(path).or_else(|_| Verifier::patient(seconds).theirs(path))
    }

    /// Lets SPIN verify a model.
    pub fn theirs(&self, path: &Path) -> Result<Counts, String> {
        let path = path.canonicalize().map_err(|e| e.to_string())?;
        in_scratch(|directory| self.verify(&path, directory))
    }

    /// Lets SPIN verify a model that is in no file.
    pub fn theirs_of(&self, text: &str) -> Result<Counts, String> {
        in_scratch(|directory| {
            let path = directory.join("text.pml");
            std::fs::write(&path, text).map_err(|e| e.to_string())?;
            self.verify(&path, directory)
        })
    }

    fn verify(&self, path: &Path, directory: &Path) -> Result<Counts, String> {
        let run = |program: &str, arguments: &[&str]| {
            Command::new(program).args(arguments).current_dir(directory).output().map_err(|e| e.to_string())
        };
        let shown = without_claims(path, directory)?.unwrap_or(path.to_owned());
        let shown = shown.to_string_lossy();
        let text = std::fs::read(path).map_err(|e| e.to_string())?;
        let lose = if loses(&String::from_utf8_lossy(&text)) { "-m" } else { "-o1" };
        let generated = run("spin", &[lose, "-o1", "-o2", "-o3", "-a", &shown])?;
        if !generated.status.success() || !directory.join("pan.c").exists() {
            let mut text = String::from_utf8_lossy(&generated.stdout).into_owned();
            text.push_str(&String::from_utf8_lossy(&generated.stderr));
            // Errors that SPIN itself goes on after stand before the one that matters.
            let last = text.lines().rfind(|line| line.contains("rror"));
            let message = last.or(text.lines().next()).unwrap_or_default();
            return Err(format!("spin ({}): {message}", generated.status));
        }
        let reduction = if self.reduced { "-DSAFETY" } else { "-DNOREDUCE" };
        let options = [self.optimisation, "-w", "-DSAFETY", reduction, "-DNOCLAIM", "-o", "pan", "pan.c"];
        let compiled = run(self.compiler, &options)?;
        if !compiled.status.success() {
            let text = String::from_utf8_lossy(&compiled.stderr).into_owned();
            let first = text.lines().find(|line| line.contains("error")).unwrap_or_default();
            return Err(format!("the verifier can't be compiled: {first}"));
        }
        let (limit, depth, bits) =
            (self.seconds.to_string(), format!("-m{}", self.depth), format!("-w{}", self.hash_bits));
        let verified = run("timeout", &[&limit, "./pan", &depth, &bits, "-c0", "-n"])?;
        parse_report(&String::from_utf8_lossy(&verified.stdout))
    }
}

/// Reads a verifier's report.
fn parse_report(text: &str) -> Result<Counts, String> {
    let number = |what: &str| -> Option<u64> {
        let line = text.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|value| value as u64)
    };
    if text.contains("max search depth too small") || text.contains("Search not completed") {
        return Err("the search is not complete".into());
    }
    match (number("states, stored"), number("transitions (= stored+matched)")) {
        (Some(states), Some(transitions)) => Ok(Counts {
            states,
            transitions,
            assertion: ["assertion violated", "d_step", "non-determinism in D_proctype"]
                .iter()
                .any(|error| text.contains(error)),
            invalid_end: text.contains("invalid end state ("),
        }),
        // A verifier that is stopped has said how far it was, if anything.
        _ => Err(match text.lines().find(|line| !line.trim().is_empty() && !line.contains("States=")) {
            Some(line) => format!("no result: {line}"),
            None => "out of time".to_owned(),
        }),
    }
}
