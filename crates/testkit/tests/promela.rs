//! Every Promela model of the corpus: as many states and transitions as SPIN recorded in its header,
//! and the same errors under every reduction.

use mazurka_program::Interpreter;
use mazurka_testkit::compare::keeps_contract;
use mazurka_testkit::{compare, corpus, every_config, explore, spin};

#[test]
fn every_model_is_what_spin_says() {
    let mut paths = Vec::new();
    spin::models(&corpus::directory().join("promela"), &mut paths);
    assert!(paths.len() >= 80, "the corpus is missing: {} models", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let entry = |word: &str| {
            let start = format!("// {word}: ");
            text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or("").to_owned()
        };
        let recorded = [entry("states"), entry("transitions"), entry("verdict")].join(" ");
        let found = spin::program(&name, &text).and_then(|program| {
            let counts = spin::ours(program.clone(), 100_000)?;
            let system = Interpreter::new(program).map_err(|e| format!("{e:?}"))?;
            let facts = explore(&system, 100_000, 10_000).map_err(|e| format!("{e:?}"))?;
            keeps_contract(&system, 10_000).map_err(|d| d.to_string())?;
            for config in every_config(7) {
                compare(&system, &facts, &config).map_err(|d| d.to_string())?;
            }
            Ok(format!("{} {} {}", counts.states, counts.transitions, counts.verdict()))
        });
        match found {
            Ok(found) if found == recorded => {}
            Ok(found) => wrong.push(format!("{name}: {found}, SPIN found {recorded}")),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
