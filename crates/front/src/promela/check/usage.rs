//! Variables that nobody reads, that nobody sets, or that nobody mentions.
//!
//! Each is a warning only where it is sure to be a mistake or a waste of states. A variable is left alone
//! if its name also occurs where no statement of the model refers to it: in a macro or an inline that is
//! not used, in a part that a conditional leaves out, as the name of something else. So are parameters,
//! `hidden` and `show` variables, structures, and variables that a receive, `select` or `run` sets: a message has to
//! be put somewhere.

use super::super::ast::{Reference, Visibility};
use super::super::lex::{Interner, lex};
use super::super::token::{Text, TokenKind};
use super::{Checker, Context, SymbolId, SymbolKind, Type};
use mazurka_model::source::{Diagnostic, SourceMap, Span};
use std::collections::{HashMap, HashSet};

/// What is done to a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Act {
    /// Its value is used.
    Read,
    /// It is assigned.
    Assign,
    /// It gets a value that the statement itself is not about.
    Receive,
}

#[derive(Clone, Debug, Default)]
struct Usage {
    read: bool,
    assigned: bool,
    received: bool,
}

/// What is done to all variables, and where their names stand.
#[derive(Debug, Default)]
pub(super) struct Usages {
    by_symbol: HashMap<SymbolId, Usage>,
    mentions: Vec<(SymbolId, Span)>,
    initialised: HashSet<SymbolId>,
}

/// What is wrong with a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Fault {
    Unused,
    Unread,
    Unset,
    NoChannel,
}

impl Usages {
    /// A variable has an initial value.
    pub fn initialise(&mut self, symbol: SymbolId) {
        self.initialised.insert(symbol);
    }
}

impl Checker<'_> {
    /// Notes what is done to a variable.
    pub(super) fn note(&mut self, reference: &Reference, act: Act) {
        if let (Some(id), Some(part)) = (self.symbols.resolve(reference.id), reference.parts.first()) {
            self.note_symbol(id, part.name.place.span, act);
        }
    }

    pub(super) fn note_symbol(&mut self, id: SymbolId, mention: Span, act: Act) {
        self.usages.mentions.push((id, mention));
        let usage = self.usages.by_symbol.entry(id).or_default();
        match act {
            Act::Read => usage.read = true,
            // What a claim does to its own variables is its own affair.
            Act::Assign if self.context == Context::Never => usage.received = true,
            Act::Assign => usage.assigned = true,
            Act::Receive => usage.received = true,
        }
    }

    /// Warns about variables that are of no use.
    pub(super) fn useless_variables(&mut self) {
        let mut found: Vec<(SymbolId, Fault)> = Vec::new();
        for index in 0..self.symbols.symbols.len() {
            let id = SymbolId(index as u32);
            if let Some(fault) = self.useless(id) {
                found.push((id, fault));
            }
        }
        let names: HashSet<Text> = found.iter().map(|(id, _)| self.symbols.get(*id).name.clone()).collect();
        if names.is_empty() || self.errors > 0 {
            return;
        }
        let elsewhere = self.mentioned_elsewhere(&names);
        for (id, fault) in found {
            let symbol = self.symbols.get(id);
            let (name, place) = (symbol.name.clone(), symbol.place);
            if elsewhere.contains(&name) {
                continue;
            }
            let (message, label, help) = match fault {
                Fault::Unused => ("is never used", "declared here", "remove it"),
                Fault::Unread => (
                    "is set but never read",
                    "its values only make more states",
                    "remove it, or use its value somewhere",
                ),
                Fault::Unset => (
                    "is read but never set",
                    "it always has its first value, 0",
                    "assign it somewhere, or write the constant",
                ),
                Fault::NoChannel => (
                    "is never given a channel",
                    "it stands for no channel",
                    "give it one: `chan name = [capacity] of { … }`, or assign it",
                ),
            };
            let diagnostic = Diagnostic::warning(place.span, format!("variable `{name}` {message}"));
            self.report(diagnostic.label(label).help(help), place);
        }
    }

    fn useless(&self, id: SymbolId) -> Option<Fault> {
        let symbol = self.symbols.get(id);
        let SymbolKind::Variable { kind, visibility, parameter, .. } = &symbol.kind else { return None };
        let shown = matches!(visibility, Some(Visibility::Hidden | Visibility::Show));
        // SPIN's simulator reads from the terminal through a channel of this name.
        if *parameter || shown || matches!(kind, Type::Structure(_)) || &*symbol.name == "STDIN" {
            return None;
        }
        let initialised = self.usages.initialised.contains(&id);
        match self.usages.by_symbol.get(&id) {
            None => Some(Fault::Unused),
            Some(usage) if !usage.read && !usage.received => Some(Fault::Unread),
            Some(usage) if usage.read && !usage.assigned && !usage.received && !initialised => {
                Some(if *kind == Type::Chan { Fault::NoChannel } else { Fault::Unset })
            }
            _ => None,
        }
    }

    /// Which of these names stand somewhere that is neither a declaration nor a use of the variables.
    fn mentioned_elsewhere(&self, names: &HashSet<Text>) -> HashSet<Text> {
        let mut known: HashSet<Span> = HashSet::new();
        known.extend(self.symbols.symbols.iter().map(|symbol| symbol.place.span));
        known.extend(self.usages.mentions.iter().map(|(_, span)| *span));
        tokens(self.surroundings.sources)
            .filter(|(name, span)| names.contains(name) && !known.contains(span))
            .map(|(name, _)| name)
            .collect()
    }
}

/// The names in all files, wherever they stand but in comments and strings.
fn tokens(sources: &SourceMap) -> impl Iterator<Item = (Text, Span)> + '_ {
    let mut interner = Interner::default();
    let files = (0..=u16::MAX).map_while(|number| Some((number, sources.file(number)?)));
    files.flat_map(move |(number, file)| lex(&file.text, number, &mut interner, &mut Vec::new())).filter_map(
        |token| match token.kind {
            TokenKind::Name(name) => Some((name, token.place.span)),
            _ => None,
        },
    )
}
