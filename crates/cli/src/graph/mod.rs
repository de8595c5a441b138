//! `mazurka graph`: the state graph of a model, or the automata of its processes.

mod automata;
mod machines;
mod net;
mod record;
mod states;

use crate::arguments::GraphArguments;
use crate::failure::Failure;
use crate::load::Loaded;
use crate::output::Output;
use crate::{Exit, load, save};
use mazurka_report::graph::{Graph, write_dot, write_svg};
use std::io::Write;

/// Runs the command.
pub fn run(arguments: &GraphArguments, output: &mut Output) -> Result<Exit, Failure> {
    let loaded = load::model(&arguments.file, &arguments.how())?;
    let (graphs, whole) = match arguments.automata {
        true => (structure(&loaded), true),
        false => {
            let (graph, whole) = states::graph(&loaded, arguments)?;
            (vec![graph], whole)
        }
    };
    for note in graphs.iter().flat_map(|graph| &graph.notes) {
        // If standard error is closed there is no one to tell.
        let _ = writeln!(std::io::stderr(), "{} {note}", output.error_colour().warn("note:"));
    }
    match &arguments.svg {
        Some(path) => {
            save::drawing("--svg", path, &mut |out| write_svg(out, &graphs))?;
            writeln!(output, "Drawn in {}", path.display())
        }
        None => write_dot(output, &graphs),
    }
    .map_err(|error| Failure::Internal(format!("the graph can't be written: {error}")))?;
    Ok(if whole { Exit::Holds } else { Exit::Unknown })
}

/// What a model is made of: the automata of a program, the places and transitions of a net, or the machines of a
/// network.
fn structure(loaded: &Loaded) -> Vec<Graph> {
    let program = loaded.program().map(automata::graphs);
    let net = || loaded.net().map(|net| vec![net::graph(net.net())]);
    let machines = || loaded.vfsm().map(|system| machines::graphs(system.network()));
    program.or_else(net).or_else(machines).unwrap_or_default()
}
