//! `mazurka replay`: re-executes a saved run, shows what each step changes and what it ends in.

use crate::Exit;
use crate::arguments::ReplayArguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::trail::{self, Opened};
use mazurka_model::FindingKind;
use mazurka_report::run::{self, Detail};
use std::io::{self, Write};

/// Runs the command.
pub fn run(arguments: &ReplayArguments, output: &mut Output) -> Result<Exit, Failure> {
    let opened = trail::open(&arguments.trail)?;
    write(&opened, output)
        .map_err(|error| Failure::Internal(format!("the run can't be written: {error}")))?;
    Ok(Exit::Holds)
}

fn write(Opened { loaded, run }: &Opened, output: &mut Output) -> io::Result<()> {
    let describe = loaded.system().describe();
    let colour = output.colour();
    run::write(output, run, describe, Detail { changes: true, at_most: None }, colour)?;
    writeln!(output, "{}", colour.strong("It ends with:"))?;
    run::write_end(output, run, describe, usize::MAX)?;
    let word = match run.kind {
        FindingKind::Stopped => colour.warn("stopped:"),
        _ => colour.bad("error:"),
    };
    writeln!(output, "{word} {}", run::ending(run, describe))
}
