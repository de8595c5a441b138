//! `mazurka objects`: the object library, and the tables of each object as the 1993 paper prints them.

use crate::Exit;
use crate::arguments::ObjectsArguments;
use crate::failure::Failure;
use crate::output::Output;
use mazurka_model::object::table;
use std::io::{self, Write};

/// Runs the command.
pub fn run(arguments: &ObjectsArguments, output: &mut Output) -> Result<Exit, Failure> {
    let names = table::names();
    let written = match &arguments.name {
        None => list(output, &names),
        Some(given) => {
            let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(given)) else {
                return Err(Failure::usage(format!("there is no object `{given}`"))
                    .help(format!("there are {}", names.join(", "))));
            };
            one(output, name)
        }
    };
    written.map_err(|error| Failure::Internal(format!("the tables can't be written: {error}")))?;
    Ok(Exit::Holds)
}

fn list(output: &mut Output, names: &[&str]) -> io::Result<()> {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for name in names {
        writeln!(output, "{name:width$}  {}", table::summary(name).unwrap_or_default())?;
    }
    writeln!(output, "\nThe tables of one of them: mazurka objects NAME")
}

fn one(output: &mut Output, name: &str) -> io::Result<()> {
    let heading = output.colour().strong(name);
    writeln!(output, "{heading}: {}\n", table::summary(name).unwrap_or_default())?;
    writeln!(output, "{}", table::tables(name).unwrap_or_default().trim_end())
}
