//! Whose next moves commute, told by a few bits for each process and quickly enough to be asked in every state.
//!
//! A process *reads* and *writes* parts of the state beside its own frame: variables, elements of arrays, the two ends of channels. Each part is a bit
//! (parts may share one), and the next moves of two processes commute if neither writes what the other reads or writes. What
//! the moves of a process at its location are, enabled or not, is told by their uses, so nothing is known here that the
//! analysis does not know; only *which* element and *which* channel is looked up in the frame.
//!
//! A channel has a head and a tail. While it is neither empty nor full a send touches the tail alone and a receive the head alone; else, and
//! for whoever looks at it in any other way or uses channels more than once in a step, head and tail are one.
//!
//! What is printed is no use, and need not be: a search does not compute it.
//!
//! Nothing is said of a process whose moves may concern more than that: a handshake, also one inside an atomic region, the creation or end of a process, a channel that
//! a process owns, what is asked of processes as such, and what is possible only if nothing else is.

use super::Analysis;
use super::level::Level;
use super::objects::ObjectRole;
use super::uses::{ChannelAction, Use, UseChannel, UseOperand};
use crate::interpreter::code::{Base, Code, EffectCode, Node, NodeId};
use crate::interpreter::layout::{self, Layout, Slot, Word};
use crate::ir::Program;

/// The bits that parts share.
const SHARED: u32 = 63;
/// Arrays have at most this many bits: elements share them.
const MOST_ELEMENTS: u32 = 8;

/// What the next moves of a process read and write.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    reads: u64,
    writes: u64,
}

/// What everybody reads of whom something is said, and nobody writes but those of whom nothing is.
const EVERYBODY: u64 = 1 << 63;

impl Touched {
    /// Nothing is said: this commutes with nothing.
    pub const ANYTHING: Touched = Touched { reads: u64::MAX, writes: u64::MAX };
    /// Nothing but what is its own.
    const OWN: Touched = Touched { reads: EVERYBODY, writes: 0 };

    /// Whether these moves commute with those of another process, which stand for bits of the same state.
    #[inline]
    pub fn commutes(self, other: Touched) -> bool {
        self.writes & (other.reads | other.writes) | self.reads & other.writes == 0
    }
}

/// Where a number stands that decides which part is touched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Number {
    Is(u32),
    /// A byte of the frame; apart from the others for speed.
    Byte(u32),
    Local(Slot),
    Slot,
}

impl Number {
    #[inline(always)]
    fn read(self, state: &[u8], slot: usize, frame: usize) -> u32 {
        match self {
            Number::Is(value) => value,
            Number::Byte(offset) => u32::from(state[frame + offset as usize]),
            // A negative number is too large to be one of anything.
            Number::Local(at) => layout::read(state, frame + at.offset as usize, at.ty) as u32,
            Number::Slot => slot as u32,
        }
    }
}

/// What is done to a channel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum End {
    Head,
    Tail,
    Looks,
    Both,
}

/// A part of the state that is known only in a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Part {
    /// An element of an array of this length, whose bits begin here.
    Element { index: Number, first: u32, length: u32, writes: bool },
    /// The channel with a number.
    Channel { number: Number, end: End },
}

/// A location.
#[derive(Copy, Clone, Debug)]
struct Stand {
    touched: Touched,
    /// The rest, in [`Commuting::parts`].
    parts: (u32, u32),
}

/// A global channel.
#[derive(Copy, Clone, Debug)]
struct Ends {
    head: u64,
    tail: u64,
    length: Word,
    capacity: u32,
}

/// The bits of a program.
#[derive(Debug)]
pub struct Commuting {
    /// By process type: where its location stands, and the number of the first one.
    types: Vec<(Word, u32)>,
    stands: Vec<Stand>,
    parts: Vec<Part>,
    channels: Vec<Ends>,
}

/// The next bit.
fn bit(next: &mut u32) -> u64 {
    let bit = 1 << (*next % SHARED);
    *next += 1;
    bit
}

/// All bits of an array whose bits begin here.
fn whole(first: u32, length: u32) -> u64 {
    (0..length.min(MOST_ELEMENTS)).fold(0, |all, index| all | element(first, length, index))
}

/// The bit of an element.
#[inline]
fn element(first: u32, length: u32, index: u32) -> u64 {
    debug_assert!(length > 0);
    1 << ((first + index % MOST_ELEMENTS) % SHARED)
}

impl Commuting {
    /// The bits of a program whose analysis follows the numbers of processes; none if nothing is said of any process.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        code: &Code,
        analysis: &Analysis,
    ) -> Option<Commuting> {
        if program.overflow || program.keeps_turn || program.uses_priorities() {
            return None;
        }
        let mut next = 0;
        let roles = &analysis.objects.roles;
        // Of each object that has bits: the first one and, of an array, its length.
        let mut bits = vec![None; roles.len()];
        for (object, role) in roles.iter().enumerate() {
            match *role {
                ObjectRole::Global(index) => {
                    let length = program.globals[index].length;
                    bits[object] = Some((next, length));
                    next += length.map_or(1, |length| length.min(MOST_ELEMENTS));
                }
                ObjectRole::Declared(_) => {
                    bits[object] = Some((next, None));
                    next += 1;
                }
                _ => {}
            }
        }
        let channels = layout.channels.iter().map(|place| {
            let shape = &layout.shapes[place.shape as usize];
            let length = Word { offset: place.offset, width: shape.length_width };
            Ends { head: bit(&mut next), tail: bit(&mut next), length, capacity: shape.capacity }
        });
        let mut all = Commuting {
            channels: channels.collect(),
            types: Vec::new(),
            stands: Vec::new(),
            parts: Vec::new(),
        };
        for (kind, locations) in code.locations.iter().enumerate() {
            all.types.push((layout.frames[kind].location, all.stands.len() as u32));
            for location in locations {
                let from = all.parts.len();
                let (mut told, mut touched) = (true, Touched::OWN);
                for transition in &code.transitions[location.transitions.indices()] {
                    let uses = &analysis.transitions[transition.number as usize];
                    let effects = &code.effects[transition.effects.indices()];
                    let before = all.parts.len();
                    let region = transition
                        .atomic
                        .then(|| analysis.types[kind].regions[transition.to as usize].as_ref());
                    // One that is not known may be anything.
                    let within = region.map_or(Some(&[][..]), |region| {
                        region
                            .filter(|region| !region.everything && !region.hands_over)
                            .map(|region| &region.uses[..])
                    });
                    let mut used = uses.uses.iter().chain(within.into_iter().flatten());
                    told &= within.is_some()
                        && !uses.everything
                        && !uses.handshake
                        && !uses.last_resort
                        && uses.runs.is_empty()
                        && !effects.iter().any(concerns_processes)
                        && used.all(|used| all.add(used, &bits, code, &mut touched));
                    join_ends(&mut all.parts[before..]);
                }
                if !told {
                    touched = Touched::ANYTHING;
                    all.parts.truncate(from);
                }
                let mut seen = all.parts.split_off(from);
                seen.dedup();
                while let Some(part) = seen.pop() {
                    if !seen.contains(&part) {
                        all.parts.push(part);
                    }
                }
                all.stands.push(Stand { touched, parts: (from as u32, all.parts.len() as u32) });
            }
        }
        all.stands.iter().any(|stand| stand.touched != Touched::ANYTHING).then_some(all)
    }

    /// Adds a use. False: nothing can be said.
    fn add(
        &mut self,
        used: &Use,
        bits: &[Option<(u32, Option<u32>)>],
        code: &Code,
        touched: &mut Touched,
    ) -> bool {
        match *used {
            Use::Object { object, operands, reads, .. } => {
                let Some((first, length)) = bits[object.index()] else { return false };
                let known = length.map(|length| (length, number(code, operands[0])));
                let mask = match known {
                    None => 1 << (first % SHARED),
                    Some((length, None)) => whole(first, length),
                    Some((length, Some(index))) => {
                        self.parts.push(Part::Element { index, first, length, writes: !reads });
                        0
                    }
                };
                *if reads { &mut touched.reads } else { &mut touched.writes } |= mask;
                true
            }
            Use::Channel { channel, action, .. } => {
                let number = match channel {
                    UseChannel::Global(index) => Some(Number::Is(index + 1)),
                    UseChannel::Computed { node, level, .. } if level <= Level::Local => place(code, node),
                    _ => None,
                };
                let Some((number, end)) = number.zip(end(action)) else { return false };
                self.parts.push(Part::Channel { number, end });
                true
            }
            Use::Enabled { .. } => false,
        }
    }

    /// What the next moves of a process read and write in `state`, enabled or not: one in this slot and of this type, whose frame begins here.
    #[inline]
    pub fn touched(&self, state: &[u8], slot: usize, kind: usize, frame: usize) -> Touched {
        let (location, first) = self.types[kind];
        let stand = &self.stands[first as usize + location.read(state, frame)];
        if stand.parts.0 == stand.parts.1 {
            return stand.touched;
        }
        self.add_parts(stand, state, slot, frame).unwrap_or(Touched::ANYTHING)
    }

    #[inline]
    fn add_parts(&self, stand: &Stand, state: &[u8], slot: usize, frame: usize) -> Option<Touched> {
        let mut touched = stand.touched;
        for part in &self.parts[stand.parts.0 as usize..stand.parts.1 as usize] {
            match *part {
                Part::Element { index, first, length, writes } => {
                    let index = index.read(state, slot, frame);
                    if index >= length {
                        return None;
                    }
                    let mask = element(first, length, index);
                    *if writes { &mut touched.writes } else { &mut touched.reads } |= mask;
                }
                Part::Channel { number, end } => {
                    let channel =
                        self.channels.get((number.read(state, slot, frame) as usize).wrapping_sub(1))?;
                    let length = channel.length.read(state, 0) as u32;
                    let both = channel.head | channel.tail;
                    match end {
                        End::Looks => touched.reads |= both,
                        End::Head if length > 0 && length < channel.capacity => {
                            touched.writes |= channel.head
                        }
                        End::Tail if length > 0 && length < channel.capacity => {
                            touched.writes |= channel.tail
                        }
                        _ if channel.capacity == 0 => return None,
                        _ => touched.writes |= both,
                    }
                }
            }
        }
        Some(touched)
    }
}

/// Makes head and tail one in what a transition does to channels, if it does more than one thing: what there is of a channel
/// when it comes to the second is not what there is now.
fn join_ends(parts: &mut [Part]) {
    let changes = |part: &&mut Part| matches!(part, Part::Channel { end, .. } if *end != End::Looks);
    if parts.iter_mut().filter(changes).count() > 1 {
        for part in parts {
            if let Part::Channel { end: end @ (End::Head | End::Tail), .. } = part {
                *end = End::Both;
            }
        }
    }
}

/// Whether an effect creates or ends a process, or changes what is known of one as such.
fn concerns_processes(effect: &EffectCode) -> bool {
    matches!(effect, EffectCode::Run { .. } | EffectCode::Exit | EffectCode::SetPriority { .. })
}

/// Which end of a channel an action concerns; none if it is not followed.
fn end(action: ChannelAction) -> Option<End> {
    Some(match action {
        ChannelAction::Send => End::Tail,
        ChannelAction::Receive | ChannelAction::ReceiveIs => End::Head,
        ChannelAction::SendSorted | ChannelAction::ReceiveAnywhere => End::Both,
        looking if looking.looks() => End::Looks,
        // A receive that leaves the message, and channels that appear or end.
        _ => return None,
    })
}

/// Where the value of an operand stands, if it is one that a process keeps while it stands still.
fn number(code: &Code, operand: UseOperand) -> Option<Number> {
    match operand {
        UseOperand::Is(value) => Some(Number::Is(u32::try_from(value).unwrap_or(u32::MAX))),
        UseOperand::Computed { node, level, wrap: None } if level <= Level::Local => place(code, node),
        _ => None,
    }
}

/// Where the value of an expression stands, if it is no more than a place in the frame.
fn place(code: &Code, node: NodeId) -> Option<Number> {
    match code.nodes[node as usize] {
        Node::Constant(value) => Some(Number::Is(u32::try_from(value).unwrap_or(u32::MAX))),
        Node::FrameByte(offset) => Some(Number::Byte(offset)),
        Node::Load(Base::Frame, slot) => Some(Number::Local(slot)),
        Node::Pid => Some(Number::Slot),
        _ => None,
    }
}
