//! Are a model's footprints true? Compares what they say with what the actions do.

use crate::model::Model;
use crate::native::Native;
use mazurka_engine::contract;

/// At most this many broken rules are reported.
const MOST_BREACHES: usize = 10;

/// Explores a model without reduction, at most `most_states` states, and checks the rules on which
/// reductions rest: independent actions commute, nothing is touched that was not announced, step assertions
/// look only at what their action's footprint covers, and the model answers the same question twice in the
/// same way.
///
/// What it finds is a mistake in the model. Finding nothing is evidence as far as it explored, so run it in
/// a test, on an instance small enough to be `complete`.
///
/// ```no_run
/// # fn example(small_instance: &impl mazurka::Model) {
/// let report = mazurka::verify(small_instance, 100_000);
/// assert!(report.breaches.is_empty(), "{:#?}", report.breaches);
/// assert!(report.complete);
/// # }
/// ```
pub fn verify<M: Model>(model: &M, most_states: u64) -> contract::Report {
    let mut system = Native::new(model);
    // Assertions on whole states would hide the footprints, and promise nothing about them.
    system.assertions.retain(|assertion| !assertion.is_on_states());
    contract::verify(&system, most_states, MOST_BREACHES)
}
