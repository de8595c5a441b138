//! Shrinking: from a program that shows a difference to a small one that still does.
//!
//! Greedy: every simplification of the list is tried, and kept if the failure persists, until none
//! helps any more. Whole parts go first, then details, then declarations that nothing uses.

mod candidates;
mod rewrite;

use mazurka_program::Program;

/// The smallest program found for which `fails` still holds; it is asked at most `most_trials` times.
pub fn shrink(program: &Program, most_trials: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let mut trials = 0;
    loop {
        let mut simpler = None;
        for candidate in candidates::simpler(&smallest) {
            if trials == most_trials {
                return smallest;
            }
            if candidate == smallest || candidate.validate().iter().any(is_error) {
                continue;
            }
            trials += 1;
            if fails(&candidate) {
                simpler = Some(candidate);
                break;
            }
        }
        match simpler {
            Some(candidate) => smallest = candidate,
            None => return smallest,
        }
    }
}

fn is_error(diagnostic: &mazurka_model::source::Diagnostic) -> bool {
    diagnostic.severity == mazurka_model::source::Severity::Error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use mazurka_program::ir::Effect;

    fn sends(program: &Program) -> usize {
        let transitions = program.types.iter().flat_map(|t| &t.transitions);
        transitions.flat_map(|t| &t.effects).filter(|e| matches!(e, Effect::Send { .. })).count()
    }

    #[test]
    fn only_what_the_failure_needs_is_left() {
        let big = (0..).map(generate::program).find(|p| sends(p) > 2);
        let big = big.unwrap_or_default();
        let small = shrink(&big, 10_000, &mut |p| sends(p) > 0 && !p.initial.is_empty());
        assert_eq!(sends(&small), 1);
        assert_eq!(small.initial.len(), 1);
        assert_eq!(small.globals.len(), 0);
        let transitions: usize = small.types.iter().map(|t| t.transitions.len()).sum();
        assert_eq!(transitions, 1);
    }
}
