//! `mazurka ltl`: the Büchi automaton of a formula, of a specification pattern, or of a file.

use crate::Exit;
use crate::failure::Failure;
use crate::output::Output;
use clap::{ArgGroup, Args, ValueEnum};
use mazurka_ltl::print::{Spelling, print};
use mazurka_ltl::{Automaton, Formula, Formulas, ParseError};
use mazurka_ltl::{dot, hoa, never, parse, pattern, reduce, separate, simplify, stutter, translate};
use mazurka_model::source::{Diagnostic, SourceMap, Span};
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "\
Examples:
  mazurka ltl '[](p -> <>q)' --negate --format never
  mazurka ltl --pattern 'response: q responds to p after r'
  mazurka ltl --automaton property.hoa --format dot

Operators: [] <> X U W V M && || ! -> <-> as in SPIN, G F X U W R M & | ! -> <-> xor as in Spot, or in
words (always eventually next until weakuntil release and or not implies equivalent). Atoms are names,
comparisons such as x > 3, or any text in double quotes.

Patterns: absence, existence, bounded existence, universality, precedence (s precedes p), response
(s responds to p); each globally, before r, after q, between q and r, after q until r.";

/// Arguments of `ltl`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE, group = ArgGroup::new("property").required(true))]
pub struct LtlArguments {
    /// The formula
    #[arg(value_name = "FORMULA", group = "property", allow_hyphen_values = true)]
    formula: Option<String>,

    /// A specification pattern instead of a formula
    #[arg(long, value_name = "PATTERN", group = "property")]
    pattern: Option<String>,

    /// A file with an automaton (HOA) or a never claim instead of a formula
    #[arg(long, value_name = "FILE", group = "property", conflicts_with = "negate")]
    automaton: Option<PathBuf>,

    /// What to write
    #[arg(long, value_name = "F", value_enum, default_value = "text")]
    format: Format,

    /// The automaton of the negation: what a never claim has to match
    #[arg(long)]
    negate: bool,

    /// The generalised automaton with acceptance on edges, instead of the Büchi automaton
    #[arg(long)]
    generalised: bool,
}

/// What `ltl` writes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: the formula, what it means for a reduction, and the automaton
    Text,
    /// The Hanoi omega-automata format
    Hoa,
    /// A drawing for Graphviz
    Dot,
    /// A never claim for SPIN
    Never,
}

/// Runs the command.
pub fn run(arguments: &LtlArguments, output: &mut Output) -> Result<Exit, Failure> {
    if arguments.generalised && arguments.format == Format::Never {
        return Err(Failure::usage("a never claim can't be generalised").help("leave out --generalised"));
    }
    let shown = match &arguments.automaton {
        Some(path) => from_file(path, arguments)?,
        None => from_formula(arguments)?,
    };
    let name = shown.name.as_deref();
    let text = match arguments.format {
        Format::Text => format!("{}{}", shown.about, listing(&shown.automaton)),
        Format::Hoa => hoa::write(&shown.automaton, name),
        Format::Dot => dot::write(&shown.automaton, name),
        Format::Never => never::write(&shown.automaton, name)
            .ok_or_else(|| Failure::Internal("the automaton is no Büchi automaton".to_owned()))?,
    };
    output
        .write_all(text.as_bytes())
        .map_err(|error| Failure::Internal(format!("the automaton can't be written: {error}")))?;
    Ok(Exit::Holds)
}

/// What is to be written.
struct Shown {
    automaton: Automaton,
    name: Option<String>,
    /// What is said before the automaton.
    about: String,
}

fn from_formula(arguments: &LtlArguments) -> Result<Shown, Failure> {
    let mut formulas = Formulas::new();
    let mut formula = match (&arguments.formula, &arguments.pattern) {
        (Some(text), _) => {
            parse::parse(&mut formulas, text).map_err(|error| wrong("formula", text, error))?
        }
        (None, Some(text)) => {
            pattern::parse(&mut formulas, text).map_err(|error| wrong("pattern", text, error))?
        }
        (None, None) => return Err(Failure::usage("there is no formula")),
    };
    if arguments.negate {
        formula = formulas.not(formula);
    }
    let translation = translate::translate(&mut formulas, formula)
        .map_err(|error| Failure::usage(format!("{error}")).help("divide the property into several"))?;
    let automaton = if arguments.generalised { translation.generalised } else { translation.buchi };
    let about =
        if arguments.format == Format::Text { about_formula(&mut formulas, formula) } else { String::new() };
    Ok(Shown { automaton, name: Some(print(&formulas, formula, Spelling::Spin)), about })
}

fn about_formula(formulas: &mut Formulas, formula: Formula) -> String {
    let simple = simplify::simplify(formulas, formula);
    let invariant = stutter::formula_is_invariant(formulas, formula);
    let components: Vec<String> = separate::separate(formulas, formula)
        .into_iter()
        .map(|one| print(formulas, one, Spelling::Spin))
        .collect();
    format!(
        "formula     {}\nin Spot     {}\nsimplified  {}\ncomponents  {}\nstuttering  {}\n",
        print(formulas, formula, Spelling::Spin),
        print(formulas, formula, Spelling::Spot),
        print(formulas, simple, Spelling::Spin),
        if components.is_empty() { "none".to_owned() } else { components.join(", ") },
        about_stuttering(invariant),
    )
}

fn about_stuttering(invariant: Option<bool>) -> &'static str {
    match invariant {
        Some(true) => "does not matter: reductions are allowed",
        Some(false) => "matters: reductions are not allowed",
        None => "not decided within limits: reductions are not allowed",
    }
}

fn from_file(path: &Path, arguments: &LtlArguments) -> Result<Shown, Failure> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("{shown} can't be read: {error}")))?;
    let read = read_automaton(&text).map_err(|error| wrong(&shown, &text, error))?;
    let automaton = if arguments.generalised { reduce::reduce(&read) } else { reduce::buchi(&read) };
    let about = match arguments.format {
        Format::Text => format!("stuttering  {}\n", about_stuttering(stutter::is_invariant(&automaton))),
        _ => String::new(),
    };
    Ok(Shown { automaton, name: None, about })
}

/// Reads an automaton in HOA, or a never claim.
pub fn read_automaton(text: &str) -> Result<Automaton, ParseError> {
    // The one begins with `HOA:`, the other with `never`, comments apart.
    match text.contains("HOA:") && !text.trim_start().starts_with("never") {
        true => hoa::read(text),
        false => never::read(text),
    }
}

/// An error in a text, shown with its place.
pub fn wrong(name: &str, text: &str, error: ParseError) -> Failure {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let place = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let span = Span { file, start: place(error.start), end: place(error.end) };
    let mut diagnostic = Diagnostic::error(span, error.message);
    diagnostic.help = error.help;
    Failure::Model(vec![diagnostic], sources)
}

/// A number of things.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The automaton, state by state.
fn listing(automaton: &Automaton) -> String {
    let kind = match (automaton.is_state_based() && automaton.sets() == 1, automaton.is_deterministic()) {
        (true, true) => "Büchi, deterministic".to_owned(),
        (true, false) => "Büchi".to_owned(),
        (false, _) => {
            format!("generalised Büchi with {} on edges", count(automaton.sets() as usize, "acceptance set"))
        }
    };
    let mut text = format!(
        "automaton   {kind}: {}, {}\n",
        count(automaton.size(), "state"),
        count(automaton.edge_count(), "edge")
    );
    for state in automaton.states() {
        let initial = if state == automaton.initial() { ", initial" } else { "" };
        let on_states = automaton.is_state_based() && automaton.sets() == 1;
        let accepting = if on_states && automaton.marks_of(state) == 1 { ", accepting" } else { "" };
        text.push_str(&format!("\nstate {}{initial}{accepting}\n", state.0));
        for edge in automaton.edges(state) {
            let sets: Vec<String> = (0..automaton.sets())
                .filter(|set| edge.marks >> set & 1 == 1)
                .map(|set| set.to_string())
                .collect();
            let marks = if on_states || sets.is_empty() {
                String::new()
            } else {
                format!("   {{{}}}", sets.join(","))
            };
            text.push_str(&format!("  {} -> {}{marks}\n", automaton.readable(edge.label), edge.target.0));
        }
    }
    text
}
