//! Channels: the number of fields in messages, and channels that are sent to but never read.

use super::super::ast::{BaseType, ChannelInitialiser, Expression, ExpressionKind, Reference};
use super::super::token::Place;
use super::usage::Act;
use super::{Checker, SymbolId, Type};
use mazurka_model::source::Diagnostic;

/// How a channel that is declared with its type is used.
#[derive(Clone, Debug, Default)]
pub struct Use {
    /// A send to it.
    pub sent: Option<Place>,
    /// A receive from it.
    pub received: Option<Place>,
    /// It is passed on or stored, so others may use it.
    pub escaped: bool,
    /// How many simple values a message has, if known.
    pub fields: Option<usize>,
    /// It holds no message: sender and receiver meet.
    pub rendezvous: bool,
}

impl Checker<'_> {
    /// Warns about messages nobody reads, and about messages nobody sends.
    pub(super) fn unused_channels(&mut self) {
        let mut found: Vec<(Place, SymbolId, bool)> = self
            .uses
            .iter()
            .filter(|(_, used)| !used.escaped)
            .filter_map(|(id, used)| match (used.sent, used.received) {
                (Some(place), None) => Some((place, *id, true)),
                (None, Some(place)) => Some((place, *id, false)),
                _ => None,
            })
            .collect();
        found.sort_by_key(|(place, _, _)| place.span);
        for (place, id, sent) in found {
            let symbol = self.symbols.get(id);
            let (name, declared) = (symbol.name.clone(), symbol.place);
            let (message, label, help) = if sent {
                (
                    "nothing receives from",
                    "sent here",
                    "receive the messages somewhere, or remove the channel",
                )
            } else {
                ("nothing sends to", "waits here for ever", "send a message somewhere, or remove the channel")
            };
            let diagnostic = Diagnostic::warning(place.span, format!("{message} channel `{name}`"))
                .label(label)
                .help(help)
                .note(declared.span, "declared here");
            self.report(diagnostic, place);
        }
    }

    /// A channel operation on this reference: it must be a channel.
    pub(super) fn channel(&mut self, channel: &Reference) {
        self.reference(channel, false);
        self.note(channel, Act::Read);
        let Some((kind, length)) = self.symbols.type_of(channel) else { return };
        if kind != Type::Chan && length.is_none() {
            let name = &channel.parts[channel.parts.len() - 1].name.text;
            let diagnostic = Diagnostic::error(channel.place.span, format!("`{name}` is not a channel"))
                .label("used as a channel")
                .help("declare it as `chan`");
            self.report(diagnostic, channel.place);
        }
    }

    pub(super) fn used(&mut self, channel: &Reference) -> Option<&mut Use> {
        let id = self.symbols.resolve(channel.id)?;
        self.uses.get_mut(&id)
    }

    /// A channel variable in an expression: who gets its value may use it.
    pub(super) fn escapes(&mut self, reference: &Reference) {
        if let Some(used) = self.used(reference) {
            used.escaped = true;
        }
    }

    /// The number of simple values in a message of a channel with these fields, if all are known.
    pub(super) fn message_width(&self, channel: &ChannelInitialiser) -> Option<usize> {
        let width = |field: &BaseType| match field {
            BaseType::Named(name) => {
                let id = self.symbols.structure_names.get(&name.text)?;
                Some(self.symbols.structure(*id).width)
            }
            _ => Some(1),
        };
        channel.fields.iter().map(width).sum()
    }

    /// How many simple values an argument of a message stands for.
    pub(super) fn argument_width(&self, argument: &Expression) -> usize {
        match &argument.kind {
            ExpressionKind::Reference(reference) => self.reference_width(reference),
            _ => 1,
        }
    }

    pub(super) fn reference_width(&self, reference: &Reference) -> usize {
        self.symbols.type_of(reference).map_or(1, |(kind, _)| self.symbols.width(&kind))
    }

    /// Warns if a poll asks for a message that can't ever lie in its channel.
    pub(super) fn poll(&mut self, channel: &Reference, place: Place) {
        if self.used(channel).is_some_and(|used| used.rendezvous) {
            let diagnostic = Diagnostic::warning(place.span, "this poll is always false")
                .label("a rendezvous channel holds no message")
                .help("receive from it, or give it room; SPIN refuses to poll a rendezvous channel");
            self.report(diagnostic, place);
        }
    }

    /// Compares a message with its channel.
    pub(super) fn message_fits(&mut self, channel: &Reference, found: usize, what: &str, place: Place) {
        let Some(expected) = self.used(channel).and_then(|used| used.fields) else { return };
        let fields =
            |count: usize| if count == 1 { "1 field".to_string() } else { format!("{count} fields") };
        let message = format!("this {what} has {}, the channel {}", fields(found), fields(expected));
        let diagnostic = if found > expected {
            Diagnostic::error(place.span, message)
                .label("too many")
                .help("remove some, or add fields to the channel")
        } else if found < expected && what != "poll" {
            Diagnostic::warning(place.span, message).label("too few").help(if what == "send" {
                "the missing fields are sent as 0"
            } else {
                "the missing fields are dropped"
            })
        } else {
            return;
        };
        self.report(diagnostic, place);
    }
}
