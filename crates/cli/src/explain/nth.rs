//! The state with a number: in the order of a breadth-first search without reduction.

use crate::failure::Failure;
use crate::monitor;
use crate::options::most_memory;
use mazurka_engine::{Config, Expansion, Limits, Method, Monitor, Properties, Reduction, SearchKind, Stop};
use mazurka_model::System;
use mazurka_report::number::counted;
use std::sync::Mutex;

/// Counts states until the one that is wanted.
struct Counter {
    wanted: u64,
    seen: Mutex<(u64, Option<Vec<u8>>)>,
}

impl Monitor for Counter {
    fn interrupted(&self) -> bool {
        monitor::interrupted() || self.seen.lock().is_ok_and(|seen| seen.1.is_some())
    }

    fn watches(&self) -> bool {
        true
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        let Ok(mut seen) = self.seen.lock() else { return };
        if seen.0 == self.wanted {
            seen.1 = Some(expansion.state.to_vec());
        }
        seen.0 += 1;
    }
}

/// State number `wanted`, from 0.
pub fn state(system: &dyn System, wanted: u64) -> Result<Vec<u8>, Failure> {
    monitor::catch_interrupts();
    let counter = Counter { wanted, seen: Mutex::default() };
    let config = Config {
        reduction: Reduction { method: Method::None, sleep: false },
        search: SearchKind::Bfs,
        // Errors are of no interest here, and looking for them would cost traces.
        properties: Properties { deadlock: false, assertions: false, unreached: false, reception: false },
        limits: Limits { memory: most_memory(), ..Limits::default() },
        max_errors: 0,
        ..Config::default()
    };
    let outcome = mazurka_engine::check(system, &config, &counter);
    let (seen, found) = counter.seen.into_inner().unwrap_or_default();
    match (found, outcome.stopped) {
        (Some(state), _) => Ok(state),
        (None, Some(Stop::Interrupted)) => Err(Failure::Interrupted),
        (None, Some(stop)) => {
            Err(Failure::usage(format!("state {wanted} was not reached: {}", stop.reason())))
        }
        (None, None) => Err(Failure::usage(format!("there is no state {wanted}"))
            .help(format!("the model has {}, numbered from 0", counted(seen, "state")))),
    }
}
