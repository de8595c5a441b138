//! Explores a loaded model; where the places of a net overflow, once more with room for more tokens.

use crate::load::Loaded;
use mazurka_engine::{Config, Monitor, Outcome};
use mazurka_front::petri::unbounded::{self, Growth};
use mazurka_model::{Finding, FindingKind, ViolationKind};

/// Explores a model until it fits its representation, or can't.
pub fn check(loaded: &mut Loaded, config: &Config, monitor: &dyn Monitor) -> Outcome {
    let search = |loaded: &Loaded| Some(mazurka_engine::check(loaded.system(), config, monitor));
    until_it_fits(loaded, search).unwrap_or_else(|| Outcome::nothing_asked(config))
}

/// Searches a model, and again with more room, until its states fit their representation, or can't. None if the
/// search has no outcome.
pub fn until_it_fits(loaded: &mut Loaded, search: impl Fn(&Loaded) -> Option<Outcome>) -> Option<Outcome> {
    loop {
        let mut outcome = search(loaded)?;
        let Some(overflow) = outcome.findings.iter().find(|finding| is_overflow(finding)) else {
            return Some(outcome);
        };
        // What grows for ever does so in words of any width.
        let growth = loaded.net().and_then(|net| unbounded::growth(net, &overflow.trace));
        match growth {
            None if loaded.widen() => {}
            None => return Some(outcome),
            Some(growth) => {
                outcome.notes.push(note(loaded, growth));
                return Some(outcome);
            }
        }
    }
}

/// Whether a search met a state that can't be represented.
pub fn is_overflow(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::Step { kind: ViolationKind::Overflow, .. })
}

fn note(loaded: &Loaded, growth: Growth) -> String {
    let place = growth.place as usize;
    let name =
        loaded.net().and_then(|net| net.net().places.get(place)).map_or("a place", |place| &place.name);
    format!(
        "the net is unbounded: steps {} to {} of the run can be repeated for ever, and each time `{name}` gets \
         more tokens",
        growth.from + 1,
        growth.until
    )
}
