//! What a use of a shared object is: the operations that transitions perform, as the analysis sees them.

use super::asked::Kinds;
use super::level::Level;
use super::points_to::Among;
use crate::interpreter::code::NodeId;
use crate::ir::Type;
use mazurka_model::object::{array, variable};
use mazurka_model::{ObjectId, OperationKind};
use std::collections::HashMap;

/// An operand of a use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UseOperand {
    /// Not known.
    Any,
    /// Known.
    Is(i64),
    /// To be computed, then cut to a type.
    Computed { node: NodeId, level: Level, wrap: Option<Type> },
}

/// The channel of a use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UseChannel {
    Global(u32),
    Own(u32),
    /// The channel with a computed number; `index` in the process type's list, if it lasts, and the channels
    /// among which it is anyway.
    Computed {
        node: NodeId,
        level: Level,
        index: Option<u8>,
        among: Among,
    },
    /// This one.
    Of(ObjectId),
    /// A channel of a process that this step creates.
    New {
        kind: u32,
        index: u32,
        /// Whether other processes may have been created by the step before.
        later: bool,
    },
}

/// What is done to a channel.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ChannelAction {
    Send,
    SendSorted,
    Receive,
    ReceiveIs,
    ReceiveAnywhere,
    Length,
    Empty,
    Full,
    Head,
    HeadIs,
    AwaitEmpty,
    AwaitMessage,
    AwaitFull,
    AwaitRoom,
    AwaitHead,
    Look,
    /// A receive that leaves the message: on a rendezvous it accepts like any other.
    Meet,
    /// The channel appears, or ends, with its owner.
    Life,
    /// Nothing but whether it is there matters.
    Exists,
}

impl ChannelAction {
    /// Whether it leaves the messages of a channel as they are.
    pub fn looks(self) -> bool {
        use ChannelAction::{
            AwaitEmpty, AwaitFull, AwaitHead, AwaitMessage, AwaitRoom, Empty, Exists, Full, Head, HeadIs,
            Length, Look,
        };
        matches!(
            self,
            Length
                | Empty
                | Full
                | Head
                | HeadIs
                | AwaitEmpty
                | AwaitMessage
                | AwaitFull
                | AwaitRoom
                | AwaitHead
                | Look
                | Exists
        )
    }
}

/// Whether a use waits for a value of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Awaits {
    No,
    Variable,
    Element,
}

/// One operation on one object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    Object {
        object: ObjectId,
        kind: OperationKind,
        operands: [UseOperand; 2],
        reads: bool,
        awaits: Awaits,
    },
    Channel {
        channel: UseChannel,
        action: ChannelAction,
        message: UseOperand,
    },
    /// Looks whether the process in a slot can move, which is of one of these types.
    Enabled {
        slot: UseOperand,
        kinds: Kinds,
    },
}

impl Use {
    /// Whether performing it twice is the same as once.
    pub fn reads(&self) -> bool {
        match self {
            Use::Object { reads, .. } => *reads,
            Use::Enabled { .. } => true,
            Use::Channel { action, .. } => action.looks() || *action == ChannelAction::Meet,
        }
    }

    /// Whether it is performed only where what it waits for is so.
    pub fn awaits(&self) -> bool {
        match self {
            Use::Object { awaits, .. } => *awaits != Awaits::No,
            Use::Enabled { .. } => false,
            Use::Channel { action, .. } => matches!(
                action,
                ChannelAction::AwaitEmpty
                    | ChannelAction::AwaitMessage
                    | ChannelAction::AwaitFull
                    | ChannelAction::AwaitRoom
                    | ChannelAction::AwaitHead
            ),
        }
    }

    /// The use as it is for one who does not perform the operation but goes on because it is not
    /// defined. The relations know it only where it is performed, so it stands for any operation, or of a channel for one
    /// that sees every change.
    pub fn unperformed(mut self) -> Use {
        match &mut self {
            Use::Object { kind, operands, reads: reads @ false, .. } => {
                (*kind, *operands, *reads) = (OperationKind::ANY, [UseOperand::Any; 2], true);
            }
            Use::Channel { action, message, .. } => {
                if matches!(
                    action,
                    ChannelAction::Send
                        | ChannelAction::SendSorted
                        | ChannelAction::Receive
                        | ChannelAction::ReceiveIs
                        | ChannelAction::ReceiveAnywhere
                ) {
                    (*action, *message) = (ChannelAction::Look, UseOperand::Any);
                }
            }
            Use::Object { .. } | Use::Enabled { .. } => {}
        }
        self.asked()
    }

    /// The use as it is where it is asked whether something is so, and both answers matter: a step
    /// that waits is taken only if it is, but an atomic region goes on or ends.
    pub fn asked(mut self) -> Use {
        match &mut self {
            Use::Object { kind, operands, awaits, .. } if *awaits != Awaits::No => {
                let read = [UseOperand::Any; 2];
                (*kind, *operands) = match *awaits {
                    Awaits::Element => (array::READ, [operands[0], UseOperand::Any]),
                    _ => (variable::READ, read),
                };
                *awaits = Awaits::No;
            }
            Use::Channel { action, .. } => {
                *action = match *action {
                    ChannelAction::AwaitEmpty | ChannelAction::AwaitMessage => ChannelAction::Empty,
                    ChannelAction::AwaitFull | ChannelAction::AwaitRoom => ChannelAction::Full,
                    ChannelAction::AwaitHead => ChannelAction::HeadIs,
                    other => other,
                };
            }
            Use::Object { .. } | Use::Enabled { .. } => {}
        }
        self
    }

    /// Whether it is of no channel that a process gets which is yet to be created.
    pub fn is_of_own_channels(&self) -> bool {
        !matches!(self, Use::Channel { channel: UseChannel::New { .. }, .. })
    }

    /// Whether it is the same operation on the same object until its process moves.
    pub fn lasts(&self) -> bool {
        let lasts = |operand: &UseOperand| match operand {
            UseOperand::Computed { level, .. } => *level <= Level::Local || *level == Level::Never,
            UseOperand::Any | UseOperand::Is(_) => true,
        };
        match self {
            Use::Object { operands, .. } => operands.iter().all(lasts),
            // It is for others to change where they stand.
            Use::Enabled { .. } => false,
            Use::Channel { channel, message, .. } => {
                let same = match channel {
                    UseChannel::Global(_) | UseChannel::Own(_) | UseChannel::Of(_) => true,
                    UseChannel::Computed { level, .. } => *level <= Level::Local || *level == Level::Never,
                    UseChannel::New { .. } => false,
                };
                same && lasts(message)
            }
        }
    }

    /// The use by some process, of which nothing is known.
    pub fn by_anyone(mut self) -> Use {
        if let Use::Channel { channel: UseChannel::Computed { level, index, .. }, .. } = &mut self {
            (*level, *index) = (Level::Never, None);
        }
        self
    }

    /// The use with whatever operands.
    pub fn with_any_operands(mut self) -> Use {
        match &mut self {
            Use::Object { operands, .. } => *operands = [UseOperand::Any; 2],
            Use::Channel { message, .. } => *message = UseOperand::Any,
            Use::Enabled { slot, .. } => *slot = UseOperand::Any,
        }
        self
    }

    /// The use with operands that last as long as the process only.
    pub fn stable(mut self) -> Use {
        let keep = |operand: &mut UseOperand| {
            if matches!(operand, UseOperand::Computed { level, .. } if *level > Level::Stable) {
                *operand = UseOperand::Any;
            }
        };
        match &mut self {
            Use::Object { operands, .. } => operands.iter_mut().for_each(keep),
            Use::Enabled { slot, .. } => keep(slot),
            Use::Channel { channel, message, .. } => {
                keep(message);
                if let UseChannel::Computed { level, index, .. } = channel
                    && *level > Level::Stable
                {
                    (*level, *index) = (Level::Never, None);
                }
            }
        }
        self
    }
}

/// What a transition uses.
#[derive(Clone, Debug, Default)]
pub struct TransitionUses {
    pub uses: Vec<Use>,
    /// Whether it can be executed depends on where other processes stand.
    pub everything: bool,
    /// It may begin with a handshake.
    pub handshake: bool,
    /// It can be executed only if nothing else can.
    pub last_resort: bool,
    /// Whether it can be executed is not told by its guard and its first effect alone.
    pub entangled: bool,
    /// The conditions of its guard, each with what it looks at.
    pub conditions: Vec<(NodeId, Vec<Use>)>,
    /// What decides whether the first effect is defined.
    pub definedness: Vec<Use>,
    /// What must be defined for it to be executed, in the state in which it is.
    pub demands: Vec<Use>,
    /// The types that it runs.
    pub runs: Vec<usize>,
}

impl TransitionUses {
    /// Whether what it waits for, while it is not enabled, is the same until its process moves, up to which of its conditions,
    /// of which a word has a bit for each, are false.
    pub fn obstacles_last(&self) -> bool {
        self.conditions.len() <= 64
            && self.conditions.iter().flat_map(|(_, looks)| looks).all(Use::lasts)
            && self.definedness.iter().all(Use::lasts)
            && self.uses.iter().all(Use::is_of_own_channels)
            && !self.uses.iter().any(|used| matches!(used, Use::Enabled { .. }))
    }

    pub fn push(&mut self, used: Use) {
        let all_read = || self.uses.iter().all(Use::reads);
        if !used.reads() || !self.uses.contains(&used) || !all_read() {
            self.uses.push(used);
        }
    }
}

/// Uses in the order in which they were found, each once.
#[derive(Clone, Debug, Default)]
pub struct UseList {
    list: Vec<Use>,
    numbers: HashMap<Use, usize>,
}

impl UseList {
    /// The position of a use, which is added if it is new.
    pub fn insert(&mut self, used: Use) -> usize {
        *self.numbers.entry(used).or_insert_with(|| {
            self.list.push(used);
            self.list.len() - 1
        })
    }

    pub fn list(&self) -> &[Use] {
        &self.list
    }
}
