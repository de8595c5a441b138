//! One table: models here and in SPIN, full search and simulation, the same, different or skipped.

use super::simulation::{self, End};
use super::{Counts, Verifier, ours, read};
use mazurka_program::Interpreter;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Everything compared is equal.
    Same(Counts),
    /// Something is not; the text says what.
    Different(String),
    /// There is nothing to compare, and why.
    Skipped(String),
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The model.
    pub path: PathBuf,
    /// What came of it.
    pub judgement: Judgement,
    /// How SPIN's simulation ended, if it ran.
    pub simulation: Option<End>,
}

/// Compares models, some at a time. The rows are in the order of the models.
pub fn rows(models: &[PathBuf], seconds: u64, most_states: u64, jobs: usize) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = models.get(index) else { return };
                    let row = row(path, seconds, most_states);
                    done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, row));
                }
            });
        }
    });
    let mut rows = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn row(path: &Path, seconds: u64, most_states: u64) -> Row {
    let judged = |judgement| Row { path: path.to_owned(), judgement, simulation: None };
    let program = match read(path) {
        Ok(program) => program,
        Err(why) if why.contains("unsupported") => {
            return judged(Judgement::Skipped(why));
        }
        Err(why) => {
            return judged(match Verifier::of_any_size(path, seconds) {
                Ok(_) => Judgement::Different(format!("refused, but not by SPIN: {why}")),
                Err(_) => Judgement::Skipped(format!("refused by both: {why}")),
            });
        }
    };
    let theirs = match Verifier::of_any_size(path, seconds) {
        Ok(counts) => counts,
        Err(why) => return judged(Judgement::Skipped(why)),
    };
    let ours = match ours(program.clone(), most_states) {
        Ok(counts) => counts,
        Err(why) => return judged(Judgement::Skipped(why)),
    };
    if ours != theirs {
        return judged(Judgement::Different(format!("SPIN {theirs}; ours {ours}")));
    }
    let only = Interpreter::new(program).ok().and_then(|system| simulation::only_run(&system));
    let simulation = simulation::theirs(path, 1).ok();
    let judgement = match contradiction(&ours, only, simulation) {
        Some(what) => Judgement::Different(what),
        None => Judgement::Same(ours),
    };
    Row { path: path.to_owned(), judgement, simulation }
}

/// What a simulation contradicts.
fn contradiction(counts: &Counts, only: Option<End>, simulation: Option<End>) -> Option<String> {
    let simulation = simulation?;
    if let Some(only) = only.filter(|only| *only != simulation) {
        return Some(format!("the only run {}, SPIN's simulation {}", only.name(), simulation.name()));
    }
    let impossible = match simulation {
        End::Violated => !counts.assertion,
        End::Stuck => !counts.invalid_end,
        End::Fine | End::Cut => false,
    };
    impossible
        .then(|| format!("SPIN's simulation {}, the full search {}", simulation.name(), counts.verdict()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_is_a_run_of_the_model() {
        let holds = Counts { states: 3, transitions: 3, assertion: false, invalid_end: false };
        assert_eq!(contradiction(&holds, Some(End::Fine), Some(End::Fine)), None);
        assert_eq!(contradiction(&holds, None, Some(End::Cut)), None);
        assert!(contradiction(&holds, None, Some(End::Stuck)).is_some());
        assert!(contradiction(&holds, None, Some(End::Violated)).is_some());
        assert!(contradiction(&holds, Some(End::Fine), Some(End::Cut)).is_some());
        let deadlock = Counts { invalid_end: true, ..holds };
        assert_eq!(contradiction(&deadlock, Some(End::Stuck), Some(End::Stuck)), None);
    }
}
