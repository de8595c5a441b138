//! Trails that commands are given: read, matched with their model, and executed again.

use crate::arguments::TrailArguments;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::save::directory_of;
use crate::temporal;
use mazurka_model::{Describe, FindingKind, ViolationKind};
use mazurka_replay::Run;
use mazurka_report::Trail;
use std::path::Path;

/// A trail with its model and the run that it stands for.
pub struct Opened {
    /// The model.
    pub loaded: Loaded,
    /// The run, executed again.
    pub run: Run,
}

/// Reads a trail.
pub fn read(path: &Path) -> Result<Trail, Failure> {
    let text = load::text(path)?;
    Trail::read(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Whether a trail belongs to a model.
pub fn check_model(trail: &Trail, path: &Path, describe: &dyn Describe, model: &Path) -> Result<(), Failure> {
    if describe.fingerprint() == trail.fingerprint {
        return Ok(());
    }
    let (shown, model) = (path.display(), model.display());
    Err(Failure::usage(format!("{model} is not the model that {shown} was made from")).help(format!(
        "it has changed since, or was read with other macros (-D) or another --full-channel; look for the error again: mazurka check {model}"
    )))
}

/// Whether the error of a trail is seen only by those who look for unspecified receptions.
pub fn looks_for_receptions(trail: &Trail) -> bool {
    matches!(trail.finding.kind, FindingKind::State { kind: ViolationKind::Reception, .. })
}

/// Reads a trail, loads its model and executes its run again.
pub fn open(arguments: &TrailArguments) -> Result<Opened, Failure> {
    let path = &arguments.trail;
    let shown = path.display();
    let trail = read(path)?;
    // A relative path starts from where the trail lies; joining leaves an absolute one as it is.
    let recorded = || match directory_of(path) {
        here if here.as_os_str() == "." => trail.model.clone().into(),
        directory => directory.join(&trail.model),
    };
    let model = arguments.model.clone().unwrap_or_else(recorded);
    let damaged = |error| Failure::usage(format!("{shown}: {error}"));
    let wanted = trail.property.as_deref().map(str::parse).transpose().map_err(damaged)?;
    let how = load::How {
        defines: &arguments.define,
        full_channel: arguments.full_channel,
        receptions: looks_for_receptions(&trail),
        temporal: wanted.into_iter().collect(),
    };
    let loaded = load::model(&model, &how).map_err(|failure| {
        failure.help(format!("{shown} belongs to this model; if it has been moved, say where: --model FILE"))
    })?;
    check_model(&trail, path, loaded.system().describe(), &model)?;
    let run =
        temporal::confirm(&loaded.system, loaded.temporal.first(), &trail.finding).map_err(|refusal| {
            Failure::usage(format!("{shown} is not a run of {}: {refusal}", model.display()))
                .help("the trail has been changed by hand or is damaged; make a new one with `mazurka check`")
        })?;
    Ok(Opened { loaded, run })
}
