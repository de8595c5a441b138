//! Medians and ratios, as a table.

use crate::measure::Sample;
use crate::work::{Search, Subject};
use serde::Serialize;

/// One comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub subject: Subject,
    pub search: Search,
    /// None: it failed.
    pub mazurka: Option<Median>,
    /// None: it failed.
    pub stateright: Option<Median>,
    /// Mazurka's states a second over stateright's.
    pub speed_ratio: Option<f64>,
    /// Mazurka's bytes a state over stateright's.
    pub memory_ratio: Option<f64>,
}

/// The medians of one tool.
#[derive(Clone, Debug, Serialize)]
pub struct Median {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub user_seconds: f64,
    pub system_seconds: f64,
    pub states_per_second: f64,
    pub bytes_per_state: f64,
    /// What the tool itself accounts for, store and stack together.
    pub own_bytes_per_state: Option<f64>,
}

impl Row {
    pub fn new(
        subject: Subject,
        search: Search,
        mazurka: Option<&[Sample]>,
        stateright: Option<&[Sample]>,
    ) -> Row {
        let mazurka = mazurka.map(Median::of);
        let stateright = stateright.map(Median::of);
        let ratio = |key: fn(&Median) -> f64| Some(key(mazurka.as_ref()?) / key(stateright.as_ref()?));
        Row {
            subject,
            search,
            speed_ratio: ratio(|median| median.states_per_second),
            memory_ratio: ratio(|median| median.bytes_per_state),
            mazurka,
            stateright,
        }
    }
}

impl Median {
    fn of(samples: &[Sample]) -> Median {
        let counts = &samples[0].counts;
        let own = counts.store_bytes.map(|store| store + counts.stack_bytes.unwrap_or(0));
        Median {
            states: counts.states,
            transitions: counts.transitions,
            depth: counts.depth,
            user_seconds: median(samples, |sample| sample.user_seconds),
            system_seconds: median(samples, |sample| sample.system_seconds),
            states_per_second: median(samples, Sample::states_per_second),
            bytes_per_state: median(samples, Sample::bytes_per_state),
            own_bytes_per_state: own.map(|bytes| bytes as f64 / counts.states as f64),
        }
    }
}

fn median(samples: &[Sample], key: impl Fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(key).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// The rows as a Markdown table.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| model | search | tool | states | depth | user s | system s | M states/s | bytes a state | own account |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let head = format!("| {} | {:?} |", row.subject.name(), row.search);
        for (tool, median) in [("Mazurka", &row.mazurka), ("stateright", &row.stateright)] {
            let Some(median) = median else {
                text += &format!("{head} {tool} | out of memory | | | | | | |\n");
                continue;
            };
            let own = median.own_bytes_per_state.map_or("-".to_owned(), |bytes| format!("{bytes:.1}"));
            text += &format!(
                "{head} {tool} | {} | {} | {:.3} | {:.3} | {:.2} | {:.1} | {own} |\n",
                median.states,
                median.depth,
                median.user_seconds,
                median.system_seconds,
                median.states_per_second / 1e6,
                median.bytes_per_state,
            );
        }
        if let (Some(speed), Some(memory)) = (row.speed_ratio, row.memory_ratio) {
            text += &format!("{head} **ratio** | | | | | **{speed:.2}** | **{memory:.2}** | |\n");
        }
    }
    text
}
