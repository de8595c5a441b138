//! Reading a large model must not be what a user waits for.

use mazurka_front::promela::{Options, lower, parse};
use std::time::{Duration, Instant};

/// A model of about `lines` lines that uses macros, inlines, channels and nested control flow.
fn model(lines: usize) -> String {
    let mut text = String::from(
        "#define N 4\n#define NEXT(i) ((i + 1) % N)\nmtype = { ask, grant, release };\n\
         chan c[N] = [2] of { mtype, byte };\nbyte owner, count[N];\n\
         inline take(i) {\n  atomic {\n    owner == i -> owner = NEXT(i);\n    count[i]++\n  }\n}\n",
    );
    let mut written = text.lines().count();
    for number in 0.. {
        if written >= lines {
            break;
        }
        let process = format!(
            "proctype P{number}(byte me) {{\n  byte from, local_{number};\n  do\n  :: c[me]?ask,from ->\n    if\n    \
             :: from > me && len(c[from]) < 2 ->\n      c[from]!grant(me);\n    :: else ->\n      local_{number} = \
             (local_{number} + 1) % 16 // counts\n    fi\n  :: take(me);\n    c[NEXT(me)]!release,me\n  :: c[me]?release(from) -> \
             goto done\n  od;\ndone:\n  assert(count[me] <= 255)\n}}\n"
        );
        written += process.lines().count();
        text.push_str(&process);
    }
    text.push_str("init { run P0(1) }\n");
    text
}

#[test]
fn a_hundred_thousand_lines_take_well_under_a_second() {
    let text = model(100_000);
    let begin = Instant::now();
    let parsed = parse("large", &text, &Options::default());
    let lowered = lower::lower("large", &parsed);
    let elapsed = begin.elapsed();
    assert!(lowered.program.is_some(), "{:?} {:?}", parsed.diagnostics.first(), lowered.diagnostics.first());
    println!("{} lines, {} bytes: {elapsed:?}", text.lines().count(), text.len());
    // A limit that only a change of complexity exceeds, also on a slow, busy or unoptimised machine.
    assert!(elapsed < Duration::from_secs(10), "it took {elapsed:?}");
}
