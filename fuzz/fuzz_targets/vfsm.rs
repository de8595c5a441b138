//! Any bytes through the front end of networks of machines, `.vfsm` or SCXML, and the first steps of what comes out.
//!
//! What must hold: no panic, no hang, bounded memory (the limits are in `run`); every diagnostic has its place in the
//! text; an input that gives no network gives an error; steps that are listed as enabled can be executed, and what the
//! system says of them can be asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_front::vfsm::{VfsmSystem, parse, scxml};
use mazurka_model::source::Severity;
use mazurka_model::{Batch, Chosen, ClosedSets, Footprint, Keep, Relations, System};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let chart = text.trim_start().starts_with('<');
    // Every file that a chart invokes is what stands behind the first one, else the chart itself.
    let (first, second) = text.split_once("<?next?>").unwrap_or((&text, &text));
    let parsed = match chart {
        true => scxml::parse_with("fuzz.scxml", first, &mut |_| Ok(second.to_owned())),
        false => parse("fuzz.vfsm", &text, &[]),
    };
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.span.expect("every diagnostic has a place");
        assert!(parsed.sources.locate(span).is_some(), "a place outside the text");
    }
    let Some(network) = parsed.network else {
        assert!(parsed.diagnostics.iter().any(|d| d.severity == Severity::Error), "refused without a reason");
        return;
    };
    let system = VfsmSystem::new(network);
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut state = batch.state(0).to_vec();
    let (mut footprint, mut sets) = (Footprint::default(), Vec::new());
    for _ in 0..8 {
        let mut enabled = Vec::new();
        system.enabled(&state, &mut enabled);
        enabled.truncate(64);
        system.describe().values(&state);
        ClosedSets::closed_sets(&system, &state, &enabled, Keep::Errors, &mut sets);
        batch.clear();
        for step in &enabled {
            system.describe().step(&state, *step);
            Relations::step(&system, &state, *step, &mut footprint);
            let before = batch.len() + batch.violations().len();
            system.expand(&state, Chosen::Steps(&[*step]), &mut batch);
            assert!(batch.len() + batch.violations().len() > before, "an enabled step does nothing");
        }
        for violation in batch.violations() {
            assert!(!system.describe().violation(violation).text.is_empty());
        }
        if batch.is_empty() {
            return;
        }
        state = batch.state(batch.len() - 1).to_vec();
    }
});
