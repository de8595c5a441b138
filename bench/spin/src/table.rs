//! Medians and ratios, as a table.

use crate::tools::{Sample, Search};
use serde::Serialize;

/// A model under one search: the medians of both tools.
#[derive(Serialize)]
pub struct Row {
    /// The model.
    pub model: &'static str,
    /// How it was searched.
    pub search: Search,
    /// Threads of each tool.
    pub threads: u32,
    /// SPIN.
    pub spin: Sample,
    /// Mazurka.
    pub mazurka: Sample,
}

fn median(samples: &[Sample], value: impl Fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn medians(samples: &[Sample]) -> Sample {
    Sample {
        states: median(samples, |s| s.states as f64) as u64,
        transitions: median(samples, |s| s.transitions as f64) as u64,
        translate: median(samples, |s| s.translate),
        compile: median(samples, |s| s.compile),
        search: median(samples, |s| s.search),
        system: median(samples, |s| s.system),
        search_wall: median(samples, |s| s.search_wall),
        wall: median(samples, |s| s.wall),
        store_bytes: median(samples, |s| s.store_bytes as f64) as u64,
        peak_bytes: median(samples, |s| s.peak_bytes as f64) as u64,
    }
}

impl Row {
    /// The medians of what was measured.
    pub fn new(
        model: &'static str,
        search: Search,
        threads: u32,
        spin: &[Sample],
        mazurka: &[Sample],
    ) -> Row {
        Row { model, search, threads, spin: medians(spin), mazurka: medians(mazurka) }
    }

    /// How many times faster the search is; of a full search that is the ratio of states a second. Several threads are
    /// compared by the wall.
    pub fn faster(&self) -> f64 {
        if self.threads > 1 {
            return self.spin.search_wall / self.mazurka.search_wall.max(1e-4);
        }
        self.spin.search / self.mazurka.search.max(1e-4)
    }

    /// The memory of the store as a multiple of SPIN's.
    pub fn memory(&self) -> f64 {
        self.mazurka.store_bytes as f64 / self.spin.store_bytes.max(1) as f64
    }

    /// How many times sooner the answer is there.
    pub fn sooner(&self) -> f64 {
        self.spin.wall / self.mazurka.wall.max(1e-4)
    }
}

/// The geometric mean.
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    if count == 0.0 { 0.0 } else { f64::exp(sum / count) }
}

fn line(row: &Row, tool: &str, sample: &Sample) -> String {
    let mega = |bytes: u64| bytes as f64 / 1e6;
    format!(
        "| {} | {} | {tool} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1} |\n",
        row.model,
        row.search.name(),
        sample.states,
        sample.transitions,
        sample.translate,
        sample.compile,
        sample.search,
        sample.system,
        sample.search_wall,
        sample.wall,
        mega(sample.store_bytes),
        mega(sample.peak_bytes),
    )
}

/// The table.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| model | search | tool | states | transitions | translate s | compile s | search s | of it system s | search, wall s | all, wall s | store MB | peak MB |\n\
         |---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        text += &line(row, "SPIN", &row.spin);
        text += &line(row, "Mazurka", &row.mazurka);
        text += &format!(
            "| {} | {} | **ratio** | | | | | **{:.2}** | | | **{:.2}** | **{:.2}** | |\n",
            row.model,
            row.search.name(),
            row.faster(),
            row.sooner(),
            row.memory(),
        );
    }
    for search in [Search::Full, Search::Reduced] {
        let chosen = || rows.iter().filter(move |row| row.search == search);
        if chosen().next().is_some() {
            let least = chosen().map(Row::faster).fold(f64::INFINITY, f64::min);
            text += &format!(
                "\n{}: the search is {:.2} times as fast in the geometric mean, {:.2} times at least; the answer is there {:.2} times as soon.\n",
                search.name(),
                mean(chosen().map(Row::faster)),
                least,
                mean(chosen().map(Row::sooner)),
            );
        }
    }
    text
}
