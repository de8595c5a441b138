//! `mazurka replay`: re-executes a saved counterexample and shows what each step changes.

use crate::Exit;
use crate::arguments::ReplayArguments;
use crate::failure::Failure;
use crate::load;
use crate::output::Output;
use crate::save::directory_of;
use mazurka_model::{FindingKind, ViolationKind};
use mazurka_report::Trail;
use mazurka_report::run::{self, Detail};
use std::io::Write;

/// Runs the command.
pub fn run(arguments: &ReplayArguments, output: &mut Output) -> Result<Exit, Failure> {
    let path = &arguments.trail;
    let shown = path.display();
    let text = load::text(path)?;
    let trail = Trail::read(&text).map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    // A relative path starts from where the trail lies; joining leaves an absolute one as it is.
    let recorded = || match directory_of(path) {
        here if here.as_os_str() == "." => trail.model.clone().into(),
        directory => directory.join(&trail.model),
    };
    let model = arguments.model.clone().unwrap_or_else(recorded);
    let how = load::How {
        defines: &arguments.define,
        full_channel: arguments.full_channel,
        receptions: matches!(trail.finding.kind, FindingKind::State { kind: ViolationKind::Reception, .. }),
    };
    let loaded = load::model(&model, &how).map_err(|failure| {
        failure.help(format!("{shown} belongs to this model; if it has been moved, say where: --model FILE"))
    })?;
    let describe = loaded.system().describe();
    if describe.fingerprint() != trail.fingerprint {
        let model = model.display();
        return Err(Failure::usage(format!("{model} is not the model that {shown} was made from"))
            .help(format!(
                "it has changed since, or was read with other macros (-D) or another --full-channel; look for the error again: mazurka check {model}"
            )));
    }
    let run = mazurka_replay::confirm(loaded.system(), &trail.finding).map_err(|refusal| {
        Failure::usage(format!("{shown} is not a run of {}: {refusal}", model.display()))
            .help("the trail has been changed by hand or is damaged; make a new one with `mazurka check`")
    })?;
    let colour = output.colour();
    let detail = Detail { changes: true, at_most: None };
    let written = run::write(output, &run, describe, detail, colour)
        .and_then(|()| writeln!(output, "{} {}", colour.bad("error:"), run::ending(&run, describe)));
    written.map_err(|error| Failure::Internal(format!("the run can't be written: {error}")))?;
    Ok(Exit::Holds)
}
