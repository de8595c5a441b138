//! The rows of Table II for DTP with state compression, Algorithm 4: what it saves and what it costs.
//!
//! Numbers of bytes and seconds of 1992 can't be compared with ours, so both are given in relation to the same
//! search without compression: of states as they are, a byte for each variable, as in the paper. What is saved of plain records, which leave
//! out bytes that are zero anyway, is beside it. Bytes are those of the whole store, its table included. Times are measured
//! once and depend on the machine: they are shown, and nothing is made of them.

use super::dtp;
use super::{Bench, MEMORY};
use crate::failure::Failure;
use crate::load;
use mazurka_engine::{Codec, Config, Dependency, Limits, Properties, Stop};
use mazurka_model::System;
use mazurka_report::{Colour, number};
use std::io::Write;

/// A row: its name, our options, and the paper's seconds and megabytes without and with compression.
struct Theirs {
    name: &'static str,
    reduction: &'static str,
    codec: Codec,
    without: (f64, f64),
    with: (f64, f64),
}

const THEIRS: [Theirs; 4] = [
    Theirs {
        name: "1+4' run-length",
        reduction: "none",
        codec: Codec::RunLength,
        without: (40.8, 36.6),
        with: (114.4, 33.5),
    },
    Theirs {
        name: "1+4 Huffman",
        reduction: "none",
        codec: Codec::Huffman,
        without: (40.8, 36.6),
        with: (83.5, 15.1),
    },
    Theirs {
        name: "2+4 Huffman",
        reduction: "local",
        codec: Codec::Huffman,
        without: (8.7, 13.9),
        with: (16.3, 6.2),
    },
    Theirs {
        name: "2+3+4 Huffman",
        reduction: "local+sleep",
        codec: Codec::Huffman,
        without: (13.8, 10.4),
        with: (18.2, 4.8),
    },
];

/// Writes the table, for the reductions that were asked for.
pub fn write(bench: &Bench<'_>, out: &mut dyn Write, colour: Colour) -> Result<(), Failure> {
    let loaded = load::model(&dtp::file(bench.arguments)?, &load::How::default())?;
    let written = |error| Failure::Internal(format!("the table can't be written: {error}"));
    let title = "Table II, DTP with state compression: bytes and time in relation to the search without";
    writeln!(out, "\n{}", colour.strong(title)).map_err(written)?;
    let heading = format!(
        "{:16} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "", "bytes paper", "ours", "of plain", "time paper", "ours", "a state"
    );
    writeln!(out, "{}", colour.dim(&heading)).map_err(written)?;
    for row in THEIRS.iter().filter(|row| bench.wants(row.reduction)) {
        let measure = |codec| measure(bench, loaded.system(), row.reduction, codec);
        let (Some(plain), Some(without), Some(with)) =
            (measure(Codec::Plain)?, measure(Codec::None)?, measure(row.codec)?)
        else {
            writeln!(out, "{:16} {:>12}", row.name, "too long").map_err(written)?;
            continue;
        };
        let share = |with: f64, without: f64| format!("{:.1} %", 100.0 * with / without);
        let factor = |with: f64, without: f64| format!("x {:.2}", with / without);
        writeln!(
            out,
            "{:16} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}",
            row.name,
            share(row.with.1, row.without.1),
            share(with.1 as f64, without.1 as f64),
            share(with.1 as f64, plain.1 as f64),
            factor(row.with.0, row.without.0),
            factor(with.0, without.0),
            number::bytes(with.1 / with.2.max(1)),
        )
        .map_err(written)?;
    }
    Ok(())
}

/// Seconds, bytes of the store and states of one search; `None` if it met a limit.
fn measure(
    bench: &Bench<'_>,
    system: &dyn System,
    reduction: &str,
    codec: Codec,
) -> Result<Option<(f64, u64, u64)>, Failure> {
    let config = Config {
        reduction: reduction.parse().map_err(|error| Failure::Internal(format!("{error}")))?,
        dependency: Dependency::Conditional,
        properties: Properties { unreached: false, ..Properties::default() },
        limits: Limits {
            states: Some(bench.arguments.states),
            time: Some(bench.arguments.time),
            memory: Some(MEMORY),
            depth: None,
        },
        codec,
        ..Config::default()
    };
    let outcome = mazurka_engine::check(system, &config, &bench.watch);
    let counts = outcome.statistics;
    match outcome.stopped {
        None => Ok(Some((counts.search_time.as_secs_f64(), counts.store_bytes, counts.states))),
        Some(Stop::Interrupted) => Err(Failure::Interrupted),
        Some(_) => Ok(None),
    }
}
