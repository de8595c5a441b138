//! `bench-front [LINES]`: how long reading, checking and lowering a generated Promela model takes.
//!
//! Models of as many lines: many small processes over macros, inlines, channels and nested control flow;
//! a single process of many statements; and models with many variables, many labels, many options, which
//! show what grows faster than the text. Each is read five times; the fastest counts, because whatever else the machine does only adds. Times are processor time,
//! which on a quiet machine is the time that a user waits.

use mazurka_front::promela::{Options, lower, parse};
use mazurka_model::source::Severity;
use std::fmt::Write;
use std::time::Duration;

const ROUNDS: u32 = 5;

fn main() {
    let lines = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    println!("{:<16} {:>8} {:>10} {:>8} {:>8} {:>8}", "model", "lines", "bytes", "parse", "lower", "both");
    let models = [
        ("many processes", processes(lines)),
        ("one process", statements(lines)),
        ("many variables", variables(lines)),
        ("many labels", labels(lines)),
        ("many options", options(lines)),
    ];
    for (name, text) in models {
        let (mut parsing, mut lowering) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let begin = processor_time();
            let parsed = parse(name, &text, &Options::default());
            let read = processor_time() - begin;
            let lowered = lower::lower(name, &parsed);
            let both = processor_time() - begin;
            let mut all = parsed.diagnostics.iter().chain(&lowered.diagnostics);
            if let Some(error) = all.find(|d| d.severity == Severity::Error) {
                eprintln!("{name}: {}", error.message);
                std::process::exit(1);
            }
            if both < parsing.saturating_add(lowering) {
                (parsing, lowering) = (read, both - read);
            }
        }
        let (count, bytes) = (text.lines().count(), text.len());
        let both = parsing + lowering;
        println!(
            "{name:<16} {count:>8} {bytes:>10} {:>6} ms {:>5} ms {:>5} ms",
            parsing.as_millis(),
            lowering.as_millis(),
            both.as_millis()
        );
    }
}

/// The processor time of this process so far.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value that lives through the call, and the clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Many processes of a few statements.
fn processes(lines: usize) -> String {
    let mut text = String::from(
        "#define N 4\n#define NEXT(i) ((i + 1) % N)\nmtype = { ask, grant, release };\n\
         chan c[N] = [2] of { mtype, byte };\nbyte owner, count[N];\n\
         inline take(i) {\n  atomic {\n    owner == i -> owner = NEXT(i);\n    count[i]++\n  }\n}\n",
    );
    for number in 0..lines / 18 {
        let _ = write!(
            text,
            "proctype P{number}(byte me) {{\n  byte from, own_{number};\n  do\n  :: c[me]?ask,from ->\n    if\n    \
             :: from > me && len(c[from]) < 2 ->\n      c[from]!grant(me);\n    :: else ->\n      own_{number} = \
             (own_{number} + 1) % 16 // counts\n    fi\n  :: take(me);\n    c[NEXT(me)]!release,me\n  :: c[me]?release(from) -> \
             goto done\n  od;\ndone:\n  d_step {{ count[me] = 0; owner = me }};\n  assert(count[me] <= 255)\n}}\n"
        );
    }
    text.push_str("init { run P0(1); run P1(2) }\n");
    text
}

/// One process of many statements.
fn statements(lines: usize) -> String {
    let variables = lines / 20 + 1;
    let mut text = String::new();
    for number in 0..variables {
        let _ = writeln!(text, "byte v{number};");
    }
    text.push_str("active proctype P() {\n");
    for number in 0..(lines - variables) / 5 + 1 {
        let (one, two) = (number % variables, (number * 7 + 3) % variables);
        let _ = write!(
            text,
            "  if\n  :: v{one} > v{two} ->\n    v{one} = v{two} + 1\n  :: else -> v{two}++\n  fi;\n"
        );
    }
    text.push_str("  skip\n}\n");
    text
}

/// Nothing but variables, half of them local.
fn variables(lines: usize) -> String {
    let mut text = String::new();
    for number in 0..lines / 2 {
        let _ = writeln!(text, "byte v{number};");
    }
    text.push_str("active proctype P() {\n");
    for number in 0..lines / 2 {
        let _ = writeln!(text, "  byte w{number};");
    }
    text.push_str("  v0 = w0\n}\n");
    text
}

/// A label before every choice, and a jump in it.
fn labels(lines: usize) -> String {
    let mut text = String::from("byte x;\nactive proctype P() {\n");
    let count = lines / 5;
    for number in 0..count {
        let target = number * 7 % count;
        let _ = write!(text, "l{number}:\n  if\n  :: x == 1 -> goto l{target}\n  :: else\n  fi;\n");
    }
    text.push_str("  skip\n}\n");
    text
}

/// One loop with an option on every line.
fn options(lines: usize) -> String {
    let mut text = String::from("int x;\nactive proctype P() {\n  do\n");
    for number in 0..lines {
        let _ = writeln!(text, "  :: x == {number} -> x++");
    }
    text.push_str("  od\n}\n");
    text
}
