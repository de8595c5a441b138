//! The same programs under Mazurka, loom and shuttle: executions, executions a second of processor time, and the
//! time until everything is explored. Each measurement is a process of its own; the tools alternate.

mod programs;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TOOLS: [&str; 3] = ["mazurka", "loom", "shuttle"];
/// Programs, and with how many threads. loom has four beside the first.
const CASES: [(&str, usize); 14] = [
    ("indep", 3),
    ("indep", 4),
    ("incr", 3),
    ("incr", 4),
    ("binc", 3),
    ("load-store", 3),
    ("ring", 3),
    ("ring", 4),
    ("lastzero", 4),
    ("counter", 3),
    ("counter", 4),
    ("philosophers", 3),
    ("philosophers", 4),
    ("binc", 4),
];

/// Processor time of this process, user and system, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("this needs Linux");
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// One measurement: explores a program, again and again if it is quick, and prints executions, seconds and whether
/// it was complete.
fn measure(tool: &str, name: &'static str, n: usize, limit: f64) {
    let (start, begun) = (Instant::now(), processor_time());
    let (mut executions, mut rounds, mut complete) = (0_u64, 0_u64, true);
    while rounds == 0 || (complete && start.elapsed().as_secs_f64() < limit / 4.0) {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        match tool {
            "mazurka" => {
                let report = mazurka_live::Checker::new()
                    .max_time(Duration::from_secs_f64(limit))
                    .run(move || assert!(programs::mazurka::run(name, n)));
                assert!(report.failures.is_empty(), "{report}");
                complete = report.limit.is_none();
                executions += report.executions + report.redundant;
            }
            "loom" => {
                let mut model = loom::model::Builder::new();
                model.max_duration = Some(Duration::from_secs_f64(limit));
                let until = Instant::now();
                model.check(move || {
                    counted.fetch_add(1, Ordering::Relaxed);
                    assert!(programs::loom::run(name, n));
                });
                complete = until.elapsed().as_secs_f64() < limit;
                executions += count.load(Ordering::Relaxed);
            }
            _ => {
                let until = Instant::now();
                let mut config = shuttle::Config::new();
                config.max_time = Some(Duration::from_secs_f64(limit));
                let scheduler = shuttle::scheduler::DfsScheduler::new(None, false);
                shuttle::Runner::new(scheduler, config).run(move || {
                    counted.fetch_add(1, Ordering::Relaxed);
                    assert!(programs::shuttle::run(name, n));
                });
                complete = until.elapsed().as_secs_f64() < limit;
                executions += count.load(Ordering::Relaxed);
            }
        }
        rounds += 1;
    }
    let seconds = processor_time() - begun;
    println!("{} {} {complete}", executions / rounds, seconds / rounds as f64);
}

/// Median of each column over the rounds.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, tool, name, n, limit] = arguments.as_slice() {
        let case = CASES.iter().find(|case| case.0 == name).map(|case| case.0);
        let n = n.parse().expect("a number of threads");
        measure(tool, case.expect("the name of a program"), n, limit.parse().expect("seconds"));
        return;
    }
    let rounds: usize = arguments.get(1).map_or(3, |text| text.parse().expect("a number of rounds"));
    let myself = std::env::current_exe().expect("the path of this program");
    println!("| program | mazurka | loom | shuttle | a second | loom | shuttle | seconds | loom | shuttle |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, n) in CASES {
        let mut results = vec![Vec::new(); TOOLS.len()];
        for _ in 0..rounds {
            for (tool, found) in TOOLS.iter().zip(&mut results) {
                let output = Command::new(&myself)
                    .args([tool, name, &n.to_string(), "4"])
                    .output()
                    .expect("the measurement runs");
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let words: Vec<&str> = text.lines().last().unwrap_or("").split(' ').collect();
                if let [executions, seconds, complete] = words[..] {
                    let executions: f64 = executions.parse().expect("a number");
                    let seconds: f64 = seconds.parse().expect("a number");
                    found.push((executions, seconds, complete == "true"));
                }
            }
        }
        let mut row = vec![format!("{name} {n}")];
        let column = |found: &Vec<(f64, f64, bool)>, which: &dyn Fn(&(f64, f64, bool)) -> f64| {
            median(found.iter().map(which).collect())
        };
        let cut = |found: &Vec<(f64, f64, bool)>| if found.iter().all(|one| one.2) { "" } else { ">" };
        for found in &results {
            row.push(if found.is_empty() {
                "failed".to_owned()
            } else {
                format!("{}{}", cut(found), column(found, &|one| one.0))
            });
        }
        for found in &results {
            row.push(if found.is_empty() {
                String::new()
            } else {
                format!("{:.0}", column(found, &|one| one.0 / one.1.max(1e-9)))
            });
        }
        for found in &results {
            row.push(if found.is_empty() {
                String::new()
            } else {
                format!("{}{:.6}", cut(found), column(found, &|one| one.1))
            });
        }
        println!("| {} |", row.join(" | "));
    }
}
