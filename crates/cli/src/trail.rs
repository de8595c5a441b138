//! Trails that commands are given: read, matched with their model, and executed again.

use crate::arguments::TrailArguments;
use crate::failure::Failure;
use crate::load::{self, How, Loaded};
use crate::save::directory_of;
use crate::temporal::{self, Wanted};
use crate::values::FullChannel;
use mazurka_front::vfsm::Information;
use mazurka_model::{Describe, FindingKind, ViolationKind};
use mazurka_replay::Run;
use mazurka_report::{ModelOptions, Trail};
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

/// How the model of a trail is read: as it was when the trail was saved, except for macros that are given
/// now, which take the place of those recorded.
pub fn how<'a>(trail: &'a Trail, defines: &'a [(String, String)], full_channel: FullChannel) -> How<'a> {
    let ModelOptions { defines: recorded, loses } = &trail.options;
    How {
        defines: if defines.is_empty() { recorded } else { defines },
        full_channel: if *loses { FullChannel::Lose } else { full_channel },
        receptions: looks_for_receptions(trail),
        invariant: None,
        temporal: trail.property.as_deref().and_then(|property| property.parse().ok()).into_iter().collect(),
        information: Information::default(),
    }
}

/// Whether the error of a trail is seen only by those who look for unspecified receptions.
fn looks_for_receptions(trail: &Trail) -> bool {
    matches!(trail.finding.kind, FindingKind::State { kind: ViolationKind::Reception, .. })
}

fn is_of_invariant(trail: &Trail) -> bool {
    matches!(trail.finding.kind, FindingKind::State { kind: ViolationKind::Assertion, .. })
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
    // Which property it is must be known before the run is judged.
    let damaged = |error| Failure::usage(format!("{shown}: {error}"));
    trail.property.as_deref().map(str::parse::<Wanted>).transpose().map_err(damaged)?;
    let how = How {
        invariant: arguments.invariant.as_deref(),
        ..how(&trail, &arguments.define, arguments.full_channel)
    };
    let mut loaded = load::model(&model, &how).map_err(|failure| {
        failure.help(format!("{shown} belongs to this model; if it has been moved, say where: --model FILE"))
    })?;
    check_model(&trail, path, loaded.system().describe(), &model)?;
    let confirm = |loaded: &Loaded| temporal::confirm(loaded, loaded.temporal.first(), &trail.finding);
    let mut run = confirm(&loaded);
    // The search may have given the places of a net more room.
    while run.is_err() && loaded.widen() {
        run = confirm(&loaded);
    }
    if run.is_err() && loaded.net().is_some() && arguments.invariant.is_none() && is_of_invariant(&trail) {
        return Err(Failure::usage(format!(
            "{shown} shows that an invariant is false, which it does not hold"
        ))
        .help("give the invariant as it was given to `mazurka check`: --invariant F"));
    }
    let run = run.map_err(|refusal| {
        Failure::usage(format!("{shown} is not a run of {}: {refusal}", model.display()))
            .help("the trail has been changed by hand or is damaged; make a new one with `mazurka check`")
    })?;
    Ok(Opened { loaded, run })
}
