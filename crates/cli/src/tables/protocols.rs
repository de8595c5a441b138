//! The three protocols of Table II (Holzmann, Godefroid and Pirottin 1992, section 6) and the two
//! processes of Figure 1, as programs.
//!
//! Each of the `n` processes of a protocol has `m` local states and moves from one to the next. They
//! are created by one step of an initial process, which gives the one extra state that the paper
//! counts.

use mazurka_program::ir::{Program, ProgramBuilder, Type};

/// Which protocol.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Processes that never meet, and end.
    Independent,
    /// Processes that never meet, and never end.
    Cyclic,
    /// Processes whose every step writes one global variable.
    Dependent,
}

/// The protocol with `n` processes of `m` local states each, not yet validated.
pub fn protocol(protocol: Protocol, n: u16, m: u16) -> Program {
    let mut program = ProgramBuilder::new("protocol");
    program.process_limit(n.saturating_add(1));
    let shared = (protocol == Protocol::Dependent).then(|| program.variable("shared", Type::Byte, 0));
    let mut process = program.process("station");
    let places: Vec<_> = (1..=m)
        .map(|place| {
            let name = format!("s{place}");
            if place == m { process.end(&name) } else { process.location(&name) }
        })
        .collect();
    for pair in places.windows(2) {
        let step = process.transition(pair[0], pair[1]);
        if let Some(shared) = shared {
            step.assign(shared, 0);
        }
    }
    if protocol == Protocol::Cyclic {
        process.transition(places[places.len() - 1], places[0]);
    }
    let station = program.add(process);
    let mut starter = program.process("starter");
    let (before, after) = (starter.location("before"), starter.end("after"));
    let mut step = starter.transition(before, after);
    for _ in 0..n {
        step = step.run(station, Vec::new());
    }
    let starter = program.add(starter);
    program.start(starter, &[]);
    program.finish()
}

/// The two processes of Figure 1, of two local steps each.
pub fn figure1() -> Program {
    let mut program = ProgramBuilder::new("figure1");
    for name in ["process1", "process2"] {
        let mut process = program.process(name);
        let (first, second, last) =
            (process.location("first"), process.location("second"), process.end("last"));
        process.transition(first, second);
        process.transition(second, last);
        let process = program.add(process);
        program.start(process, &[]);
    }
    program.finish()
}
