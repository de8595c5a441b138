//! Values of options: sizes, times, and names of which some are known but not supported yet.

use crate::temporal::Wanted;
use mazurka_engine::temporal::{Algorithm, Fairness, Representatives};
use mazurka_engine::{Dependency, OnFull, Order, Reduction, SearchKind, StoreKind};
use std::time::Duration;

/// A size in bytes with an optional suffix `k`, `M`, `G` or `T` (powers of 1024).
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size; write a number with k, M or G, such as 512M");
    let text = text.trim();
    let number = text.trim_end_matches(['b', 'B']).trim_end_matches('i');
    let (number, shift) = match number.chars().last() {
        Some('k' | 'K') => (&number[..number.len() - 1], 10),
        Some('m' | 'M') => (&number[..number.len() - 1], 20),
        Some('g' | 'G') => (&number[..number.len() - 1], 30),
        Some('t' | 'T') => (&number[..number.len() - 1], 40),
        _ => (number, 0),
    };
    let number = number.trim_end();
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"));
    }
    let value: f64 = number.parse().map_err(|_| wrong())?;
    let bytes = value * (1u64 << shift) as f64;
    if bytes.is_finite() && bytes >= 0.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// A time in seconds, with an optional suffix `s`, `m`/`min` or `h`.
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time; write seconds, such as 60 or 0.5, or 5min, or 2h");
    let trimmed = text.trim();
    let units = [("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(suffix, unit)| trimmed.strip_suffix(suffix).map(|number| (number, *unit)))
        .unwrap_or((trimmed, 1.0));
    let seconds = number.trim_end().parse::<f64>().map_err(|_| wrong())? * unit;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// A reduction by name.
pub fn reduction(text: &str) -> Result<Reduction, String> {
    text.parse()
        .map_err(|unknown: mazurka_engine::config::UnknownName| format!("{unknown}, each also with `+sleep`"))
}

/// A grade of dependency by name.
pub fn dependency(text: &str) -> Result<Dependency, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// A search by name.
pub fn search(text: &str) -> Result<SearchKind, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// A search that visits every state it has to, by name.
pub fn whole_search(text: &str) -> Result<SearchKind, String> {
    let known = SearchKind::WHOLE.iter().find(|(name, _)| *name == text).map(|(_, kind)| *kind);
    known.ok_or_else(|| match search(text) {
        Ok(kind) => format!("`{kind}` keeps no states, so there is nothing to show; choose one of dfs, bfs"),
        Err(_) => format!("`{text}` is unknown; choose one of dfs, bfs"),
    })
}

/// The formula of a specification pattern, as text.
pub fn pattern(text: &str) -> Result<String, String> {
    let mut formulas = mazurka_ltl::Formulas::new();
    let formula = mazurka_ltl::pattern::parse(&mut formulas, text).map_err(|error| error.to_string())?;
    Ok(mazurka_ltl::print::print(&formulas, formula, mazurka_ltl::print::Spelling::Spin))
}

/// An order by name.
pub fn order(text: &str) -> Result<Order, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// A property that can be checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// No deadlock.
    Deadlock,
    /// No false assertion, no fault.
    Assert,
    /// Which places are never executed.
    Unreached,
    /// No message for which a waiting process has no receive.
    Reception,
}

/// What a send to a full channel does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum FullChannel {
    /// It waits until there is room.
    #[default]
    Block,
    /// It goes on, and the message is lost.
    Lose,
}

/// What a send to a full channel does, by name.
pub fn full_channel(text: &str) -> Result<FullChannel, String> {
    match text {
        "block" => Ok(FullChannel::Block),
        "lose" => Ok(FullChannel::Lose),
        _ => Err(format!("`{text}` is unknown; choose one of block, lose")),
    }
}

/// A property by name.
pub fn property(text: &str) -> Result<Property, String> {
    match text {
        "deadlock" => Ok(Property::Deadlock),
        "assert" => Ok(Property::Assert),
        "unreached" => Ok(Property::Unreached),
        "reception" => Ok(Property::Reception),
        _ => Err(format!("`{text}` is unknown; choose one of deadlock, assert, unreached, reception")),
    }
}

/// What `check` can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A property of states or steps.
    Plain(Property),
    /// A property of infinite runs.
    Temporal(Wanted),
}

impl Asked {
    /// The property of states or steps, if it is one.
    pub fn plain(&self) -> Option<Property> {
        match self {
            Asked::Plain(property) => Some(*property),
            Asked::Temporal(_) => None,
        }
    }

    /// The property of infinite runs, if it is one.
    pub fn temporal(&self) -> Option<Wanted> {
        match self {
            Asked::Plain(_) => None,
            Asked::Temporal(wanted) => Some(wanted.clone()),
        }
    }
}

/// A property of `check` by name.
pub fn asked(text: &str) -> Result<Asked, String> {
    let temporal = text.parse().ok().filter(|wanted| !matches!(wanted, Wanted::Ltl(_)));
    match temporal {
        Some(wanted) => Ok(Asked::Temporal(wanted)),
        None => property(text)
            .map(Asked::Plain)
            .map_err(|unknown| format!("{unknown}, claim, claim:NAME, accept, progress, automaton:FILE")),
    }
}

/// A kind of store by name.
pub fn store(text: &str) -> Result<StoreKind, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// What to do when a store is full, by name.
pub fn on_full(text: &str) -> Result<OnFull, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// A fairness assumption by name.
pub fn fair(text: &str) -> Result<Fairness, String> {
    text.parse().map_err(|unknown: mazurka_engine::config::UnknownName| unknown.to_string())
}

/// An algorithm for temporal properties by name.
pub fn emptiness(text: &str) -> Result<Algorithm, String> {
    match text {
        "scc" => Ok(Algorithm::Components),
        "ndfs" => Ok(Algorithm::Nested),
        _ => Err(format!("`{text}` is unknown; choose one of scc, ndfs")),
    }
}

/// Which runs may stand for others, by name.
pub fn representatives(text: &str) -> Result<Representatives, String> {
    match text {
        "auto" => Ok(Representatives::Auto),
        "stutter" => Ok(Representatives::Stutter),
        "trace" => Ok(Representatives::Trace),
        _ => Err(format!("`{text}` is unknown; choose one of auto, stutter, trace")),
    }
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(format!("`{text}` is not a number of threads; write one from 1 to {MOST_THREADS}")),
    }
}

/// More than any machine has use for.
const MOST_THREADS: usize = 1024;

/// A macro definition: `NAME`, which is 1 then, or `NAME=VALUE`.
pub fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` can't be the name of a macro"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suffixes() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("4k"), Ok(4096));
        assert_eq!(size("1.5M"), Ok(3 << 19));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("2 GB"), Ok(2 << 30));
        for wrong in ["", "M", "-1", "1x", "lots", "nan", "inf", "99999999999T", "ü", "1ü"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_suffixes() {
        assert_eq!(time("60"), Ok(Duration::from_secs(60)));
        assert_eq!(time("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(time("5min"), Ok(Duration::from_secs(300)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "s", "-1", "soon", "nan", "1e99h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_planned_is_told_apart_from_what_is_unknown() {
        assert!(reduction("ample+sleep").is_ok());
        assert!(reduction("magic").unwrap_err().contains("local"));
        assert!(reduction("local+sleep").is_ok());
        assert_eq!(asked("claim:x"), Ok(Asked::Temporal(Wanted::Claim("x".to_owned()))));
        assert_eq!(asked("assert"), Ok(Asked::Plain(Property::Assert)));
        assert!(asked("ltl:x").is_err() && asked("claims").unwrap_err().contains("progress"));
        assert!(fair("weak").is_ok() && fair("trace").is_ok() && fair("luck").is_err());
        assert_eq!(property("reception"), Ok(Property::Reception));
        assert!(full_channel("lose").is_ok() && full_channel("drop").is_err());
        assert!(property("luck").unwrap_err().contains("unknown"));
        assert!(store("exact").is_ok() && store("bitstate").is_ok() && store("x").is_err());
        assert!(on_full("cache").is_ok() && on_full("disk").is_err());
        assert!(threads("1") == Ok(1) && threads("2") == Ok(2));
        assert!(threads("0").is_err() && threads("1025").is_err() && threads("all").is_err());
        assert!(search("random").is_ok() && search("luck").unwrap_err().contains("unknown"));
        assert!(whole_search("bfs").is_ok() && whole_search("luck").unwrap_err().contains("unknown"));
        assert!(whole_search("random").unwrap_err().contains("keeps no states"));
        assert!(order("random:x").is_err() && order("random:7").is_ok());
    }
}
