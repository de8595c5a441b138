//! `mazurka test`: runs the tests of a crate that are marked `#[mazurka::test]`, and tells what they found.
//!
//! The tests are run by `cargo test`; what to do comes to them in the environment, and they report into a file, one line of
//! JSON for each event (`mazurka_live::harness` has the protocol). This is the only command that starts another
//! program.

mod junit;

use crate::Exit;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, Subcommand};
use junit::junit;
use serde_json::{Value, json};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const EXAMPLE: &str = "\
Example:
  mazurka test                                  all marked tests of the crate in this folder
  mazurka test queue --time 60 --junit out.xml  those with `queue` in their names, a minute each
  mazurka test replay mz1:0x5.1.0 --test queue::push_and_pop
  mazurka test simulate queue::push_and_pop     you choose the steps

Exit codes: 0 holds, 1 violated, 2 wrong command line or crate, 3 a limit was reached, 4 internal error";

/// Arguments of `test`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE, args_conflicts_with_subcommands = true)]
pub struct TestArguments {
    #[command(subcommand)]
    command: Option<TestCommand>,

    /// Only tests with this in their names
    #[arg(value_name = "FILTER")]
    filter: Option<String>,

    #[command(flatten)]
    crate_: CrateArguments,

    /// How executions are chosen: optimal, source, sleep, naive, preemptions:N, random:SEED, pct:SEED
    #[arg(long, value_name = "M")]
    method: Option<String>,

    /// Stop each test after this time (seconds, or 5min, 2h)
    #[arg(long, value_name = "T", value_parser = crate::values::time)]
    time: Option<Duration>,

    /// Stop each test after so many executions
    #[arg(long, value_name = "N")]
    executions: Option<u64>,

    /// Explore each test with so many threads of the machine
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Write drawings of failures into this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,

    /// Write the results as one JSON object
    #[arg(long)]
    json: bool,

    /// Also write them to this file in JUnit's form
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Which crate, and how it is built.
#[derive(Args, Debug)]
struct CrateArguments {
    /// The package, in a workspace
    #[arg(long, short, value_name = "NAME")]
    package: Option<String>,

    /// The manifest of the crate
    #[arg(long, value_name = "FILE")]
    manifest_path: Option<PathBuf>,

    /// Build the tests with optimisation
    #[arg(long)]
    release: bool,
}

#[derive(Subcommand, Debug)]
enum TestCommand {
    /// Repeat a failing execution from its token, and show it
    Replay {
        /// The token: it starts with `mz1:`
        token: String,
        /// The name of the test
        #[arg(long, value_name = "NAME")]
        test: String,
        #[command(flatten)]
        crate_: CrateArguments,
    },
    /// Run a test step by step: you choose who goes on, and go back
    Simulate {
        /// The name of the test
        test: String,
        #[command(flatten)]
        crate_: CrateArguments,
    },
}

/// Runs the command.
pub fn run(arguments: &TestArguments, output: &mut Output) -> Result<Exit, Failure> {
    let folder = std::env::temp_dir().join(format!("mazurka-test-{}", std::process::id()));
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::usage(format!("{} can't be made: {error}", folder.display())))?;
    let result = run_in(arguments, &folder, output);
    // What can't be removed stays in the folder for temporary files.
    let _ = fs::remove_dir_all(&folder);
    result
}

fn run_in(arguments: &TestArguments, folder: &Path, output: &mut Output) -> Result<Exit, Failure> {
    let report = folder.join("report");
    let mut cargo = cargo_test(arguments, &report)?;
    let started = cargo.spawn();
    let mut child = started.map_err(|error| {
        Failure::usage(format!("cargo can't be started: {error}"))
            .help("is Rust installed, and cargo on the path?")
    })?;
    if let Some(TestCommand::Simulate { .. }) = &arguments.command {
        let success = child.wait().is_ok_and(|status| status.success());
        // What cargo said, and the simulation, went by already.
        return match read(&report).is_empty() {
            false => Ok(Exit::Holds),
            true => Err(nothing_ran(success, "")),
        };
    }
    let (success, log) = watch(child, &report)?;
    let events = read(&report);
    let finished: Vec<Value> = events.into_iter().filter(|event| event["event"] == "finished").collect();
    if finished.is_empty() {
        return Err(nothing_ran(success, &log));
    }
    if let Some(path) = &arguments.junit {
        fs::write(path, junit(&finished))
            .map_err(|error| Failure::usage(format!("{} can't be written: {error}", path.display())))?;
    }
    let exit = verdict(&finished);
    let written = match arguments.json {
        true => writeln!(output, "{}", as_json(&finished, exit)),
        false => show(&finished, arguments.command.is_some(), output),
    };
    written.map_err(|error| Failure::Internal(format!("the results can't be written: {error}")))?;
    Ok(exit)
}

fn nothing_ran(success: bool, log: &str) -> Failure {
    if success {
        return Failure::usage("no test is marked #[mazurka::test], or none has this name");
    }
    let _ = std::io::stderr().write_all(log.as_bytes());
    Failure::usage("the tests could not be built or run").help("what cargo said is above")
}

/// The command that builds and runs the tests.
fn cargo_test(arguments: &TestArguments, report: &Path) -> Result<Command, Failure> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let crate_ = match &arguments.command {
        Some(TestCommand::Replay { crate_, .. } | TestCommand::Simulate { crate_, .. }) => crate_,
        None => &arguments.crate_,
    };
    cargo.args(["test", "--no-fail-fast", "--color", "never"]);
    if let Some(package) = &crate_.package {
        cargo.args(["--package", package]);
    }
    if let Some(path) = &crate_.manifest_path {
        cargo.arg("--manifest-path").arg(path);
    }
    if crate_.release {
        cargo.arg("--release");
    }
    cargo.args(["--lib", "--bins", "--tests", "--"]);
    cargo.env("MAZURKA_TEST_REPORT", report);
    cargo.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match &arguments.command {
        Some(TestCommand::Replay { token, test, .. }) => {
            if !token.starts_with("mz1:") {
                return Err(Failure::usage(format!("`{token}` is no token")).help("one starts with mz1:"));
            }
            only(&mut cargo, test);
            cargo.env("MAZURKA_TEST_REPLAY", token);
        }
        Some(TestCommand::Simulate { test, .. }) => {
            only(&mut cargo, test);
            cargo.args(["--nocapture", "--test-threads=1"]).env("MAZURKA_TEST_SIMULATE", "1");
            cargo.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
        }
        None => {
            cargo.args(&arguments.filter);
        }
    }
    if let Some(method) = &arguments.method {
        if mazurka_live::harness::search_by_name(method, None).is_none() {
            return Err(Failure::usage(format!("there is no method `{method}`"))
                .help("there are optimal, source, sleep, naive, preemptions:N, random:SEED, pct:SEED"));
        }
        cargo.env("MAZURKA_TEST_METHOD", method);
    }
    if let Some(time) = arguments.time {
        cargo.env("MAZURKA_TEST_SECONDS", time.as_secs_f64().to_string());
    }
    if let Some(executions) = arguments.executions {
        cargo.env("MAZURKA_TEST_EXECUTIONS", executions.to_string());
    }
    if let Some(threads) = arguments.threads {
        cargo.env("MAZURKA_TEST_THREADS", threads.to_string());
    }
    if let Some(folder) = &arguments.svg {
        let folder = std::path::absolute(folder)
            .map_err(|error| Failure::usage(format!("{} is no folder: {error}", folder.display())))?;
        cargo.env("MAZURKA_TEST_SVG", folder);
    }
    Ok(cargo)
}

/// Only the test with this name. A name in a report begins with the crate, which a test's own name doesn't; either will do.
fn only(cargo: &mut Command, test: &str) {
    let own = test.split_once("::").map_or(test, |(_, rest)| rest);
    cargo.args([test, own]).arg("--exact").env("MAZURKA_TEST_ONLY", test);
}

/// Waits for cargo, with a line of progress on a terminal; whether it succeeded, and what it said.
fn watch(mut child: Child, report: &Path) -> Result<(bool, String), Failure> {
    let collect = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                let _ = stream.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = collect(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = collect(child.stderr.take().map(|stream| Box::new(stream) as _));
    let terminal = std::io::stderr().is_terminal();
    let mut told = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {}
            Err(error) => return Err(Failure::Internal(format!("cargo can't be waited for: {error}"))),
        }
        std::thread::sleep(Duration::from_millis(20));
        if terminal && told.elapsed() >= Duration::from_secs(1) {
            told = Instant::now();
            if let Some(event) = read(report).iter().rev().find(|event| event["event"] == "progress") {
                let _ = write!(std::io::stderr(), "\r\x1b[K{}", progress(event));
            }
        }
    };
    if terminal {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let mut log = err.join().unwrap_or_default();
    log.push_str(&out.join().unwrap_or_default());
    Ok((status.success(), log))
}

fn progress(event: &Value) -> String {
    let executions = event["executions"].as_u64().unwrap_or(0);
    let seconds = event["seconds"].as_f64().unwrap_or(0.0).max(1e-9);
    let total = event["estimate"].as_u64().map_or_else(String::new, |total| format!(" of perhaps {total}"));
    format!(
        "{}: {executions} executions{total}, {:.0} a second",
        event["test"].as_str().unwrap_or(""),
        executions as f64 / seconds
    )
}

/// The events in a report; a line that is being written is left out.
fn read(report: &Path) -> Vec<Value> {
    let text = fs::read_to_string(report).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn verdict(finished: &[Value]) -> Exit {
    let any = |word: &str| finished.iter().any(|event| event["verdict"] == word);
    match (any("violated"), any("unknown")) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Holds,
    }
}

fn as_json(finished: &[Value], exit: Exit) -> Value {
    let verdict = match exit {
        Exit::Holds => "holds",
        Exit::Violated => "violated",
        Exit::Unknown => "unknown",
    };
    let tests: Vec<Value> = finished
        .iter()
        .map(|event| {
            let mut test = event.clone();
            if let Some(fields) = test.as_object_mut() {
                fields.remove("event");
            }
            test
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "verdict": verdict, "tests": tests })
}

fn show(finished: &[Value], replay: bool, output: &mut Output) -> std::io::Result<()> {
    for event in finished {
        let name = event["test"].as_str().unwrap_or("");
        let verdict = event["verdict"].as_str().unwrap_or("");
        for violation in event["violations"].as_array().into_iter().flatten() {
            let text = |field: &str| violation[field].as_str().unwrap_or("").to_owned();
            writeln!(output, "{} {name}: {}\n", output_bad(output), text("message"))?;
            writeln!(output, "{}", text("timeline").trim_end())?;
            if !replay {
                writeln!(output, "\nTo repeat it: mazurka test replay {} --test {name}", text("token"))?;
            }
            writeln!(output)?;
        }
        for what in event["never"].as_array().into_iter().flatten() {
            let verdict = if verdict == "violated" { "no execution" } else { "no execution so far" };
            writeln!(output, "{name}: {verdict} met {}", what.as_str().unwrap_or(""))?;
        }
        let (executions, redundant) = (&event["executions"], event["redundant"].as_u64().unwrap_or(0));
        write!(output, "{name}: {verdict}, {executions} executions")?;
        if redundant > 0 {
            write!(output, " and {redundant} redundant ones")?;
        }
        write!(output, ", {:.3} s", event["seconds"].as_f64().unwrap_or(0.0))?;
        match event["guarantee_reason"].as_str() {
            Some(reason) if !replay => writeln!(output, "; {reason}")?,
            _ => writeln!(output)?,
        }
    }
    Ok(())
}

fn output_bad(output: &Output) -> String {
    output.colour().bad("error:").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> Vec<Value> {
        vec![
            json!({"test": "a::b", "verdict": "holds", "executions": 2, "seconds": 0.5, "violations": [], "never": []}),
            json!({"test": "a::c", "verdict": "violated", "executions": 3, "seconds": 0.1, "never": [],
                "violations": [{"kind": "panic", "message": "x < \"y\"", "token": "mz1:0", "timeline": "t"}]}),
        ]
    }

    #[test]
    fn verdicts_add_up() {
        assert_eq!(verdict(&events()), Exit::Violated);
        assert_eq!(verdict(&events()[..1]), Exit::Holds);
        assert_eq!(verdict(&[json!({"verdict": "unknown"})]), Exit::Unknown);
    }

    #[test]
    fn junit_is_escaped() {
        let text = junit(&events());
        assert!(text.contains("tests=\"2\" failures=\"1\""));
        assert!(text.contains("message=\"x &lt; &quot;y&quot;\""), "{text}");
        assert!(text.contains("classname=\"a\" name=\"b\""));
    }
}
