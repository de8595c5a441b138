//! The whole program.

use super::effect::Effect;
use super::expression::Expression;
use super::ids::TypeId;
use super::object::Object;
use super::process::ProcessType;
use super::property::{Property, PropertyKind};
use super::types::Type;
use mazurka_model::source::{SourceMap, Span};

/// How many processes may be alive at once unless a program says otherwise.
pub const DEFAULT_PROCESS_LIMIT: u16 = 255;

/// The highest limit a program may ask for: a step's code has 12 bits for the partner of a
/// handshake.
pub const HIGHEST_PROCESS_LIMIT: u16 = 4094;

/// How many channels may exist at once: a variable that holds one has 16 bits, and 0 is none.
pub const HIGHEST_CHANNEL_LIMIT: u16 = u16::MAX;

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
    /// The names of its values, if they have any.
    pub names: Option<u32>,
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
    /// For each field the names of its values, if they have any; may be shorter than `fields`.
    pub names: Vec<Option<u32>>,
    /// Where it is declared.
    pub span: Span,
}

/// Names of values, such as those of an `mtype`: for people, and of no other meaning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// What these values are called together.
    pub name: String,
    /// The values with their names.
    pub values: Vec<(i32, String)>,
}

impl Names {
    /// A value by its name, or as a number if it has none.
    pub fn show(&self, value: i32) -> String {
        let named = self.values.iter().find(|(known, _)| *known == value);
        named.map_or_else(|| value.to_string(), |(_, name)| name.clone())
    }
}

/// A process that exists from the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Start {
    /// Its type.
    pub process: TypeId,
    /// The values of its parameters. A global channel's number is its index plus 1.
    pub arguments: Vec<i32>,
    /// Its priority; 0 counts as 1, the priority of a process that is run.
    pub priority: u8,
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
    /// Names of values; variables, fields and what is printed refer to them by index.
    pub names: Vec<Names>,
    /// How many channels may exist at once, those of processes included.
    pub channel_limit: u16,
    /// What is stated of its executions. Nothing here changes the transition system.
    pub properties: Vec<Property>,
    /// States have room for the process that goes on alone, also if no transition is atomic.
    pub keeps_turn: bool,
    /// Claims to use channels alone. They are remarks: nothing rests on them.
    pub claims: Vec<ExclusiveClaim>,
    /// If it was optimised, the [fingerprint](Program::fingerprint) of what was written.
    pub origin: Option<u64>,
}

/// A claim that a process of a type alone receives from a channel, or sends to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExclusiveClaim {
    /// The type.
    pub process: TypeId,
    /// It is about receiving.
    pub receives: bool,
    /// The channel, as a process of the type knows it.
    pub channel: Expression,
    /// How it is written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
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
            names: Vec::new(),
            channel_limit: HIGHEST_CHANNEL_LIMIT,
            properties: Vec::new(),
            keeps_turn: false,
            claims: Vec::new(),
            origin: None,
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

    /// A value as people know it: by its name in the names of this number, or as a number.
    pub fn show(&self, names: Option<u32>, value: i32) -> String {
        let names = names.and_then(|number| self.names.get(number as usize));
        names.map_or_else(|| value.to_string(), |names| names.show(value))
    }

    /// Whether processes have different priorities: then only those may move that have the highest
    /// priority of all that could.
    pub fn uses_priorities(&self) -> bool {
        let set = |e: &Effect| matches!(e, Effect::SetPriority { .. });
        self.initial.iter().any(|start| start.priority > 1)
            || self.types.iter().flat_map(|t| &t.transitions).flat_map(|t| &t.effects).any(set)
    }

    /// Whether some transition computes an expression of which a part is such that `wanted` says so.
    pub fn asks(&self, wanted: &dyn Fn(&Expression) -> bool) -> bool {
        self.types.iter().any(|process| {
            let prologue = process.prologue.iter().any(|(_, value)| value.any(wanted));
            prologue
                || process.transitions.iter().any(|transition| {
                    let mut found = transition.guard.iter().any(|e| e.any(wanted));
                    for effect in &transition.effects {
                        effect.for_each_part(&mut |e| found = found || e.any(wanted), &mut |_| {});
                    }
                    found
                })
        })
    }

    /// The program without its source text, all places in it, the names of its values and claims, so that
    /// two programs can be compared for what they mean.
    pub fn without_spans(mut self) -> Program {
        self.sources = SourceMap::default();
        let none = Span::default();
        self.names.clear();
        self.claims.clear();
        let variable = |v: &mut Variable| (v.span, v.names) = (none, None);
        let channel = |c: &mut Channel| (c.span, c.names) = (none, Vec::new());
        self.globals.iter_mut().for_each(variable);
        self.channels.iter_mut().for_each(channel);
        self.objects.iter_mut().for_each(|o| o.span = none);
        self.initial.iter_mut().for_each(|s| s.span = none);
        let automata = self.properties.iter_mut().filter_map(|property| {
            property.span = none;
            match &mut property.kind {
                PropertyKind::Never(automaton) | PropertyKind::Trace { automaton, .. } => Some(automaton),
                PropertyKind::Formula(_) | PropertyKind::Progress | PropertyKind::Acceptance => None,
            }
        });
        for process in self.types.iter_mut().chain(automata) {
            process.span = none;
            process.locals.iter_mut().for_each(variable);
            process.channels.iter_mut().for_each(channel);
            process.locations.iter_mut().for_each(|l| l.span = none);
            process.dead.clear();
            for transition in &mut process.transitions {
                transition.span = none;
                (transition.implied, transition.only_choice) = (false, false);
                transition.statement.clear();
                for effect in &mut transition.effects {
                    if let Effect::Print { arguments, .. } = effect {
                        arguments.iter_mut().for_each(|(_, names)| *names = None);
                    }
                }
            }
        }
        self
    }
}
