//! Which channels a variable may hold the number of: a points-to analysis.
//!
//! In Andersen's way, without regard to the order of statements: every variable and every field of
//! every channel's messages is a cell, an array is one cell, all instances of a process type share
//! theirs, and each assignment, message and parameter lets one cell's channels flow into another's.
//! Numbers are followed like channels, because a number is all that a variable holds: a constant is the
//! channel of that number, and what is computed in any other way may be every channel.
//!
//! A channel of a process that has ended leaves its number to the next process, so that where processes
//! come and go a number behind those of the global channels may be any process's channel.

use super::objects::ObjectTable;
use crate::interpreter::code::NodeId;
use crate::ir::{
    ChannelRef, Effect, Expression, GlobalId, LocalId, Pattern, Program, RemotePart, Target, Type, Variable,
    VariableRef,
};
use mazurka_model::ObjectId;
use std::collections::HashMap;

/// A set of declared channels: first the global ones, then those of each process type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Channels(Vec<u64>);

impl Channels {
    fn insert(&mut self, declared: usize) {
        self.0[declared / 64] |= 1 << (declared % 64);
    }

    fn contains(&self, declared: usize) -> bool {
        self.0[declared / 64] >> (declared % 64) & 1 == 1
    }

    fn unite(&mut self, other: &Channels) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}

/// What numbers are kept in.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Cell {
    Global(usize),
    /// By process type.
    Local(usize, usize),
    /// By declared channel.
    Field(usize, usize),
}

/// The channels that expressions may mean.
#[derive(Debug, Default)]
pub struct PointsTo {
    /// Distinct lists of objects; the first is all channels.
    lists: Vec<Vec<ObjectId>>,
    /// Which list a variable has, by process type for locals.
    variables: HashMap<(Option<usize>, VariableRef), u32>,
}

/// A list of [`PointsTo`].
pub type Among = u32;
/// An expression that gives a channel, and among which ones that is.
pub type ComputedChannel = (NodeId, Among);
/// Any channel at all.
const ALL: Among = 0;

impl PointsTo {
    /// Follows the numbers of channels through a program.
    pub fn new(program: &Program, objects: &ObjectTable) -> PointsTo {
        let all: Vec<ObjectId> = objects.all_channels().collect();
        let mut found = PointsTo { lists: vec![all], variables: HashMap::new() };
        if !computes_channels(program) {
            return found;
        }
        let mut flow = NumberFlow::new(program);
        while flow.pass() {}
        for (cell, channels) in &flow.cells {
            let key = match *cell {
                Cell::Global(index) => (None, VariableRef::Global(GlobalId(index as u32))),
                Cell::Local(kind, index) => (Some(kind), VariableRef::Local(LocalId(index as u32))),
                Cell::Field(..) => continue,
            };
            let list = flow.objects(channels, objects);
            let known = found.lists.iter().position(|other| *other == list);
            let number = known.unwrap_or_else(|| {
                found.lists.push(list);
                found.lists.len() - 1
            });
            found.variables.insert(key, number as u32);
        }
        found
    }

    /// What a channel expression of a process type may mean.
    pub fn among(&self, kind: usize, expression: &Expression) -> Among {
        let (Expression::Variable(variable) | Expression::Element(variable, _)) = expression else {
            return ALL;
        };
        let owner = matches!(variable, VariableRef::Local(_)).then_some(kind);
        self.variables.get(&(owner, *variable)).copied().unwrap_or(ALL)
    }

    /// The objects of a list.
    pub fn objects(&self, among: Among) -> &[ObjectId] {
        &self.lists[among as usize]
    }
}

/// Whether some channel is given by anything but its name.
fn computes_channels(program: &Program) -> bool {
    let computed = |channel: &Expression| !matches!(channel, Expression::Channel(_));
    let by_effect = |effect: &Effect| match effect {
        Effect::Send { channel, .. } | Effect::Receive { channel, .. } => computed(channel),
        _ => false,
    };
    let effects = || program.types.iter().flat_map(|t| &t.transitions).flat_map(|t| &t.effects);
    effects().any(by_effect)
        || program.asks(&|e| match e {
            Expression::Length(c) | Expression::Empty(c) | Expression::Full(c) => computed(c),
            Expression::Poll { channel, .. } => computed(channel),
            _ => false,
        })
}

/// The numbers as they flow.
struct NumberFlow<'p> {
    program: &'p Program,
    cells: HashMap<Cell, Channels>,
    /// Where the channels of each process type begin.
    first_owned: Vec<usize>,
    declared: usize,
    /// The highest number that a channel can have.
    highest: i32,
    is_static: bool,
}

impl<'p> NumberFlow<'p> {
    fn new(program: &'p Program) -> NumberFlow<'p> {
        let mut declared = program.channels.len();
        let mut first_owned = Vec::new();
        for process in &program.types {
            first_owned.push(declared);
            declared += process.channels.len();
        }
        let owned = program.types.iter().map(|t| t.channels.len()).max().unwrap_or(0);
        let highest = (program.channels.len() + owned * usize::from(program.process_limit)) as i32;
        let is_static = program.is_static();
        let cells = HashMap::new();
        let mut flow = NumberFlow { program, cells, first_owned, declared, highest, is_static };
        let start = |flow: &mut Self, cell: Cell, variable: &Variable| {
            variable.initial.iter().for_each(|&value| _ = flow.flow_into(cell, &flow.number(value)));
        };
        for (index, global) in program.globals.iter().enumerate() {
            start(&mut flow, Cell::Global(index), global);
        }
        for (kind, process) in program.types.iter().enumerate() {
            for (index, local) in process.locals.iter().enumerate() {
                start(&mut flow, Cell::Local(kind, index), local);
            }
        }
        for initial in &program.initial {
            for (index, &value) in initial.arguments.iter().enumerate() {
                flow.flow_into(Cell::Local(initial.process.index(), index), &flow.number(value));
            }
        }
        flow
    }

    fn none(&self) -> Channels {
        Channels(vec![0; self.declared.div_ceil(64)])
    }

    fn all(&self) -> Channels {
        let mut all = self.none();
        (0..self.declared).for_each(|declared| all.insert(declared));
        all
    }

    fn all_owned(&self) -> Channels {
        let mut owned = self.none();
        (self.program.channels.len()..self.declared).for_each(|declared| owned.insert(declared));
        owned
    }

    /// The channel of this number.
    fn number(&self, number: i32) -> Channels {
        let mut one = self.none();
        match usize::try_from(number) {
            Ok(0) => {}
            Ok(global) if global <= self.program.channels.len() => one.insert(global - 1),
            Ok(_) if number <= self.highest => one = self.all_owned(),
            // It is no channel's number, but may become one where it is cut to a type.
            _ => one = self.all(),
        }
        one
    }

    /// What a value may be; a part of a process type's code computes it.
    fn value(&self, kind: usize, expression: &Expression) -> Channels {
        let cell = |cell: Cell| self.cells.get(&cell).cloned().unwrap_or_else(|| self.none());
        match expression {
            Expression::Constant(number) => self.number(*number),
            Expression::Channel(ChannelRef::Global(id)) => self.number(id.index() as i32 + 1),
            Expression::Channel(ChannelRef::Own(id)) if self.is_static => {
                let mut one = self.none();
                one.insert(self.first_owned[kind] + id.index());
                one
            }
            Expression::Channel(ChannelRef::Own(_)) => self.all_owned(),
            Expression::Variable(v) | Expression::Element(v, _) => cell(cell_of(kind, *v)),
            Expression::Remote { process, part, .. } => match &**part {
                RemotePart::Variable(id) | RemotePart::Element(id, _) => {
                    cell(Cell::Local(process.index(), id.index()))
                }
                RemotePart::At(_) => self.all(),
            },
            Expression::Conditional(_, a, b) => {
                let mut either = self.value(kind, a);
                either.unite(&self.value(kind, b));
                either
            }
            _ => self.all(),
        }
    }

    /// Lets a value flow into a cell; a type too small for the numbers makes other numbers of them.
    fn flow_into(&mut self, cell: Cell, value: &Channels) -> bool {
        let ty = match cell {
            Cell::Global(index) => self.program.globals[index].ty,
            Cell::Local(kind, index) => self.program.types[kind].locals[index].ty,
            Cell::Field(declared, index) => self.field_type(declared, index),
        };
        let fits = ty.wrap(self.highest) == self.highest;
        let value = if fits || *value == self.none() { value.clone() } else { self.all() };
        let none = self.none();
        self.cells.entry(cell).or_insert(none).unite(&value)
    }

    fn field_type(&self, declared: usize, field: usize) -> Type {
        let global = self.program.channels.iter();
        let mut channels = global.chain(self.program.types.iter().flat_map(|t| &t.channels));
        // A valid program sends as many fields as there are.
        channels.nth(declared).and_then(|channel| channel.fields.get(field)).copied().unwrap_or(Type::Bit)
    }

    fn store(&mut self, kind: usize, target: &Target, value: &Channels) -> bool {
        self.flow_into(cell_of(kind, target.variable()), value)
    }

    /// Goes through the program once; whether anything flowed.
    fn pass(&mut self) -> bool {
        let program = self.program;
        let mut changed = false;
        for (kind, process) in program.types.iter().enumerate() {
            for (target, value) in &process.prologue {
                let value = self.value(kind, value);
                changed |= self.store(kind, target, &value);
            }
            for effect in process.transitions.iter().flat_map(|t| &t.effects) {
                changed |= self.effect(kind, effect);
            }
        }
        changed
    }

    fn effect(&mut self, kind: usize, effect: &Effect) -> bool {
        let mut changed = false;
        match effect {
            Effect::Assign { target, value } => {
                let value = self.value(kind, value);
                changed |= self.store(kind, target, &value);
            }
            Effect::Send { channel, fields, .. } => {
                let channels = self.value(kind, channel);
                for (index, field) in fields.iter().enumerate() {
                    let value = self.value(kind, field);
                    for declared in (0..self.declared).filter(|&d| channels.contains(d)) {
                        changed |= self.flow_into(Cell::Field(declared, index), &value);
                    }
                }
            }
            Effect::Receive { channel, patterns, .. } => {
                let channels = self.value(kind, channel);
                for (index, pattern) in patterns.iter().enumerate() {
                    let Pattern::Bind(target) = pattern else { continue };
                    for declared in (0..self.declared).filter(|&d| channels.contains(d)) {
                        let value = self.cells.get(&Cell::Field(declared, index)).cloned();
                        changed |= value.is_some_and(|value| self.store(kind, target, &value));
                    }
                }
            }
            Effect::Operate { target: Some(target), .. } => {
                let any = self.all();
                changed |= self.store(kind, target, &any);
            }
            Effect::Run { process, arguments, target } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let value = self.value(kind, argument);
                    changed |= self.flow_into(Cell::Local(process.index(), index), &value);
                }
                if let Some(target) = target {
                    let any = self.all();
                    changed |= self.store(kind, target, &any);
                }
            }
            Effect::Operate { target: None, .. }
            | Effect::Assert(_)
            | Effect::Print { .. }
            | Effect::SetPriority { .. }
            | Effect::Exit => {}
        }
        changed
    }

    /// The objects of a set of channels.
    fn objects(&self, channels: &Channels, objects: &ObjectTable) -> Vec<ObjectId> {
        let global = 0..self.program.channels.len();
        let mut list: Vec<ObjectId> =
            global.filter(|&d| channels.contains(d)).map(|d| objects.channel(d)).collect();
        for (kind, process) in self.program.types.iter().enumerate() {
            for index in (0..process.channels.len()).filter(|i| channels.contains(self.first_owned[kind] + i))
            {
                list.extend(objects.owned_by_type(self.program, kind, index));
            }
        }
        list.sort_unstable();
        list
    }
}

fn cell_of(kind: usize, variable: VariableRef) -> Cell {
    match variable {
        VariableRef::Global(id) => Cell::Global(id.index()),
        VariableRef::Local(id) => Cell::Local(kind, id.index()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// The names of the channels that a variable of the first process type may hold.
    fn held(source: &str, local: usize) -> Vec<String> {
        let parsed = text::parse("points.mzk", source);
        let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let objects = ObjectTable::new(&program, true);
        let among =
            objects.points_to.among(0, &Expression::Variable(VariableRef::Local(LocalId(local as u32))));
        objects.points_to.objects(among).iter().map(|&object| objects.name(&program, object)).collect()
    }

    #[test]
    fn a_variable_holds_what_is_assigned_and_what_messages_bring() {
        let source = "
program points
chan a[1]: byte
chan b[1]: byte
chan c[1]: byte
chan carrier[1]: chan
process P() {
  local x: chan
  local y: chan
  l -> l do x = a
  l -> l do carrier?y
  l -> l do y!1
  l -> l do x!1
}
process Q() {
  l -> l do carrier!b
}
start P(), Q()
";
        assert_eq!(held(source, 0), ["a"]);
        assert_eq!(held(source, 1), ["b"]);
    }

    #[test]
    fn what_is_computed_may_be_any_channel() {
        let source = "
program points
chan a[1]: byte
chan b[1]: byte
process P() {
  local x: chan
  l -> l do x = x + 1
  l -> l do x!1
}
start P()
";
        assert_eq!(held(source, 0), ["a", "b"]);
    }

    #[test]
    fn a_number_behind_the_global_channels_may_be_any_process_s_channel() {
        let source = "
program points
limit 2
chan a[1]: byte
process P(x: chan) {
  chan mine[1]: byte
  end location done
  l -> m do run Q(mine)
  m -> done do x!1
}
process Q(y: chan) {
  chan other[1]: byte
  end location done
  l -> m do y!1
  m -> done do run P(y)
}
start P(a)
";
        assert_eq!(held(source, 0), ["a", "P(0).mine", "P(1).mine", "Q(0).other", "Q(1).other"]);
    }
}
