//! The whole program.

use super::effect::Effect;
use super::ids::TypeId;
use super::object::Object;
use super::process::ProcessType;
use super::types::Type;
use mazurka_model::source::{SourceMap, Span};

/// How many processes may be alive at once unless a program says otherwise.
pub const DEFAULT_PROCESS_LIMIT: u16 = 255;

/// The highest limit a program may ask for: a step's code has 12 bits for the partner of a
/// handshake.
pub const HIGHEST_PROCESS_LIMIT: u16 = 4094;

/// A variable or an array.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The type of its value or of its elements.
    pub ty: Type,
    /// The length of an array; `None` for a plain variable.
    pub length: Option<u32>,
    /// Initial values: none (all 0), or one for each element.
    pub initial: Vec<i32>,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// How many values it holds.
    pub fn values(&self) -> usize {
        self.length.unwrap_or(1) as usize
    }
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u16,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
    /// Where it is declared.
    pub span: Span,
}

/// A process that exists from the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Start {
    /// Its type.
    pub process: TypeId,
    /// The values of its parameters. A global channel's number is its index plus 1.
    pub arguments: Vec<i32>,
    /// Where it stands in the source.
    pub span: Span,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The text that it came from.
    pub sources: SourceMap,
    /// Global variables and arrays.
    pub globals: Vec<Variable>,
    /// Global channels.
    pub channels: Vec<Channel>,
    /// Objects of the object library.
    pub objects: Vec<Object>,
    /// Process types.
    pub types: Vec<ProcessType>,
    /// The processes that exist from the beginning, from slot 0 on.
    pub initial: Vec<Start>,
    /// How many processes may be alive at once.
    pub process_limit: u16,
    /// A message sent to a full channel is lost, and the sender goes on instead of waiting.
    pub overflow: bool,
}

impl Default for Program {
    fn default() -> Program {
        Program {
            name: String::new(),
            sources: SourceMap::default(),
            globals: Vec::new(),
            channels: Vec::new(),
            objects: Vec::new(),
            types: Vec::new(),
            initial: Vec::new(),
            process_limit: DEFAULT_PROCESS_LIMIT,
            overflow: false,
        }
    }
}

impl Program {
    /// Whether the number of processes never changes.
    pub fn is_static(&self) -> bool {
        !self
            .types
            .iter()
            .flat_map(|t| &t.transitions)
            .flat_map(|t| &t.effects)
            .any(|e| matches!(e, Effect::Run { .. } | Effect::Exit))
    }

    /// The program without its source text and all places in it, so that two programs can be
    /// compared for what they mean.
    pub fn without_spans(mut self) -> Program {
        self.sources = SourceMap::default();
        let none = Span::default();
        self.globals.iter_mut().for_each(|v| v.span = none);
        self.channels.iter_mut().for_each(|c| c.span = none);
        self.objects.iter_mut().for_each(|o| o.span = none);
        self.initial.iter_mut().for_each(|s| s.span = none);
        for process in &mut self.types {
            process.span = none;
            process.locals.iter_mut().for_each(|v| v.span = none);
            process.channels.iter_mut().for_each(|c| c.span = none);
            process.locations.iter_mut().for_each(|l| l.span = none);
            for transition in &mut process.transitions {
                transition.span = none;
                transition.statement.clear();
            }
        }
        self
    }
}
