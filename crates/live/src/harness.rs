//! Tests that `mazurka test` runs: what it asks for comes in the environment, and what it wants to know goes into a
//! file, one line of JSON for each event.
//!
//! | variable | meaning |
//! |---|---|
//! | `MAZURKA_TEST_REPORT` | the file to which reports are added |
//! | `MAZURKA_TEST_REPLAY` | a token: only that execution, shown whether it fails or not |
//! | `MAZURKA_TEST_SIMULATE` | a person chooses the steps, on standard input and output |
//! | `MAZURKA_TEST_ONLY` | the name of a test, with or without that of its crate: all others do nothing |
//! | `MAZURKA_TEST_SECONDS`, `MAZURKA_TEST_EXECUTIONS` | limits for each test |
//! | `MAZURKA_TEST_METHOD` | `optimal`, `source`, `sleep`, `naive`, `preemptions:N`, `random:SEED`, `pct:SEED` |
//! | `MAZURKA_TEST_THREADS` | how many threads explore |
//! | `MAZURKA_TEST_SVG` | a folder for drawings of failures |
//!
//! Without these variables a test is an ordinary test.

use crate::check::{Checker, Report, Search, Snapshot, Verdict};
use crate::search::method::Method;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Duration;

/// How many executions a random search makes if nobody says.
const RANDOM: u64 = 10_000;

/// A text in JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            letter if (letter as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// A search by its name on the command line; `None` if there is none.
pub fn search_by_name(name: &str, executions: Option<u64>) -> Option<Search> {
    let (word, number) = match name.split_once(':') {
        Some((word, number)) => (word, Some(number.parse::<u64>().ok()?)),
        None => (name, None),
    };
    let executions = executions.unwrap_or(RANDOM);
    Some(match (word, number) {
        ("optimal", None) => Search::Exhaustive(Method::Optimal),
        ("source", None) => Search::Exhaustive(Method::Source),
        ("sleep", None) => Search::Exhaustive(Method::Sleep),
        ("naive", None) => Search::Exhaustive(Method::Naive),
        ("preemptions", Some(most)) => Search::Exhaustive(Method::Preemptions(u32::try_from(most).ok()?)),
        ("random", seed) => Search::Random { seed: seed.unwrap_or(0), executions },
        ("pct", seed) => Search::Priorities { seed: seed.unwrap_or(0), executions, depth: 3 },
        _ => return None,
    })
}

/// What the environment asks for, put over the options of a test.
fn configured(mut checker: Checker) -> Checker {
    let executions = variable("MAZURKA_TEST_EXECUTIONS").and_then(|text| text.parse().ok());
    if let Some(executions) = executions {
        checker = checker.max_executions(executions);
    }
    if let Some(seconds) = variable("MAZURKA_TEST_SECONDS").and_then(|text| text.parse::<f64>().ok())
        && let Ok(limit) = Duration::try_from_secs_f64(seconds)
    {
        checker = checker.max_time(limit);
    }
    if let Some(threads) = variable("MAZURKA_TEST_THREADS").and_then(|text| text.parse().ok()) {
        checker = checker.threads(threads);
    }
    if let Some(name) = variable("MAZURKA_TEST_METHOD") {
        match search_by_name(&name, executions) {
            Some(search) => checker = checker.search(search),
            None => panic!("MAZURKA_TEST_METHOD: there is no search `{name}`"),
        }
    }
    match variable("MAZURKA_TEST_REPLAY") {
        Some(token) => checker.replay(&token).minimise(false),
        None => checker,
    }
}

fn add_line(line: &str) {
    if let Some(path) = variable("MAZURKA_TEST_REPORT") {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = written {
            panic!("the report {path} can't be written: {error}");
        }
    }
}

/// A report as one line of JSON.
pub fn json(test: &str, report: &Report) -> String {
    let verdict = match report.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    let mut out = format!(
        "{{\"event\":\"finished\",\"test\":{},\"verdict\":\"{verdict}\",\"guarantee\":\"{}\",\"guarantee_reason\":{},\
         \"executions\":{},\"redundant\":{},\"steps\":{},\"longest\":{},\"threads\":{},\"seconds\":{:.6}",
        quoted(test),
        if report.limit.is_none() { "exact" } else { "bounded" },
        report.limit.as_deref().map_or_else(|| "null".to_owned(), quoted),
        report.executions,
        report.redundant,
        report.steps,
        report.longest,
        report.threads,
        report.time.as_secs_f64(),
    );
    out.push_str(",\"violations\":[");
    for (index, failure) in report.failures.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(
            out,
            "{comma}{{\"kind\":{},\"message\":{},\"depth\":{},\"switches\":{},\"token\":{},\"timeline\":{}}}",
            quoted(failure.kind.name()),
            quoted(&failure.kind.to_string()),
            failure.timeline.lines.len(),
            failure.switches(),
            quoted(&failure.token()),
            quoted(&failure.timeline.to_string()),
        );
    }
    out.push_str("],\"never\":[");
    let never: Vec<String> = report.never.iter().map(|text| quoted(text)).collect();
    out.push_str(&never.join(","));
    out.push_str("]}");
    out
}

/// Runs a test: what `#[mazurka::test]` calls.
///
/// # Panics
///
/// If the test fails, with all that is known about the failure.
#[track_caller]
pub fn run(name: &str, checker: Checker, f: impl Fn() + Sync) {
    let own = name.split_once("::").map_or(name, |(_, rest)| rest);
    if variable("MAZURKA_TEST_ONLY").is_some_and(|only| only != name && only != own) {
        return;
    }
    let checker = configured(checker);
    if variable("MAZURKA_TEST_SIMULATE").is_some() {
        add_line(&format!("{{\"event\":\"started\",\"test\":{}}}", quoted(name)));
        let done = checker.simulate(f, &mut std::io::stdin().lock(), &mut std::io::stdout());
        return done.unwrap_or_else(|error| panic!("the simulation can't go on: {error}"));
    }
    let report = if variable("MAZURKA_TEST_REPORT").is_some() {
        add_line(&format!("{{\"event\":\"started\",\"test\":{}}}", quoted(name)));
        checker.run_with_progress(f, &|snapshot: &Snapshot| {
            let estimate = snapshot.estimate.map_or_else(|| "null".to_owned(), |number| number.to_string());
            add_line(&format!(
                "{{\"event\":\"progress\",\"test\":{},\"executions\":{},\"estimate\":{estimate},\"seconds\":{:.3}}}",
                quoted(name),
                snapshot.executions,
                snapshot.time.as_secs_f64()
            ));
        })
    } else {
        checker.run(f)
    };
    add_line(&json(name, &report));
    if let Some(folder) = variable("MAZURKA_TEST_SVG") {
        for (index, failure) in report.failures.iter().enumerate() {
            let file = format!("{}-{}.svg", name.replace("::", "-"), index + 1);
            let path = std::path::Path::new(&folder).join(file);
            let drawn =
                std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, failure.timeline.svg()));
            if let Err(error) = drawn {
                panic!("the drawing {} can't be written: {error}", path.display());
            }
        }
    }
    report.unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_searches() {
        assert_eq!(search_by_name("optimal", None), Some(Search::Exhaustive(Method::Optimal)));
        assert_eq!(search_by_name("preemptions:2", None), Some(Search::Exhaustive(Method::Preemptions(2))));
        assert_eq!(search_by_name("random:5", Some(9)), Some(Search::Random { seed: 5, executions: 9 }));
        assert_eq!(search_by_name("preemptions", None), None);
        assert_eq!(search_by_name("random:x", None), None);
        assert_eq!(search_by_name("clever", None), None);
    }

    #[test]
    fn reports_are_json() {
        let report = Checker::new().run(|| panic!("a \"quoted\"\nword"));
        let line = json("a::b", &report);
        assert!(line.contains("a \\\"quoted\\\"\\nword") && !line.contains('\n'), "{line}");
        assert!(line.starts_with('{') && line.ends_with('}'));
    }
}
