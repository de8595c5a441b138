//! The compact form in which the interpreter keeps expressions and effects: names resolved to
//! offsets, trees flattened into one array.

use super::layout::Slot;
use crate::ir::{BinaryOperator, ProcessQuestion, UnaryOperator};
use mazurka_model::OperationKind;

/// A node of an expression, by position in [`Code::nodes`].
pub type NodeId = u32;

/// Where a slot is counted from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The beginning of the state.
    State,
    /// The frame of the process.
    Frame,
}

/// A channel operand.
#[derive(Copy, Clone, Debug)]
pub enum ChannelCode {
    /// A global channel.
    Global(u32),
    /// A channel of the process itself.
    Own(u32),
    /// The channel with the number that this computes.
    Computed(NodeId),
}

/// A range of an array of [`Code`].
#[derive(Copy, Clone, Debug, Default)]
pub struct Range {
    /// First.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Range {
    /// For slicing.
    #[inline]
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What is asked of another process.
#[derive(Copy, Clone, Debug)]
pub enum RemoteCode {
    /// Whether it stands at this location.
    At(u32),
    /// The value of a variable of its own.
    Variable(Slot),
    /// An element of an array of its own.
    #[allow(missing_docs)]
    Element { slot: Slot, length: u32, index: NodeId },
}

/// An expression's node; [`Expression`](crate::ir::Expression) says what each means.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub enum Node {
    Constant(i32),
    /// One unsigned byte, the most common case, apart from the others for speed.
    StateByte(u32),
    FrameByte(u32),
    Load(Base, Slot),
    Element {
        base: Base,
        slot: Slot,
        length: u32,
        index: NodeId,
    },
    OwnChannel(u32),
    Pid,
    ProcessCount,
    Timeout,
    Unary(UnaryOperator, NodeId),
    Binary(BinaryOperator, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    Length(ChannelCode),
    Empty(ChannelCode),
    Full(ChannelCode),
    Poll {
        channel: ChannelCode,
        patterns: u32,
    },
    Observe(u32),
    Remote {
        kind: u32,
        instance: Option<NodeId>,
        part: RemoteCode,
    },
    Process(ProcessQuestion, NodeId),
    NonProgress,
}

/// Where a value goes.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub enum TargetCode {
    Variable(Base, Slot),
    Element { base: Base, slot: Slot, length: u32, index: NodeId },
}

/// A receive's field; see [`Pattern`](crate::ir::Pattern).
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub enum PatternCode {
    Bind(TargetCode),
    Match(NodeId),
    Ignore,
}

/// The operation of an object with its inputs.
#[derive(Copy, Clone, Debug)]
pub struct OperationCode {
    /// The object.
    pub object: u32,
    /// The operation.
    pub kind: OperationKind,
    /// Its inputs.
    pub operands: [Option<NodeId>; 2],
}

/// A poll's patterns.
#[derive(Copy, Clone, Debug)]
pub struct PollCode {
    /// What the message must look like, in [`Code::patterns`].
    pub patterns: Range,
    /// Any message will do, not only the first.
    pub anywhere: bool,
}

/// An effect; [`Effect`](crate::ir::Effect) says what each means.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub enum EffectCode {
    Assign {
        target: TargetCode,
        value: NodeId,
    },
    Send {
        channel: ChannelCode,
        fields: Range,
        sorted: bool,
    },
    Receive {
        channel: ChannelCode,
        patterns: Range,
        anywhere: bool,
        keep: bool,
    },
    Operate {
        operation: OperationCode,
        target: Option<TargetCode>,
    },
    Run {
        process: u32,
        arguments: Range,
        target: Option<TargetCode>,
    },
    Assert(NodeId),
    /// Arguments, in [`Code::roots`].
    Print(Range),
    SetPriority {
        process: NodeId,
        priority: NodeId,
    },
    Exit,
}

/// A transition.
#[derive(Copy, Clone, Debug)]
pub struct TransitionCode {
    /// Its number among all transitions of the program.
    pub number: u32,
    /// Conditions, in [`Code::roots`].
    pub guard: Range,
    /// Effects, in [`Code::effects`].
    pub effects: Range,
    /// The location it leads to.
    pub to: u32,
    /// Locals that are reset there, in [`Code::resets`].
    pub resets: Range,
    /// Executable only if none before it is.
    pub otherwise: bool,
    /// The process goes on alone afterwards.
    pub atomic: bool,
    /// Of neighbours with one number other than 0 only the first that is executable is taken.
    pub group: u32,
    /// If it is executable and this is not 0, later ones with another number are not.
    pub escape: u32,
    /// Whether it can be executed is known only once it has been: an effect other than the first
    /// may block.
    pub trial: bool,
    /// The number of the place of its guard; its effects follow.
    pub site: u32,
}

/// A location.
#[derive(Copy, Clone, Debug, Default)]
pub struct LocationCode {
    /// Its transitions, in [`Code::transitions`].
    pub transitions: Range,
    /// A process may stand here when the system stops.
    pub end: bool,
    /// Standing here is progress.
    pub progress: bool,
    /// Accepting, for cycles.
    pub accept: bool,
    /// A process that can't leave this location is a fault.
    pub committed: bool,
    /// Some transition may receive on a rendezvous channel.
    pub accepts: bool,
    /// No transition is of a group, an escape or tried at length: an `otherwise` is executable if none
    /// before it is, and all others speak for themselves.
    pub plain: bool,
}

/// All code of a program.
#[derive(Debug, Default)]
pub struct Code {
    /// The nodes of expressions.
    pub nodes: Vec<Node>,
    /// Expressions that belong together: guards, the fields of a message, arguments.
    pub roots: Vec<NodeId>,
    /// The patterns of receives and polls.
    pub patterns: Vec<PatternCode>,
    /// Polls.
    pub polls: Vec<PollCode>,
    /// Observations of objects.
    pub operations: Vec<OperationCode>,
    /// Effects.
    pub effects: Vec<EffectCode>,
    /// Locals that transitions reset, and to what.
    pub resets: Vec<(Slot, i32)>,
    /// Transitions, those of each location together.
    pub transitions: Vec<TransitionCode>,
    /// For each process type, its locations.
    pub locations: Vec<Vec<LocationCode>>,
    /// For each process type, what is stored in a new instance.
    pub prologues: Vec<Vec<(TargetCode, NodeId)>>,
    /// For each transition by number: its process type and its index there.
    pub numbers: Vec<(u32, u32)>,
    /// For each transition by number, its first place.
    pub sites: Vec<u32>,
    /// For each transition by number: the number of the first one of its process type that is the same
    /// statement of the source. One statement may leave several locations (an escape leaves all of what
    /// it escapes from), and is executed if any copy is.
    pub statements: Vec<u32>,
}
