//! The binary `mazurka`: the only place where everything is wired together.
//!
//! Exit codes are a contract: 0 holds, 1 violated, 2 the command line or the model is wrong, 3 unknown
//! because a limit was reached, 4 an internal error.

mod arguments;
mod check;
mod compare;
mod contest;
mod engine;
mod explain;
mod explore;
mod failure;
mod graph;
mod load;
mod ltl;
mod monitor;
mod msc;
mod objects;
mod options;
mod output;
mod reduction;
mod replay;
mod save;
mod simulate;
mod tables;
mod temporal;
mod test;
mod trail;
mod values;
mod verify;
mod vfsm;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use output::Output;
use std::process::ExitCode;

/// How a command ended, if it did its work.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Exit {
    /// Everything that was asked for is so.
    Holds,
    /// Something is not.
    Violated,
    /// Not decided.
    Unknown,
}

impl Exit {
    /// The number that scripts see.
    fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Unknown => 3,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::standard();
    // A panic is a defect of ours: it has its own exit code, and its message asks for a report.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(arguments, &mut output)));
    let result = caught.unwrap_or_else(|_| Err(Failure::Internal("the program panicked".to_owned())));
    match result.and_then(|exit| output.finish().map(|()| exit)) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            failure.show(output.error_colour());
            ExitCode::from(failure.code())
        }
    }
}

fn run(arguments: Arguments, output: &mut Output) -> Result<Exit, Failure> {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments, output),
        Command::Simulate(arguments) => simulate::run(&arguments, output),
        Command::Replay(arguments) => replay::run(&arguments, output),
        Command::Compare(arguments) => compare::run(&arguments, output),
        Command::Explain(arguments) => explain::run(&arguments, output),
        Command::Graph(arguments) => graph::run(&arguments, output),
        Command::Msc(arguments) => msc::run(&arguments, output),
        Command::Tables(arguments) => tables::run(&arguments, output),
        Command::Ltl(arguments) => ltl::run(&arguments, output),
        Command::Test(arguments) => test::run(&arguments, output),
        Command::Objects(arguments) => objects::run(&arguments, output),
    }
}
