//! One run of each tool on one model.

use crate::measure::{Cost, run};
use serde::Serialize;
use std::path::Path;

/// How a model is searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Search {
    /// Every interleaving, counted in the same way: SPIN without its optimisations, and ours likewise.
    Full,
    /// With the reduction and the optimisations of each tool.
    Reduced,
}

impl Search {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Search::Full => "full",
            Search::Reduced => "reduced",
        }
    }
}

/// One run of a tool.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sample {
    /// States stored.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Making a verifier of the model: `spin -a`, or reading it.
    pub translate: f64,
    /// Compiling that: gcc, or machine code.
    pub compile: f64,
    /// The search: processor seconds.
    pub search: f64,
    /// The same, of the system alone.
    pub system: f64,
    /// The search on the wall.
    pub search_wall: f64,
    /// From command to answer, on the wall.
    pub wall: f64,
    /// Bytes of the store, as the tool itself accounts for them.
    pub store_bytes: u64,
    /// The peak of its memory.
    pub peak_bytes: u64,
}

/// The number in front of a text in the output of `pan`.
fn number(output: &str, text: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains(text))?;
    line[..line.find(text)?].split_whitespace().next_back()?.parse().ok()
}

/// SPIN: translates, compiles and searches.
pub fn spin(
    folder: &Path,
    model: &str,
    search: Search,
    threads: u32,
    collapse: bool,
) -> Result<Sample, String> {
    let mut translate = vec!["-a", model];
    let mut compile = vec!["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=12000", "-o", "pan", "pan.c"];
    if search == Search::Full {
        translate.splice(0..0, ["-o1", "-o2", "-o3"]);
        compile.push("-DNOREDUCE");
    }
    let cores = format!("-DNCORE={threads}");
    if threads > 1 {
        compile.push(&cores);
    }
    if collapse {
        compile.push("-DCOLLAPSE");
    }
    let (text, translated) = run(folder, "spin", &translate)?;
    if !folder.join("pan.c").exists() {
        return Err(format!("spin: {text}"));
    }
    let (_, compiled) = run(folder, "gcc", &compile)?;
    let (output, searched) = run(folder, "./pan", &["-m2000000", "-c0", "-n", "-w24"])?;
    let count = |text| number(&output, text).map(|count| count as u64);
    let (Some(states), Some(transitions)) = (count(" states, stored"), count(" transitions (")) else {
        return Err(format!("pan: {output}"));
    };
    let bytes = number(&output, "\tactual memory usage for states").unwrap_or_default();
    let table = number(&output, "\tmemory used for hash table").unwrap_or_default();
    let _ = std::fs::remove_file(folder.join("pan.c"));
    Ok(Sample {
        states,
        transitions,
        translate: translated.processor(),
        compile: compiled.processor(),
        search: searched.processor(),
        system: searched.system,
        search_wall: searched.wall,
        wall: translated.wall + compiled.wall + searched.wall,
        store_bytes: ((bytes + table) * 1024.0 * 1024.0) as u64,
        peak_bytes: searched.peak_bytes,
    })
}

/// Mazurka: one command.
pub fn mazurka(
    binary: &str,
    folder: &Path,
    model: &str,
    search: Search,
    threads: u32,
) -> Result<Sample, String> {
    let threads = threads.to_string();
    let mut arguments = vec!["check", model, "--json", "--quiet", "--max-errors", "0"];
    arguments.extend(["--property", "deadlock", "--property", "assert"]);
    if threads != "1" {
        arguments.extend(["--threads", &threads]);
    }
    match search {
        Search::Full => arguments.extend(["--reduce", "none", "--spin-counts"]),
        Search::Reduced => arguments.extend(["--optimise", "all"]),
    }
    let (text, Cost { user, system, wall, peak_bytes }) = run(folder, binary, &arguments)?;
    let found: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("mazurka: {error}: {text}"))?;
    let whole = |name: &str| found[name].as_u64().unwrap_or_default();
    let seconds = |name: &str| found["seconds"][name].as_f64().unwrap_or_default();
    let (translate, compile) = (seconds("parse"), seconds("compile"));
    Ok(Sample {
        states: whole("states"),
        transitions: whole("transitions"),
        translate,
        compile,
        search: (user + system - translate - compile).max(0.0),
        system,
        search_wall: (wall - translate - compile).max(0.0),
        wall,
        store_bytes: whole("store_bytes"),
        peak_bytes,
    })
}
