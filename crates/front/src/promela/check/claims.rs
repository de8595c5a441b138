//! Claims of exclusive access (`xr`, `xs`), compared with who uses the channel.
//!
//! Who may still use a channel is inferred for every state, so nothing rests on a claim. But a claim that is false is a mistake in
//! the model, and SPIN's reduction would rest on it. What the text shows is reported: a claim on a global channel by its name, and a process of another type
//! that uses it in that way by the same name, or several processes that claim it.

use super::super::ast::{Item, Reference};
use super::super::token::Place;
use super::constant::constant;
use super::{Checker, Context, SymbolId};
use mazurka_model::source::Diagnostic;

/// A way to use a channel, by whom and where.
#[derive(Copy, Clone, Debug)]
struct Access {
    channel: SymbolId,
    receives: bool,
    /// The process type.
    item: usize,
    place: Place,
}

/// Claims, and what is done to channels.
#[derive(Debug, Default)]
pub(super) struct Claims {
    claimed: Vec<Access>,
    used: Vec<Access>,
}

impl Checker<'_> {
    /// Notes a claim.
    pub(super) fn claim(&mut self, channel: &Reference, receives: bool, place: Place) {
        let access = self.access(channel, receives, place);
        self.claims.claimed.extend(access);
    }

    /// Notes that a process sends or receives.
    pub(super) fn access_channel(&mut self, channel: &Reference, receives: bool, place: Place) {
        let access = self.access(channel, receives, place);
        self.claims.used.extend(access);
    }

    /// A use of a global channel by its name.
    fn access(&self, channel: &Reference, receives: bool, place: Place) -> Option<Access> {
        let [part] = channel.parts.as_slice() else { return None };
        let id = self.symbols.resolve(channel.id)?;
        let plain =
            part.index.is_none() && self.symbols.get(id).owner.is_none() && self.uses.contains_key(&id);
        let access = Access { channel: id, receives, item: self.item, place };
        (plain && self.context == Context::Process).then_some(access)
    }

    /// Warns about claims that are false.
    pub(super) fn broken_claims(&mut self) {
        let Claims { claimed, used } = std::mem::take(&mut self.claims);
        for (number, claim) in claimed.iter().enumerate() {
            let (word, act) = if claim.receives { ("xr", "receives from") } else { ("xs", "sends to") };
            let name = self.symbols.get(claim.channel).name.clone();
            let same =
                |access: &&Access| (access.channel, access.receives) == (claim.channel, claim.receives);
            let other = |access: &&Access| same(access) && access.item != claim.item;
            let diagnostic = Diagnostic::warning(claim.place.span, format!("`{word} {name}` is false"))
                .help("remove it: who uses a channel alone is found out without it");
            let diagnostic = if claimed[..number].iter().any(|first| same(&first) && first.item != claim.item)
            {
                diagnostic.label("another process claims it too")
            } else if let Some(access) = used.iter().find(other) {
                diagnostic
                    .label(format!("another process {act} `{name}` too"))
                    .note(access.place.span, "here")
            } else if self.runs_several_times(claim.item) {
                diagnostic.label("there are several processes of this type")
            } else {
                continue;
            };
            self.report(diagnostic, claim.place);
        }
    }

    /// Whether the initial state has more than one process of a type.
    fn runs_several_times(&self, item: usize) -> bool {
        let Item::Proctype(proctype) = &self.unit.items[item] else { return false };
        let count = proctype.active.as_ref().and_then(|active| active.count.as_ref());
        count.and_then(|count| constant(count, &self.symbols)).is_some_and(|count| count > 1)
    }
}
