//! A rendezvous channel: a joint step that moves two processes.
//!
//! A rendezvous is no value object. Whether a handshake can take place depends on where two processes
//! stand, and steps that move a common process are dependent whatever they do. The relations here
//! only have to connect what is *not* visible through common processes:
//!
//! - Two handshakes of four different processes are independent: each is enabled by the locations
//!   of its own two processes and changes only these.
//! - An offer and an accept may become one joint step, so whoever waits for one looks for the other:
//!   dependent, and interacting both ways.
//! - Two offers never meet, nor do two accepts. That two senders compete for one receiver shows as
//!   soon as the receiver is considered: its accept interacts with both offers, and the two joint
//!   steps share the receiver.
//! - A handshake of p and q may be disabled by a third process that offers to q, or accepts from p.
//!   The joint step of that third process shares q (or p), but the third process, looked at alone
//!   (what it may do from its location), shows only its offer (or accept). So a handshake depends
//!   on, and interacts with, offers and accepts.
//!
//! What a process may do in the future is therefore told by offers and accepts, never by handshakes.

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A channel without a buffer. It has no value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendezvous;

/// What a process that stands at a send, or can reach one, may do.
pub const OFFER: OperationKind = OperationKind(0);
/// What a process that stands at a receive, or can reach one, may do.
pub const ACCEPT: OperationKind = OperationKind(1);
/// The joint step of a sender and a receiver.
pub const HANDSHAKE: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Offer", inputs: &[] },
    KindInfo { name: "Accept", inputs: &[] },
    KindInfo { name: "Handshake", inputs: &[] },
];

impl ObjectType for Rendezvous {
    fn name(&self) -> &'static str {
        "rendezvous"
    }

    fn summary(&self) -> &'static str {
        "A channel without a buffer: sender and receiver move together."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        let _ = (value, operation);
        next.clear();
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        a.kind != b.kind
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
