//! `mazurka explain`: why a reduction explores some steps of a state and not others.

mod arguments;
mod nth;

use crate::Exit;
use crate::arguments::TrailArguments;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::output::Output;
use crate::trail;
pub use arguments::ExplainArguments;
use mazurka_engine::Explanation;
use mazurka_report::explain::{Explained, json};
use std::io::Write;

/// Runs the command.
pub fn run(arguments: &ExplainArguments, output: &mut Output) -> Result<Exit, Failure> {
    let (loaded, states) = states(arguments)?;
    let system = loaded.system();
    let config = loaded.usual(arguments.config(), &arguments.property);
    let explanations: Vec<Explanation> =
        states.iter().map(|(_, state)| mazurka_engine::explain(system, &config, state)).collect();
    let explained: Vec<Explained<'_>> = states
        .iter()
        .zip(&explanations)
        .map(|((title, state), explanation)| Explained { system, state, title: title.clone(), explanation })
        .collect();
    show(&loaded, &explained, arguments, output)?;
    Ok(Exit::Holds)
}

/// States, each with its name.
type Named = Vec<(String, Vec<u8>)>;

/// The model and the states that were asked for.
fn states(arguments: &ExplainArguments) -> Result<(Loaded, Named), Failure> {
    let Some(path) = &arguments.trail else {
        let loaded = load::model(&arguments.file, &arguments.how())?;
        let state = nth::state(loaded.system(), arguments.state)?;
        return Ok((loaded, vec![(format!("state {}", arguments.state), state)]));
    };
    let trail = TrailArguments {
        trail: path.clone(),
        model: Some(arguments.file.clone()),
        full_channel: arguments.full_channel,
        invariant: None,
        define: arguments.define.clone(),
    };
    let opened = trail::open(&trail)?;
    let mut states = vec![("start".to_owned(), opened.run.initial.clone())];
    for (index, executed) in opened.run.steps.iter().enumerate() {
        if let Some(after) = &executed.after {
            states.push((format!("after step {}", index + 1), after.clone()));
        }
    }
    Ok((opened.loaded, states))
}

fn show(
    loaded: &Loaded,
    explained: &[Explained<'_>],
    arguments: &ExplainArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let internal = |error: &dyn std::fmt::Display| {
        Failure::Internal(format!("the explanation can't be written: {error}"))
    };
    if arguments.json {
        let text = json(env!("CARGO_PKG_VERSION"), &loaded.path, explained).map_err(|e| internal(&e))?;
        return writeln!(output, "{text}").map_err(|error| internal(&error));
    }
    let colour = output.colour();
    for (index, one) in explained.iter().enumerate() {
        let apart = if index > 0 { writeln!(output) } else { Ok(()) };
        apart.and_then(|()| one.write(output, arguments.values, colour)).map_err(|error| internal(&error))?;
    }
    Ok(())
}
