//! What a model can compute that has no meaning.

use super::code::Base;
use std::cell::Cell;
use std::fmt;

/// An index that was out of range: where the array stands, how long it is, and the index.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    pub base: Base,
    /// The type of the process that used it.
    pub kind: usize,
    pub offset: u32,
    pub length: u32,
    pub index: i32,
}

thread_local! {
    /// The last index out of range, for messages: a fault itself stays one byte on the way from a
    /// state to its successors.
    static LAST: Cell<Option<OutOfRange>> = const { Cell::new(None) };
}

impl OutOfRange {
    /// Notes an index that is out of range.
    #[cold]
    pub fn note(self) -> Fault {
        LAST.set(Some(self));
        Fault::Index
    }

    /// The last one that was noted, which is forgotten.
    pub fn take() -> Option<OutOfRange> {
        LAST.take()
    }
}

/// Why a step has no successor.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    /// An index is not below the length of its array.
    Index,
    /// A division by 0, or its remainder.
    Division,
    /// The number is that of no channel; 0 is none.
    NoChannel,
    /// A message with another number of fields than the channel has.
    Fields,
    /// More processes than the limit.
    Processes,
    /// A rendezvous that is not the first effect of its transition.
    Rendezvous,
    /// An observation that is not defined, or an object's value that is too large.
    Object,
    /// A deterministic step that can't be completed.
    Blocked,
    /// A question about a process that is of another type.
    Type,
    /// A priority that is not between 1 and 255.
    Priority,
    /// Whether a process can move depends on whether it can move.
    Circular,
    /// More channels than the limit.
    Channels,
}

impl Fault {
    pub(crate) const ALL: [Fault; 12] = [
        Fault::Index,
        Fault::Division,
        Fault::NoChannel,
        Fault::Fields,
        Fault::Processes,
        Fault::Rendezvous,
        Fault::Object,
        Fault::Blocked,
        Fault::Type,
        Fault::Priority,
        Fault::Circular,
        Fault::Channels,
    ];
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Index => "an index is out of range",
            Fault::Division => "division by zero",
            Fault::NoChannel => "no such channel",
            Fault::Fields => "wrong number of fields in a message",
            Fault::Processes => "too many processes",
            Fault::Rendezvous => "a rendezvous after another effect of the same transition",
            Fault::Object => "an operation of an object is not defined",
            Fault::Blocked => "a deterministic step blocks",
            Fault::Type => "the process with this number is of another type",
            Fault::Priority => "a priority is not between 1 and 255",
            Fault::Channels => "too many channels",
            Fault::Circular => "whether a process can move depends on itself",
        })
    }
}

/// How many numbers of places each part of a transition has.
pub(crate) const PLACES: u32 = 16;

/// A fault and which part of the transition it is in: 0 is the guard, then the effects.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FaultAt {
    /// The number of the place.
    pub site: u32,
    /// What is wrong.
    pub fault: Fault,
}

impl FaultAt {
    /// The number under which a batch knows it.
    pub fn place(self) -> u32 {
        self.site * PLACES + self.fault as u32
    }
}

/// The number under which a batch knows an unspecified reception at the transition with this first place.
pub fn reception_place(site: u32) -> u32 {
    site * PLACES + (PLACES - 2)
}

/// The number under which a batch knows an assertion.
pub fn assertion_place(site: u32) -> u32 {
    site * PLACES + (PLACES - 1)
}
