//! Numbers of states of one model: without reduction, with SPIN's, and with each of ours.
//!
//! All keep assertions and invalid end states and go on after errors. A search that does not get to the
//! end within its limits has no number, and says why.

use super::{Counts, ours_with, read, theirs_reduced};
use mazurka_engine::{Config, Limits, Method, Order, Properties, Reduction};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A search of ours.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Column {
    /// The reduction.
    pub reduction: Reduction,
    /// The order of the processes.
    pub order: Order,
}

impl Column {
    /// The name: the reduction, and the order if it is not forward.
    pub fn name(&self) -> String {
        match self.order {
            Order::Forward => self.reduction.to_string(),
            order => format!("{} {order}", self.reduction),
        }
    }

    /// Every method by itself, with and without sleep sets, forward.
    pub fn singles() -> Vec<Column> {
        let methods = Method::NAMES.map(|(_, method)| method).into_iter();
        let methods = methods.filter(|method| !matches!(method, Method::Auto | Method::None));
        methods
            .flat_map(|method| [false, true].map(|sleep| Reduction { method, sleep }))
            .map(|reduction| Column { reduction, order: Order::Forward })
            .collect()
    }

    /// `auto` in both orders.
    pub fn automatic() -> Vec<Column> {
        let reduction = Reduction { method: Method::Auto, sleep: false };
        [Order::Forward, Order::Reverse].map(|order| Column { reduction, order }).into()
    }
}

/// How far each search may go.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Seconds for a search, ours or SPIN's.
    pub seconds: u64,
    /// States that a search of ours stores.
    pub most_states: u64,
}

/// A search and what came of it.
#[derive(Clone, Debug)]
pub struct Search {
    /// The search.
    pub column: Column,
    /// Its numbers, or why it ended early.
    pub counts: Result<Counts, String>,
    /// Processor time, where the system tells it.
    pub time: Option<Duration>,
}

/// What was measured on a model.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The model.
    pub path: PathBuf,
    /// SPIN's reduction.
    pub theirs: Result<Counts, String>,
    /// Ours, the full search first.
    pub ours: Vec<Search>,
}

impl Measured {
    /// Measures a model, perhaps without SPIN; fails if we can't read it.
    pub fn of(path: &Path, columns: &[Column], patience: Patience, alone: bool) -> Result<Measured, String> {
        let program = read(path)?;
        let left_out = || Err("not asked".to_owned());
        let theirs = if alone { left_out() } else { theirs_reduced(path, patience.seconds) };
        let search = |column: &Column| {
            let limits = Limits { time: Some(Duration::from_secs(patience.seconds)), ..Limits::default() };
            // What SPIN's reduction keeps: which places are unreached, it does not.
            let properties = Properties { unreached: false, ..Properties::default() };
            let (reduction, order) = (column.reduction, column.order);
            let config = Config { reduction, order, properties, limits, ..Config::default() };
            let before = processor_time();
            let counts = ours_with(program.clone(), patience.most_states, config);
            let time = before.and_then(|before| processor_time()?.checked_sub(before));
            Search { column: *column, counts, time }
        };
        let full =
            Column { reduction: Reduction { method: Method::None, sleep: false }, order: Order::Forward };
        let ours = std::iter::once(&full).chain(columns).map(search).collect();
        Ok(Measured { path: path.to_owned(), theirs, ours })
    }

    /// The states that the search of a column stored.
    pub fn states(&self, column: &Column) -> Option<u64> {
        let search = self.ours.iter().find(|search| search.column == *column)?;
        search.counts.as_ref().ok().map(|counts| counts.states)
    }

    /// The method, `auto` apart, that stores the fewest states, and how many.
    pub fn best_single(&self) -> Option<(Column, u64)> {
        let singles = self.ours[1..].iter().filter(|search| search.column.reduction.method != Method::Auto);
        let counted = singles.filter_map(|search| Some((search.column, search.counts.as_ref().ok()?.states)));
        counted.min_by_key(|(_, states)| *states)
    }

    /// A search that finds other errors than another one that also got to the end.
    pub fn disagreement(&self) -> Option<String> {
        let ours = self.ours.iter().map(|search| (search.column.name(), &search.counts));
        let mut known: Option<(String, &'static str)> = None;
        for (name, counts) in ours.chain([("SPIN".to_owned(), &self.theirs)]) {
            let Ok(counts) = counts else { continue };
            match &known {
                None => known = Some((name, counts.verdict())),
                Some((_, verdict)) if *verdict == counts.verdict() => {}
                Some((other, verdict)) => {
                    return Some(format!("{name} finds {}, {other} {verdict}", counts.verdict()));
                }
            }
        }
        None
    }
}

/// How long this thread has run on a processor, where the system tells it.
pub fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The geometric mean of some ratios; `None` of none.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// A number with a comma before every three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_digits() {
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[0.25, 4.0, 1.0]).unwrap_or_default();
        assert!((mean - 1.0).abs() < 1e-9);
        assert_eq!(thousands(12), "12");
        assert_eq!(thousands(123_456), "123,456");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn every_method_is_a_column_twice() {
        let singles = Column::singles();
        assert_eq!(singles.len(), 2 * (Method::NAMES.len() - 2));
        assert!(Column::automatic().iter().all(|column| !singles.contains(column)));
    }
}
