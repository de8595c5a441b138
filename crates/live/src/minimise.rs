//! Failing executions with fewer switches between threads.
//!
//! A switch is taken out by letting the thread that runs go on where another one took over: its next steps are
//! moved forward. What still fails in the same way, with fewer switches or steps, is kept. This goes on until
//! nothing helps any more, so no single switch of the result can be taken out this way; a shorter execution of
//! another kind may exist.

use crate::failure::Failure;
use crate::search::replay::Schedule;

/// The most executions that are spent on it.
const TRIES: usize = 400;

fn cost(failure: &Failure) -> (usize, usize) {
    (failure.switches(), failure.schedule.len())
}

/// Moves the next block of the thread that runs before the block that starts at `place`.
fn moved(schedule: &Schedule, place: usize) -> Option<Schedule> {
    let thread = schedule.get(place.checked_sub(1)?)?.0;
    let from = place + schedule[place..].iter().position(|step| step.0 == thread)?;
    let length = schedule[from..].iter().take_while(|step| step.0 == thread).count();
    let mut next = schedule[..place].to_vec();
    next.extend_from_slice(&schedule[from..from + length]);
    next.extend_from_slice(&schedule[place..from]);
    next.extend_from_slice(&schedule[from + length..]);
    Some(next)
}

/// Leaves out the block that starts at `place`: the thread does its part when nobody else can go on.
fn without(schedule: &Schedule, place: usize) -> Schedule {
    let thread = schedule[place].0;
    let length = schedule[place..].iter().take_while(|step| step.0 == thread).count();
    let mut next = schedule[..place].to_vec();
    next.extend_from_slice(&schedule[place + length..]);
    next
}

/// Makes a failure switch less, as far as executing it again and again shows how.
pub(crate) fn shorten(failure: &mut Failure, mut execute: impl FnMut(Schedule) -> Option<Failure>) {
    let mut tries = 0;
    let mut better = true;
    while better && tries < TRIES {
        better = false;
        let starts = (1..failure.schedule.len())
            .filter(|&place| failure.schedule[place].0 != failure.schedule[place - 1].0);
        let places: Vec<usize> = starts.collect();
        'places: for place in places {
            let candidates = [moved(&failure.schedule, place), Some(without(&failure.schedule, place))];
            for candidate in candidates.into_iter().flatten() {
                if tries >= TRIES {
                    return;
                }
                tries += 1;
                let Some(other) = execute(candidate) else { continue };
                if other.kind.same_sort(&failure.kind) && cost(&other) < cost(failure) {
                    *failure = other;
                    better = true;
                    break 'places;
                }
            }
        }
    }
}
