//! Every example model of an installed SPIN must be accepted, and read the same after printing. The models are not part of this
//! project: where the package is missing, the test says so and checks nothing.

use mazurka_front::promela::{Options, parse, print::print};
use mazurka_model::source::Severity;
use std::path::{Path, PathBuf};

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
}

fn include(from: &str, wanted: &str) -> Result<(String, String), String> {
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    Ok((path.display().to_string(), text))
}

#[test]
fn all_installed_examples_are_accepted() {
    let mut paths = Vec::new();
    models(Path::new("/usr/share/doc/spin/examples"), &mut paths);
    paths.sort();
    if paths.is_empty() {
        eprintln!("skipped: the examples of SPIN are not installed");
        return;
    }
    let mut wrong = Vec::new();
    for path in &paths {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        if text.contains("c_code") || text.contains("c_expr") || text.contains("c_decl") {
            continue;
        }
        let options = Options { include: Box::new(include), ..Options::default() };
        let parsed = parse(&path.display().to_string(), &text, &options);
        if let Some(unit) = &parsed.unit {
            let again = parse("printed", &print(unit), &Options::default());
            let same = again.unit.is_some_and(|again| again.items == unit.items);
            assert!(same, "{} is printed wrongly:\n{}", path.display(), print(unit));
        }
        for diagnostic in &parsed.diagnostics {
            let place = diagnostic.span.and_then(|span| parsed.sources.locate(span));
            let place = place.map_or(String::new(), |place| place.to_string());
            let line =
                format!("{place}: {:?}: {} ({})", diagnostic.severity, diagnostic.message, diagnostic.label);
            if diagnostic.severity == Severity::Error {
                wrong.push(line);
            } else {
                eprintln!("{line}");
            }
        }
    }
    assert!(wrong.is_empty(), "{} errors in {} models:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}
