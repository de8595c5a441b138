//! The trail file: a counterexample (or any run) that can be saved, sent to someone, and replayed.
//!
//! A trail is one JSON object: `format`, `version`, `model` (the path of the model, relative to the
//! directory of the trail unless absolute), `fingerprint` (sixteen hexadecimal digits, so that a trail
//! is not replayed on another model), how the model was read if anything was said about that (`define`, a list
//! of names with values, and `"full_channel": "lose"`), `kind`, `place`, `initial`, and `steps`, each with `process`,
//! `code` and `outcome`. Steps stand one a line, so that trails can be compared and looked at. A run that
//! breaks a temporal property also has `property`, as the command line names it (`claim:NAME`, `accept`,
//! `progress`, or `ltl:` and a formula), and `repeats`: the number of steps before those that are repeated
//! for ever.
//!
//! ModelOptions checks the form only. Whether the steps are possible is for `mazurka-replay` to say.

use mazurka_model::trace::TraceStep;
use mazurka_model::{Finding, FindingKind, ProcessId, Step, Trace, ViolationKind};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Write};

/// What the field `format` of every trail says.
const FORMAT: &str = "mazurka trail";

/// The version of the format that this program writes, and the only one it reads.
const VERSION: u64 = 1;

/// A counterexample with the model it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// The path of the model.
    pub model: String,
    /// [`Describe::fingerprint`](mazurka_model::Describe::fingerprint) of the model.
    pub fingerprint: u64,
    /// How the model was read.
    pub options: ModelOptions,
    /// The error and its run.
    pub finding: Finding,
    /// The temporal property that the run breaks, as the command line names it.
    pub property: Option<String>,
}

/// What was said about how to read a model. Read in another way, it is another model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ModelOptions {
    /// Macros, with their values.
    pub defines: Vec<(String, String)>,
    /// A message sent to a full channel is lost.
    pub loses: bool,
}

/// Why a file is not a trail that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailError {
    /// It is not a trail at all.
    Foreign,
    /// It is a trail of another version.
    Version(u64),
    /// It begins as a trail does, but is damaged: how.
    Damaged(String),
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrailError::Foreign => f.write_str("this is not a trail of `mazurka check`"),
            TrailError::Version(version) => {
                write!(f, "the trail has version {version}, this program reads version {VERSION}")
            }
            TrailError::Damaged(how) => write!(f, "the trail is damaged: {how}"),
        }
    }
}

impl std::error::Error for TrailError {}

/// The file as it stands; everything after `version` belongs to version 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    model: String,
    fingerprint: String,
    #[serde(default)]
    define: Vec<(String, String)>,
    full_channel: Option<String>,
    kind: String,
    place: Option<u32>,
    #[serde(default)]
    property: Option<String>,
    initial: u32,
    #[serde(default)]
    repeats: Option<usize>,
    steps: Vec<FileStep>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileStep {
    process: u16,
    code: u32,
    outcome: u32,
}

/// What is looked at first, whatever the version.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

impl Trail {
    /// Writes the trail.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = |value: &str| serde_json::to_string(value).map_err(io::Error::other);
        writeln!(out, "{{")?;
        writeln!(out, "  \"format\": {},", text(FORMAT)?)?;
        writeln!(out, "  \"version\": {VERSION},")?;
        writeln!(out, "  \"model\": {},", text(&self.model)?)?;
        writeln!(out, "  \"fingerprint\": \"{:016x}\",", self.fingerprint)?;
        if !self.options.defines.is_empty() {
            let defines = serde_json::to_string(&self.options.defines).map_err(io::Error::other)?;
            writeln!(out, "  \"define\": {defines},")?;
        }
        if self.options.loses {
            writeln!(out, "  \"full_channel\": \"lose\",")?;
        }
        writeln!(out, "  \"kind\": {},", text(self.finding.kind.name())?)?;
        match self.finding.kind {
            FindingKind::Deadlock | FindingKind::Stopped | FindingKind::Temporal { .. } => {
                writeln!(out, "  \"place\": null,")?;
            }
            FindingKind::Step { place, .. } | FindingKind::State { place, .. } => {
                writeln!(out, "  \"place\": {place},")?
            }
        }
        if let Some(property) = &self.property {
            writeln!(out, "  \"property\": {},", text(property)?)?;
        }
        writeln!(out, "  \"initial\": {},", self.finding.trace.initial)?;
        if let Some(repeats) = self.finding.trace.repeats {
            writeln!(out, "  \"repeats\": {repeats},")?;
        }
        write!(out, "  \"steps\": [")?;
        for (index, TraceStep { step, outcome }) in self.finding.trace.steps.iter().enumerate() {
            let step = FileStep { process: step.process.0, code: step.code, outcome: *outcome };
            let step = serde_json::to_string(&step).map_err(io::Error::other)?;
            write!(out, "{}\n    {step}", if index == 0 { "" } else { "," })?;
        }
        writeln!(out, "\n  ]\n}}")
    }

    /// Reads a trail from the text of a file.
    pub fn read(text: &str) -> Result<Trail, TrailError> {
        if !looks_like_trail(text) {
            return Err(TrailError::Foreign);
        }
        let damaged = |error: serde_json::Error| TrailError::Damaged(error.to_string());
        let header: Header = serde_json::from_str(text).map_err(damaged)?;
        if header.format != FORMAT {
            return Err(TrailError::Foreign);
        }
        if header.version != VERSION {
            return Err(TrailError::Version(header.version));
        }
        let file: File = serde_json::from_str(text).map_err(damaged)?;
        let fingerprint = (file.fingerprint.len() == 16)
            .then(|| u64::from_str_radix(&file.fingerprint, 16).ok())
            .flatten()
            .ok_or_else(|| {
                TrailError::Damaged("the fingerprint is not sixteen hexadecimal digits".to_owned())
            })?;
        let kind = kind(&file.kind, file.place)?;
        let steps = file.steps.iter().map(|step| TraceStep {
            step: Step { process: ProcessId(step.process), code: step.code },
            outcome: step.outcome,
        });
        let trace = Trace { initial: file.initial, steps: steps.collect(), repeats: file.repeats };
        if matches!(kind, FindingKind::Temporal { .. })
            && (file.property.is_none() || trace.repeats.is_none())
        {
            let missing = "a run that breaks a temporal property needs `property` and `repeats`";
            return Err(TrailError::Damaged(missing.to_owned()));
        }
        let loses = match file.full_channel.as_deref() {
            None | Some("block") => false,
            Some("lose") => true,
            Some(other) => {
                return Err(TrailError::Damaged(format!("a full channel does not `{other}`")));
            }
        };
        let options = ModelOptions { defines: file.define, loses };
        let finding = Finding { kind, trace };
        Ok(Trail { model: file.model, fingerprint, options, finding, property: file.property })
    }
}

/// Whether a text begins as trails do. A damaged trail still does; another file does not, and is
/// neither read as a trail nor overwritten by one.
pub fn looks_like_trail(text: &str) -> bool {
    let mut rest = text;
    for expected in ["{", "\"format\"", ":", "\"mazurka trail\""] {
        match rest.trim_start().strip_prefix(expected) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

fn kind(name: &str, place: Option<u32>) -> Result<FindingKind, TrailError> {
    let (kind, of_state) = match name {
        "deadlock" => return Ok(FindingKind::Deadlock),
        "run" => return Ok(FindingKind::Stopped),
        // Which property it is, its name says.
        "temporal" => return Ok(FindingKind::Temporal { property: 0 }),
        "invariant" => (ViolationKind::Assertion, true),
        "reception" => (ViolationKind::Reception, true),
        "unexpected" => (ViolationKind::Reception, false),
        "assertion" => (ViolationKind::Assertion, false),
        "fault" => (ViolationKind::Fault, false),
        "contract" => (ViolationKind::Contract, false),
        "overflow" => (ViolationKind::Overflow, false),
        _ => return Err(TrailError::Damaged(format!("there is no error of the kind `{name}`"))),
    };
    let place =
        place.ok_or_else(|| TrailError::Damaged(format!("an error of the kind `{name}` needs a place")))?;
    Ok(if of_state { FindingKind::State { kind, place } } else { FindingKind::Step { kind, place } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail() -> Trail {
        let step = |process, code, outcome| TraceStep { step: Step::new(process, code), outcome };
        Trail {
            model: "a \"b\"/ü.mzk".to_owned(),
            fingerprint: 0x00ab_cdef_0123_4567,
            options: ModelOptions::default(),
            finding: Finding {
                kind: FindingKind::Step { kind: ViolationKind::Fault, place: 3 },
                trace: Trace {
                    initial: 1,
                    steps: vec![step(0, 7, 0), step(65_535, u32::MAX, 2)],
                    repeats: None,
                },
            },
            property: None,
        }
    }

    fn text(trail: &Trail) -> String {
        let mut out = Vec::new();
        trail.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_file_is_as_documented() {
        let expected = r#"{
  "format": "mazurka trail",
  "version": 1,
  "model": "a \"b\"/ü.mzk",
  "fingerprint": "00abcdef01234567",
  "kind": "fault",
  "place": 3,
  "initial": 1,
  "steps": [
    {"process":0,"code":7,"outcome":0},
    {"process":65535,"code":4294967295,"outcome":2}
  ]
}
"#;
        assert_eq!(text(&trail()), expected);
    }

    #[test]
    fn what_is_written_is_read() {
        for kind in [
            FindingKind::Deadlock,
            FindingKind::Stopped,
            FindingKind::Step { kind: ViolationKind::Assertion, place: 0 },
            FindingKind::Step { kind: ViolationKind::Fault, place: u32::MAX },
            FindingKind::Step { kind: ViolationKind::Contract, place: 1 },
            FindingKind::State { kind: ViolationKind::Assertion, place: 2 },
            FindingKind::State { kind: ViolationKind::Reception, place: 5 },
            FindingKind::Step { kind: ViolationKind::Reception, place: 6 },
        ] {
            let mut trail = trail();
            trail.finding.kind = kind;
            assert_eq!(Trail::read(&text(&trail)), Ok(trail));
        }
        let mut read_so = trail();
        let define = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        read_so.options =
            ModelOptions { defines: vec![define("N", "3"), define("M", "\"a b\"")], loses: true };
        assert_eq!(Trail::read(&text(&read_so)), Ok(read_so));
        let mut empty = trail();
        empty.finding.trace.steps.clear();
        assert_eq!(Trail::read(&text(&empty)), Ok(empty));
    }

    #[test]
    fn foreign_files_are_told_apart_from_damaged_ones() {
        for foreign in ["", "hello", "[]", "{}", "{\"format\": \"other\", \"version\": 1}"] {
            assert_eq!(Trail::read(foreign), Err(TrailError::Foreign), "{foreign}");
        }
        let whole = text(&trail());
        for end in 40..whole.trim_end().len() {
            if whole.is_char_boundary(end) {
                let cut = Trail::read(&whole[..end]);
                assert!(matches!(cut, Err(TrailError::Damaged(_))), "cut at {end}: {cut:?}");
            }
        }
        let newer = whole.replace("\"version\": 1", "\"version\": 2");
        assert_eq!(Trail::read(&newer), Err(TrailError::Version(2)));
    }

    #[test]
    fn damage_is_named() {
        let whole = text(&trail());
        for (from, to, message) in [
            ("\"fault\"", "\"fire\"", "`fire`"),
            ("\"place\": 3", "\"place\": null", "needs a place"),
            ("00abcdef", "00abcdeg", "hexadecimal"),
            ("\"fingerprint\": \"00", "\"fingerprint\": \"", "hexadecimal"),
            ("\"code\":7", "\"code\":-7", "line 10 column"),
            ("\"code\":7,", "", "missing field `code`"),
            ("65535", "65536", "line 11 column"),
            ("\"kind\"", "\"full_channel\": \"explode\",\n  \"kind\"", "`explode`"),
        ] {
            let Err(TrailError::Damaged(how)) = Trail::read(&whole.replace(from, to)) else {
                panic!("{to} must be damage");
            };
            assert!(how.contains(message), "{how}");
        }
    }
}
