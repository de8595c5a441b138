//! Table I of Godefroid, Peled and Staskauskas (1996) beside our own examples of the same names.
//!
//! The machines of the paper were never published, so the examples are written anew from its descriptions
//! (`testdata/vfsm`), and numbers can't agree. What must agree is the shape: what each kind of information gains on which
//! kind of network, and why. The runs are those of the paper: deadlocks only, persistent sets without sleep sets.

use super::{Bench, MEMORY};
use crate::failure::Failure;
use mazurka_engine::{Config, Limits, Method, Properties, Reduction, Stop};
use mazurka_front::vfsm::{Information, VfsmSystem, parse};
use mazurka_report::{Colour, number};
use std::io::Write;

/// The rows of an example.
const ROWS: [(&str, Option<Information>); 4] = [
    ("normal", None),
    ("PO (per-VFSM)", Some(Information::PerVfsm)),
    ("PO (per-state)", Some(Information::PerState)),
    ("PO (run-time)", Some(Information::RunTime)),
];

/// An example: its name, our model, and the paper's states, matches and seconds, row by row.
struct Example {
    name: &'static str,
    text: &'static str,
    theirs: [(u64, u64, u64); 4],
}

const EXAMPLES: [Example; 4] = [
    Example {
        name: "Speech Handler",
        text: include_str!("../../../../testdata/vfsm/speech_handler.vfsm"),
        theirs: [
            (8_650_617, 16_126_440, 1_729),
            (8_624_565, 15_581_858, 2_662),
            (8_264_211, 14_275_789, 2_524),
            (2_399_136, 1_920_942, 721),
        ],
    },
    Example {
        name: "Voice Storage",
        text: include_str!("../../../../testdata/vfsm/voice_storage.vfsm"),
        theirs: [
            (485_666, 672_370, 100),
            (455_535, 567_534, 121),
            (205_108, 127_140, 39),
            (153_453, 79_150, 54),
        ],
    },
    Example {
        name: "CD Rmv/Rst",
        text: include_str!("../../../../testdata/vfsm/cd_remove_restore.vfsm"),
        theirs: [
            (626_613, 2_873_113, 398),
            (590_406, 2_729_769, 414),
            (505_511, 2_650_478, 403),
            (505_119, 2_541_350, 646),
        ],
    },
    Example {
        name: "MFC signalling",
        text: include_str!("../../../../testdata/vfsm/mfc.vfsm"),
        theirs: [
            (17_587_557, 44_106_215, 3_413),
            (17_478_778, 43_152_269, 4_304),
            (11_911_066, 24_704_227, 2_735),
            (7_566_598, 12_265_716, 2_698),
        ],
    },
];

/// States, matches and seconds of one run of ours.
type Measured = (u64, u64, f64);

/// Writes the table; how many of the statements about its shape are false.
pub fn write(bench: &Bench<'_>, out: &mut dyn Write, colour: Colour) -> Result<usize, Failure> {
    let written = |error| Failure::Internal(format!("the table can't be written: {error}"));
    let title =
        "Table I of Godefroid, Peled and Staskauskas 1996, and examples of ours after its descriptions";
    writeln!(out, "{}", colour.strong(title)).map_err(written)?;
    let heading = format!(
        "{:15} {:15} {:>12} {:>12} {:>12} {:>8}   {:>12} {:>12} {:>12} {:>8}",
        "Example",
        "Algorithm",
        "States",
        "Matches",
        "Transitions",
        "Time",
        "States",
        "Matches",
        "Transitions",
        "Time"
    );
    writeln!(out, "{}", colour.dim(&format!("{:31} paper {:47} ours", "", ""))).map_err(written)?;
    writeln!(out, "{}", colour.dim(&heading)).map_err(written)?;
    let mut all = Vec::new();
    for example in &EXAMPLES {
        let mut rows = Vec::new();
        for (row, (name, information)) in ROWS.iter().enumerate() {
            let measured = measure(bench, example, *information)?;
            let (states, matches, seconds) = example.theirs[row];
            let shown = if row == 0 { example.name } else { "" };
            write!(
                out,
                "{shown:15} {name:15} {:>12} {:>12} {:>12} {:>7}s",
                number::count(states),
                number::count(matches),
                number::count(states + matches),
                number::count(seconds)
            )
            .map_err(written)?;
            match measured {
                Some((states, matches, seconds)) => writeln!(
                    out,
                    "   {:>12} {:>12} {:>12} {seconds:>7.2}s",
                    number::count(states),
                    number::count(matches),
                    number::count(states + matches)
                ),
                None => writeln!(out, "   {:>12}", "too long"),
            }
            .map_err(written)?;
            rows.extend(measured);
        }
        all.push(rows);
    }
    let mut wrong = 0;
    for (statement, holds) in statements(&all) {
        let verdict = match holds {
            Some(true) => colour.good("so here too"),
            Some(false) => colour.bad("not so here"),
            None => colour.warn("not known"),
        };
        wrong += usize::from(holds == Some(false));
        writeln!(out, "{statement}: {verdict}").map_err(written)?;
    }
    Ok(wrong)
}

/// What the paper says of its table, and whether it is so of ours; not known where a run met a limit.
fn statements(all: &[Vec<Measured>]) -> Vec<(&'static str, Option<bool>)> {
    let complete = all.iter().all(|rows| rows.len() == ROWS.len());
    let judge = |so: &dyn Fn() -> bool| complete.then(so);
    let states = |example: usize, row: usize| all[example][row].0 as f64;
    vec![
        (
            "Each kind of information stores no more states than the one before",
            judge(&|| all.iter().all(|rows| rows.windows(2).all(|pair| pair[1].0 <= pair[0].0))),
        ),
        (
            "The acyclic examples (Voice Storage, MFC) gain from per-state information, by a quarter or more",
            judge(&|| [1, 3].iter().all(|&one| states(one, 2) <= 0.75 * states(one, 1))),
        ),
        (
            "The Speech Handler gains from run-time information only, by a factor of 3 or more",
            judge(&|| states(0, 2) >= 0.9 * states(0, 0) && 3.0 * states(0, 3) <= states(0, 0)),
        ),
        (
            "CD Rmv/Rst gains least: less than a fifth from static information, less than half at run time",
            judge(&|| {
                let gain = |one: usize| states(one, 3) / states(one, 0);
                states(2, 2) >= 0.8 * states(2, 0)
                    && gain(2) >= 0.5
                    && [0, 1, 3].iter().all(|&other| gain(other) < gain(2))
            }),
        ),
    ]
}

fn measure(
    bench: &Bench<'_>,
    example: &Example,
    information: Option<Information>,
) -> Result<Option<Measured>, Failure> {
    let parsed = parse(example.name, example.text, &[]);
    let Some(network) = parsed.network else {
        return Err(Failure::Model(parsed.diagnostics, parsed.sources));
    };
    let system = VfsmSystem::new(network).with_information(information.unwrap_or_default());
    let method = if information.is_some() { Method::Persistent } else { Method::None };
    let config = Config {
        reduction: Reduction { method, sleep: false },
        properties: Properties { deadlock: true, assertions: false, unreached: false, reception: false },
        limits: Limits {
            states: Some(bench.arguments.states),
            time: Some(bench.arguments.time),
            memory: Some(MEMORY),
            depth: None,
        },
        ..Config::default()
    };
    let outcome = mazurka_engine::check(&system, &config, &bench.watch);
    let counts = outcome.statistics;
    match outcome.stopped {
        None => Ok(Some((counts.states, counts.matched, counts.search_time.as_secs_f64()))),
        Some(Stop::Interrupted) => Err(Failure::Interrupted),
        Some(Stop::Errors) => {
            Err(Failure::Internal(format!("{}: an error where there is none", example.name)))
        }
        Some(_) => Ok(None),
    }
}
