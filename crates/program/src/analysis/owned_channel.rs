//! Channels of processes as objects: what is done to the channel, that it appears and ends with its owner, and that somebody fails if it is not there.

use mazurka_model::object::{Condition, Domain, Glance, KindInfo, ObjectType};
use mazurka_model::{Operation, OperationKind};

/// A channel of a process: the channel, and its end with its owner.
///
/// The youngest process leaves first, so the owner can't leave while a younger process lives: only an
/// older one need fear that the channel ends.
#[derive(Debug)]
pub struct OwnedChannel(Box<dyn ObjectType>);

impl OwnedChannel {
    /// One whose messages are kept like this.
    pub fn new(channel: Box<dyn ObjectType>) -> OwnedChannel {
        OwnedChannel(channel)
    }
}

/// The channel appears with its owner, or ends with it. The last number but one: [`OperationKind::ANY`]
/// is the last.
pub const LIFE: OperationKind = OperationKind(u8::MAX - 1);
/// Somebody goes wrong if the channel is not there, whatever it holds.
pub const EXISTS: OperationKind = OperationKind(u8::MAX - 2);

/// Whether two operations on a channel depend on each other whatever it holds; nothing: that is for the channel to say.
fn by_life(a: &Operation, b: &Operation) -> Option<bool> {
    match (a.kind == LIFE || b.kind == LIFE, a.kind == EXISTS || b.kind == EXISTS) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

impl ObjectType for OwnedChannel {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn kinds(&self) -> &'static [KindInfo] {
        self.0.kinds()
    }

    fn kind_name(&self, kind: OperationKind) -> &'static str {
        match kind {
            LIFE => "Life",
            EXISTS => "Exists",
            _ => self.0.kind_name(kind),
        }
    }

    fn reads(&self, kind: OperationKind) -> bool {
        kind == EXISTS || kind != LIFE && self.0.reads(kind)
    }

    fn initial(&self) -> Vec<i64> {
        self.0.initial()
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        match operation.kind {
            LIFE => None,
            EXISTS => {
                next.clear();
                next.extend_from_slice(value);
                Some(0)
            }
            _ => self.0.apply(value, operation, next),
        }
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        by_life(a, b).unwrap_or_else(|| self.0.dependent(a, b, value))
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (a.kind == LIFE, b.kind == LIFE) {
            (true, _) => true,
            (false, true) => a.process < b.process,
            (false, false) => by_life(a, b).unwrap_or_else(|| self.0.interacts(a, b, value)),
        }
    }

    fn interacts_among(&self, a: &Operation, b: &Operation, value: &[i64], kinds: u64) -> bool {
        match by_life(a, b) {
            Some(_) => self.interacts(a, b, value),
            None => self.0.interacts_among(a, b, value, kinds),
        }
    }

    fn glance(&self, a: &Operation, b: &Operation) -> Glance {
        match by_life(a, b) {
            Some(_) => Glance::Nothing,
            None => self.0.glance(a, b),
        }
    }

    fn outline(&self, value: &mut Vec<i64>) {
        self.0.outline(value);
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        by_life(a, b).is_none() && self.0.exclusive(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        by_life(a, b).unwrap_or_else(|| self.0.constant(a, b))
    }

    fn apart(&self, a: &Operation, b: &Operation) -> bool {
        by_life(a, b).map_or_else(|| self.0.apart(a, b), |depends| !depends)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        if matches!(operation.kind, LIFE | EXISTS) { *operation } else { self.0.unrefined(operation) }
    }

    fn identifies(&self, kind: OperationKind, input: usize) -> bool {
        !matches!(kind, LIFE | EXISTS) && self.0.identifies(kind, input)
    }

    fn shape(&self, value: &[i64]) -> Vec<i64> {
        self.0.shape(value)
    }

    fn parameter(&self) -> i64 {
        self.0.parameter()
    }

    fn domain(&self) -> Domain {
        self.0.domain()
    }

    fn conditions(&self) -> &'static [Condition] {
        self.0.conditions()
    }
}
