//! An infinite run of a system with fewer states as one of the system that it stands for.
//!
//! Where states are merged that differ only in what is never looked at again, steps may lead back to a state that
//! is the same but for that. They can be taken again and again in the system with all its states too, and since
//! what they store depends only on what is looked at, a state comes back there as well: after a few more steps, or a few rounds.

use crate::confirm::Walk;
use crate::refusal::{Reason, Refusal};
use mazurka_model::{System, Trace};
use std::collections::HashMap;

/// More steps than this are not taken.
const MOST_STEPS: usize = 10_000_000;

/// The run of `system` that takes the same steps for ever, as a trace whose repeated part leads back to the
/// state before it, as soon as one does. A trace that leads back by itself stays as it is.
pub fn unroll(system: &dyn System, trace: &Trace) -> Result<Trace, Refusal> {
    let Some(from) = trace.repeats.filter(|from| *from < trace.steps.len()) else { return Ok(trace.clone()) };
    let mut walk = Walk::start(system, trace.initial)?;
    let mut steps = trace.steps[..from].to_vec();
    for step in &steps {
        walk.advance(*step)?;
    }
    let round = &trace.steps[from..];
    // Where the state that a round begins in was met before.
    let mut met: HashMap<Vec<u8>, usize> = HashMap::new();
    loop {
        let here = steps.len();
        if let Some(earlier) = met.insert(walk.state().to_vec(), here) {
            let length = here - earlier;
            let repeats =
                (from..=earlier).find(|&place| walk.state_at(place) == walk.state_at(place + length));
            let repeats = repeats.unwrap_or(earlier);
            steps.truncate(repeats + length);
            return Ok(Trace { initial: trace.initial, steps, repeats: Some(repeats) });
        }
        if here > MOST_STEPS {
            return Err(Refusal { at: None, reason: Reason::NotRepeated });
        }
        for step in round {
            walk.advance(*step)?;
            steps.push(*step);
        }
    }
}
