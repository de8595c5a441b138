//! What a step does that can be seen from outside its process: the stuff of message sequence charts.

use crate::ids::ProcessId;

/// Something that happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The process that does it.
    pub process: ProcessId,
    /// What.
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A message goes into a channel.
    Sent {
        /// The channel's number, unique among those that exist.
        channel: u32,
        /// The channel's name.
        name: String,
        /// The message.
        message: String,
        /// How many messages are in front of it.
        position: usize,
    },
    /// A message is sent to a channel that is full, and lost.
    Lost {
        /// The channel's name.
        name: String,
        /// The message.
        message: String,
    },
    /// A message is taken from a channel, or looked at.
    Received {
        /// The channel's number.
        channel: u32,
        /// The channel's name.
        name: String,
        /// The message.
        message: String,
        /// How many messages were in front of it.
        position: usize,
        /// It stays in the channel.
        kept: bool,
    },
    /// A message passes from one process to another without a channel that holds it.
    Handshake {
        /// Who receives it.
        partner: ProcessId,
        /// The channel's name.
        name: String,
        /// The message.
        message: String,
    },
    /// A process is created.
    Created {
        /// Its slot.
        child: ProcessId,
        /// Its name.
        name: String,
    },
    /// The process ends.
    Ended {
        /// The numbers of the channels that are gone with it.
        channels: Vec<u32>,
    },
    /// The model prints something.
    Printed(String),
}
