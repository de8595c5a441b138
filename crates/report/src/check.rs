//! The outcome of `check` as text for people: the errors with their runs, then the verdict.

use crate::colour::Colour;
use crate::number;
use crate::run::{self, Detail};
use crate::temporal::TemporalResult;
use mazurka_engine::{Guarantee, Outcome, Properties, Stop, StoreKind, Verdict};
use mazurka_model::source::{Diagnostic, Severity};
use mazurka_model::{Describe, FindingKind, Place, ViolationKind};
use mazurka_replay::Run;
use std::io::{self, Write};
use std::time::Duration;

/// Everything that a report of `check` draws from.
pub struct Checked<'a> {
    /// The model, as the user named it.
    pub model: &'a str,
    /// What the search found.
    pub outcome: &'a Outcome,
    /// Explains steps and places.
    pub describe: &'a dyn Describe,
    /// The findings of the outcome, each confirmed by replay.
    pub violations: Vec<Shown>,
    /// What came of each temporal property.
    pub temporal: Vec<TemporalResult>,
    /// Time to read the model.
    pub parse: Duration,
    /// Time to make it executable.
    pub compile: Duration,
    /// The most memory the program used.
    pub peak_memory: u64,
    /// How the model was read.
    pub reading: Reading,
}

/// Options that the outcome of a search does not tell, most of them because they concern the model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    /// States and transitions are to be counted as SPIN counts them.
    pub spin_counts: bool,
    /// A message sent to a full channel is lost.
    pub full_channel_loses: bool,
    /// The model is executed as machine code.
    pub compiled: bool,
    /// What was done to the model first.
    pub optimise: String,
    /// The codec as it was asked for.
    pub codec_asked: String,
    /// How many searches a swarm makes.
    pub swarm: Option<u32>,
    /// What shall hold in every marking of a net.
    pub invariant: Option<String>,
    /// What the persistent sets of a network of machines are computed from.
    pub information: Option<&'static str>,
    /// Macros, and constants that were given another value.
    pub defines: Vec<String>,
}

/// A confirmed error.
pub struct Shown {
    /// The run that shows it.
    pub run: Run,
    /// The file in which it was saved, if it was.
    pub trail: Option<String>,
}

/// Steps shown of a long run; `mazurka replay` shows all.
const STEPS_SHOWN: usize = 30;

/// Values shown of the last state; `mazurka replay` shows all.
const VALUES_SHOWN: usize = 40;

/// The shortest search whose rate is shown.
const RATE_SHOWN_FROM: Duration = Duration::from_millis(100);

/// Unreached places shown; the JSON has all.
const UNREACHED_SHOWN: usize = 20;

impl Checked<'_> {
    /// Writes the whole report.
    pub fn write(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        for shown in &self.violations {
            self.write_violation(out, shown, colour)?;
            writeln!(out)?;
        }
        self.write_verdict(out, colour)?;
        self.write_statistics(out)?;
        for result in &self.temporal {
            result.write(out, colour)?;
        }
        self.write_unreached(out, colour)?;
        for note in &self.outcome.notes {
            writeln!(out, "  {} {note}", colour.warn("note:"))?;
        }
        Ok(())
    }

    /// Writes the verdict alone, and one line for each error.
    pub fn write_quietly(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        for shown in &self.violations {
            let finding = run::finding(&shown.run, self.describe);
            let sources = self.describe.sources();
            let location = finding.span.and_then(|span| sources.and_then(|map| map.locate(span)));
            let place = location.map(|at| format!("{at}: ")).unwrap_or_default();
            writeln!(out, "{place}{}", finding.text)?;
        }
        self.write_verdict(out, colour)
    }

    fn write_violation(&self, out: &mut dyn Write, shown: &Shown, colour: Colour) -> io::Result<()> {
        let finding = run::finding(&shown.run, self.describe);
        let label = match shown.run.kind {
            FindingKind::Deadlock => "the last step before the deadlock".to_owned(),
            FindingKind::State { kind: ViolationKind::Reception, .. } => "the receive that waits".to_owned(),
            FindingKind::State { .. } | FindingKind::Stopped => "the last step before it".to_owned(),
            FindingKind::Step { .. } => format!("executed by {}", finding.process),
            FindingKind::Temporal { .. } => "stated here".to_owned(),
        };
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            message: finding.text,
            span: finding.span,
            label,
            help: None,
            notes: Vec::new(),
        };
        let none = Default::default();
        let sources = self.describe.sources().unwrap_or(&none);
        writeln!(out, "{}\n", crate::diagnostic::render(&diagnostic, sources, colour))?;
        let steps = shown.run.steps.len();
        if steps == 0 {
            writeln!(out, "{}", colour.strong("It is the initial state itself:"))?;
        } else {
            let heading = format!("The run that leads there, {}:", number::counted(steps as u64, "step"));
            writeln!(out, "{}", colour.strong(&heading))?;
            let detail = Detail { changes: false, at_most: Some(STEPS_SHOWN) };
            run::write(out, &shown.run, self.describe, detail, colour)?;
            writeln!(out, "{}", colour.strong("It ends with:"))?;
        }
        run::write_end(out, &shown.run, self.describe, VALUES_SHOWN)?;
        if let Some(trail) = &shown.trail {
            writeln!(
                out,
                "Saved as {trail}; to see what each step changes: mazurka replay {}",
                quoted(trail)
            )?;
        }
        Ok(())
    }

    fn write_verdict(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let outcome = self.outcome;
        let (word, more) = match outcome.verdict {
            Verdict::Holds => {
                (colour.good("holds"), covered(&outcome.config.properties, self.temporal.len()))
            }
            Verdict::Violated => {
                let errors = number::counted(outcome.statistics.errors, "error");
                let more = match outcome.stopped {
                    None => errors,
                    Some(Stop::Errors) => format!("{errors}; there may be more"),
                    Some(stop) => format!("{errors}; {}", stop.reason()),
                };
                (colour.bad("violated"), more)
            }
            Verdict::Unknown => {
                let more = format!("{}; nothing is wrong in what was explored", outcome.guarantee_reason);
                (colour.warn("unknown"), more)
            }
        };
        writeln!(out, "{}: {word} ({more})", self.model)?;
        // A verdict that covers less than everything says so, whatever the verdict is.
        if outcome.verdict == Verdict::Holds && outcome.guarantee != Guarantee::Exact {
            writeln!(out, "  only {}: {}", outcome.guarantee.name(), outcome.guarantee_reason)?;
        }
        Ok(())
    }

    fn write_statistics(&self, out: &mut dyn Write) -> io::Result<()> {
        let counts = &self.outcome.statistics;
        let config = &self.outcome.config;
        write!(out, "  {}", number::counted(counts.states, "state"))?;
        write!(out, ", {}", number::counted(counts.transitions(), "transition"))?;
        write!(out, " ({} matched)", number::count(counts.matched))?;
        if counts.atomic_steps > 0 {
            write!(out, ", {}", number::counted(counts.atomic_steps, "atomic step"))?;
        }
        if counts.reopened > 0 {
            write!(out, ", {} reopened", number::count(counts.reopened))?;
        }
        writeln!(out, ", depth {}", number::count(counts.depth))?;
        if let Some(distinct) = counts.distinct.filter(|_| counts.replaced > 0) {
            let again = number::counted(counts.states - distinct, "time");
            let replaced = number::counted(counts.replaced, "state");
            writeln!(out, "  {replaced} replaced, {again} a state explored again (about)")?;
        }
        write!(
            out,
            "  reduction {}, dependency {}, search {}, order {}",
            config.reduction, config.dependency, config.search, config.order
        )?;
        if config.threads > 1 {
            write!(out, ", {} threads", config.threads)?;
        }
        match config.store {
            StoreKind::Exact => writeln!(out)?,
            store => writeln!(out, ", store {store}")?,
        }
        let [state, store] = [counts.state_bytes, counts.store_bytes].map(number::bytes);
        write!(out, "  states of {state}, {store} to store them")?;
        if config.reduction.sleep {
            write!(out, " ({} of it for sleep sets)", number::bytes(counts.sleep_bytes))?;
        }
        write!(out, "; {}", number::time(counts.search_time))?;
        if counts.disk_bytes > 0 {
            write!(out, ", {} on disk", number::bytes(counts.disk_bytes))?;
        }
        // The rate of a search that hardly began says nothing.
        if counts.search_time >= RATE_SHOWN_FROM {
            let rate = number::rate(counts.states, counts.search_time);
            write!(out, ", {} a second", number::counted(rate as u64, "state"))?;
        }
        writeln!(out)
    }

    /// The places never executed, in the order of the source; several that look the same are one.
    pub(crate) fn unreached(&self) -> Vec<&Place> {
        let mut places: Vec<&Place> = self.outcome.unreached.iter().collect();
        places.dedup_by(|a, b| a.span.is_some() && a.span == b.span && a.text == b.text);
        places
    }

    fn write_unreached(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let unreached = self.unreached();
        if unreached.is_empty() {
            return Ok(());
        }
        writeln!(out, "  {}", colour.warn("never executed:"))?;
        for place in unreached.iter().take(UNREACHED_SHOWN) {
            let sources = self.describe.sources();
            let location = place.span.and_then(|span| sources.and_then(|map| map.locate(span)));
            let location = location.map(|at| format!("{at}: ")).unwrap_or_default();
            writeln!(out, "    {location}{}", place.text)?;
        }
        if unreached.len() > UNREACHED_SHOWN {
            writeln!(out, "    … and {} more", unreached.len() - UNREACHED_SHOWN)?;
        }
        Ok(())
    }
}

/// What a verdict of `holds` speaks of.
fn covered(properties: &Properties, temporal: usize) -> String {
    let mut absent = Vec::new();
    if properties.deadlock {
        absent.push("no deadlock");
    }
    if properties.assertions {
        absent.push("no false assertion, no fault");
    }
    if properties.reception {
        absent.push("no unspecified reception");
    }
    let runs = format!("no run breaks {}", if temporal == 1 { "the property" } else { "a property" });
    if temporal > 0 {
        absent.push(&runs);
    }
    if absent.is_empty() { "nothing was asked that could fail".to_owned() } else { absent.join(", ") }
}

/// A path as it can be given to a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@,".contains(c);
    if path.chars().all(plain) && !path.is_empty() {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn paths_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b-1.mzk.trail"), "a/b-1.mzk.trail");
        assert_eq!(quoted("it's here"), "'it'\\''s here'");
    }
}
