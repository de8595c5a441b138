//! What `ARCHITECTURE.md` says is absent, is absent: checked on the manifests and sources.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn crates() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| root().join("crates").join(name).join("Cargo.toml").exists())
        .collect();
    names.sort();
    names
}

/// The names in the `[dependencies]` table of a crate; those for tests do not count.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(format!("crates/{name}/Cargo.toml"));
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', '=', ' ']).next().map(str::to_owned))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn ours(name: &str) -> Vec<String> {
    dependencies(name).into_iter().filter(|d| d.starts_with("mazurka")).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The source files below a folder whose code, comments left out, contains `text`.
fn mentions(folder: &str, text: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(&root().join(folder), &mut files);
    files.retain(|file| {
        let source = fs::read_to_string(file).unwrap();
        source.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(text))
    });
    files
}

#[test]
fn model_and_ltl_depend_on_nothing() {
    for name in ["model", "ltl"] {
        assert_eq!(dependencies(name), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn engine_replay_program_and_live_see_only_model() {
    for name in ["engine", "replay", "program", "live"] {
        assert_eq!(ours(name), ["mazurka-model"], "{name}");
    }
}

#[test]
fn machine_code_sees_only_model_and_program() {
    assert_eq!(ours("jit"), ["mazurka-model", "mazurka-program"]);
    for name in crates().iter().filter(|name| !["cli", "testkit", "jit"].contains(&name.as_str())) {
        assert!(!ours(name).contains(&"mazurka-jit".to_owned()), "{name} sees machine code");
    }
}

#[test]
fn store_and_reduce_never_import_search() {
    for folder in ["store", "reduce"] {
        for import in ["crate::search", "super::search", "super::super::search"] {
            assert_eq!(mentions(&format!("crates/engine/src/{folder}"), import), Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn arguments_serialisation_sockets_and_environment_stay_in_the_leaves() {
    for name in ["model", "program", "engine", "replay", "ltl"] {
        for foreign in ["clap", "serde", "serde_json", "postcard"] {
            assert!(!dependencies(name).iter().any(|d| d == foreign), "{name} depends on {foreign}");
        }
        for text in ["std::env", "std::net"] {
            assert_eq!(mentions(&format!("crates/{name}/src"), text), Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn algorithms_are_run_time_options() {
    for name in crates() {
        assert!(!read(format!("crates/{name}/Cargo.toml")).contains("[features]"), "{name} has features");
    }
}

#[test]
fn what_is_only_for_people_is_not_on_the_way_of_a_search() {
    for text in [".events(", ".values(", ".globals(", ".locals("] {
        for folder in ["search", "reduce", "store"] {
            assert_eq!(mentions(&format!("crates/engine/src/{folder}"), text), Vec::<PathBuf>::new());
        }
    }
    for name in ["report", "cli"] {
        for text in ["process::Command", "Command::new"] {
            // Tests of real programs are built and run by cargo.
            let mut files = mentions(&format!("crates/{name}/src"), text);
            files.retain(|file| !file.ends_with("cli/src/test/mod.rs"));
            assert_eq!(files, Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn unsafe_code_is_only_in_the_store_around_machine_code_and_where_threads_are_switched() {
    for name in crates().into_iter().filter(|name| name != "jit") {
        let unsafe_files = mentions(&format!("crates/{name}/src"), "unsafe {");
        let store = ["compare.rs", "exact.rs", "disk.rs", "pack/vector.rs", "pack/groups.rs", "pages.rs"];
        let store = store.map(|file| root().join("crates/engine/src/store").join(file));
        let fibers = ["runtime/fiber.rs", "runtime/control.rs", "thread/scope.rs"];
        let fibers = fibers.map(|file| root().join("crates/live/src").join(file));
        let allowed = |file: &PathBuf| store.contains(file) || fibers.contains(file);
        assert!(unsafe_files.iter().all(allowed), "{unsafe_files:?}");
    }
    let allowed = ["assistance.rs", "assistance/wide.rs", "module.rs", "system.rs"]
        .map(|file| root().join("crates/jit/src").join(file));
    let unsafe_files = mentions("crates/jit/src", "unsafe {");
    assert!(unsafe_files.iter().all(|f| allowed.contains(f)), "{unsafe_files:?}");
}

#[test]
fn every_crate_is_on_the_map() {
    let map = read("ARCHITECTURE.md");
    for name in crates() {
        assert!(map.contains(&format!("`crates/{name}`")), "{name} is missing in ARCHITECTURE.md");
    }
}

#[test]
fn every_page_of_the_book_exists_and_is_listed() {
    let summary = read("docs/src/SUMMARY.md");
    let listed: Vec<&str> = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(listed.len() > 5);
    for page in &listed {
        assert!(root().join("docs/src").join(page).exists(), "{page} does not exist");
    }
    for entry in fs::read_dir(root().join("docs/src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "SUMMARY.md" || listed.contains(&name.as_str()), "{name} is not listed");
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    let mut files = Vec::new();
    for name in crates() {
        sources(&root().join("crates").join(name), &mut files);
    }
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        assert!(source.starts_with("//!"), "{} does not open with what it is", file.display());
    }
}
