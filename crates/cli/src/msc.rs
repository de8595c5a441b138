//! `mazurka msc`: a saved run as a message sequence chart.

use crate::Exit;
use crate::arguments::MscArguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::save;
use crate::trail::{self, Opened};
use mazurka_report::chart::Chart;
use std::io::Write;

/// Runs the command.
pub fn run(arguments: &MscArguments, output: &mut Output) -> Result<Exit, Failure> {
    let Opened { loaded, run } = trail::open(&arguments.trail)?;
    let chart = Chart::new(&run, loaded.system().describe(), arguments.all);
    match &arguments.svg {
        Some(path) => {
            save::drawing("--svg", path, &mut |out| chart.write_svg(out))?;
            writeln!(output, "Drawn in {}", path.display())
        }
        None => {
            let colour = output.colour();
            chart.write_text(output, colour)
        }
    }
    .map_err(|error| Failure::Internal(format!("the chart can't be written: {error}")))?;
    Ok(Exit::Holds)
}
