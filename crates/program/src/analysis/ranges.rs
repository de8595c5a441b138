//! Which values variables, the fields of messages and parameters can have: an analysis of intervals.
//!
//! Without regard to the order of statements: a variable has what it begins with and what any statement anywhere stores in it; an
//! array is one variable, and all instances of a process type share theirs. Only what guards say of a process's own variables
//! ([`bounds`](super::bounds)) is followed through its locations. Values are cut to their type where they are stored. What is not understood
//! can be any value of its type. A channel that is not given by its name can be any channel.
//!
//! A range that has grown a few times is rounded up to a power of two, so that each variable changes only a few times and
//! the time is proportional to the size of the program.

use super::bounds::Bounds;
use super::interval::{ALL, Interval, TRUTH};
use crate::ir::{
    Channel, ChannelRef, Effect, Expression, LocalId, Pattern, ProcessQuestion, Program, RemotePart, Target,
    Transition, Type, Variable, VariableRef,
};

/// How often a range may grow before it is rounded.
const PATIENCE: u8 = 6;

/// Something that has a range.
type Cell = usize;

/// The ranges of a program.
#[derive(Debug)]
pub struct Ranges {
    cells: Cells,
    /// By cell; `None`: nothing is ever stored there.
    values: Vec<Option<Interval>>,
}

impl Ranges {
    /// Finds the ranges of a valid program.
    pub fn new(program: &Program) -> Ranges {
        let mut flow = Flow::new(program);
        flow.collect();
        flow.solve();
        Ranges { cells: flow.cells, values: flow.values }
    }

    /// The values of a global variable, or of the elements of an array.
    pub fn global(&self, index: usize) -> Interval {
        self.values[self.cells.global(index)].unwrap_or(Interval::of(0))
    }

    /// The values of a local of a process type.
    pub fn local(&self, kind: usize, index: usize) -> Interval {
        self.values[self.cells.local(kind, index)].unwrap_or(Interval::of(0))
    }

    /// The values of a field in the messages of a global channel, and 0, which stands where no message is.
    pub fn field(&self, channel: usize, field: usize) -> Interval {
        self.held(channel, field)
    }

    /// The same of a channel of a process type.
    pub fn own_field(&self, kind: usize, channel: usize, field: usize) -> Interval {
        self.held(self.cells.own[kind] + channel, field)
    }

    fn held(&self, declared: usize, field: usize) -> Interval {
        let ty = self.cells.channels[declared].fields[field];
        let named = self.values[self.cells.field(declared, field)];
        let computed = self.values[self.cells.sent(field)].map(|sent| sent.cut(ty));
        named.into_iter().chain(computed).fold(Interval::of(0), Interval::join)
    }
}

/// Numbers for everything that has a range: globals, locals, fields of channels, and for each position in messages what is sent to channels
/// that are not given by name, and what is in any channel.
#[derive(Debug)]
struct Cells {
    globals: usize,
    /// Where the locals of each process type begin.
    locals: Vec<usize>,
    /// Where the fields of each channel begin: the global ones, then those of each process type.
    fields: Vec<usize>,
    channels: Vec<Channel>,
    /// Where the channels of each process type begin.
    own: Vec<usize>,
    sent: usize,
    longest: usize,
    types: Vec<Type>,
}

impl Cells {
    fn new(program: &Program) -> Cells {
        let mut types: Vec<Type> = program.globals.iter().map(|variable| variable.ty).collect();
        let globals = types.len();
        let mut locals = Vec::new();
        let mut channels = program.channels.clone();
        let mut own = Vec::new();
        for process in &program.types {
            locals.push(types.len());
            types.extend(process.locals.iter().map(|variable| variable.ty));
            own.push(channels.len());
            channels.extend_from_slice(&process.channels);
        }
        let mut fields = Vec::new();
        for channel in &channels {
            fields.push(types.len());
            types.extend_from_slice(&channel.fields);
        }
        let longest = channels.iter().map(|channel| channel.fields.len()).max().unwrap_or(0);
        let sent = types.len();
        types.resize(sent + 2 * longest, Type::Int);
        Cells { globals, locals, fields, channels, own, sent, longest, types }
    }

    fn global(&self, index: usize) -> Cell {
        debug_assert!(index < self.globals);
        index
    }

    fn local(&self, kind: usize, index: usize) -> Cell {
        self.locals[kind] + index
    }

    fn variable(&self, kind: usize, variable: VariableRef) -> Cell {
        match variable {
            VariableRef::Global(id) => self.global(id.index()),
            VariableRef::Local(id) => self.local(kind, id.index()),
        }
    }

    fn field(&self, declared: usize, field: usize) -> Cell {
        self.fields[declared] + field
    }

    /// What is sent, as it was computed, to channels that are not given by name.
    fn sent(&self, field: usize) -> Cell {
        self.sent + field
    }

    /// What is in any channel.
    fn anywhere(&self, field: usize) -> Cell {
        self.sent + self.longest + field
    }

    /// A channel given by its name, among all that are declared.
    fn declared(&self, kind: usize, channel: &Expression) -> Option<usize> {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => Some(id.index()),
            Expression::Channel(ChannelRef::Own(id)) => Some(self.own[kind] + id.index()),
            _ => None,
        }
    }

    /// The type of a field, if a channel has that many.
    fn field_type(&self, declared: usize, field: usize) -> Option<Type> {
        self.channels[declared].fields.get(field).copied()
    }

    /// The types that this field has in different channels.
    fn types_of(&self, field: usize) -> Vec<Type> {
        let mut types = Vec::new();
        for ty in self.channels.iter().filter_map(|channel| channel.fields.get(field)) {
            if !types.contains(ty) {
                types.push(*ty);
            }
        }
        types
    }
}

/// Where values come from.
#[derive(Copy, Clone)]
enum Source<'p> {
    /// Computed by a process of a type, in a transition; what was stored in before says nothing any more.
    Value {
        expression: &'p Expression,
        transition: Option<&'p Transition>,
        effect: usize,
    },
    Cell(Cell),
    Known(Interval),
}

/// Values flow into a cell, perhaps cut to a type on the way.
struct Stream<'p> {
    kind: usize,
    from: Source<'p>,
    through: Option<Type>,
    to: Cell,
}

/// The ranges as they grow.
struct Flow<'p> {
    program: &'p Program,
    cells: Cells,
    values: Vec<Option<Interval>>,
    growths: Vec<u8>,
    bounds: Vec<Bounds>,
    streams: Vec<Stream<'p>>,
    /// The slots of processes.
    slots: Interval,
    /// How many processes there are.
    count: Interval,
    /// The numbers of channels of processes.
    own_channels: Interval,
    /// How many messages a channel holds.
    length: Interval,
    /// The numbers of locations.
    locations: Interval,
}

impl<'p> Flow<'p> {
    fn new(program: &'p Program) -> Flow<'p> {
        let cells = Cells::new(program);
        let is_static = program.is_static();
        let processes = if is_static { program.initial.len() } else { program.process_limit.into() };
        let most = program.types.iter().map(|process| process.channels.len()).max().unwrap_or(0);
        let highest = (program.channels.len() + most * processes).min(program.channel_limit.into());
        let own_channels = Interval::up_to(highest);
        let capacity = cells.channels.iter().map(|channel| usize::from(channel.capacity)).max().unwrap_or(0);
        let locations = program.types.iter().map(|process| process.locations.len()).max().unwrap_or(0);
        Flow {
            values: vec![None; cells.types.len()],
            growths: vec![0; cells.types.len()],
            cells,
            bounds: program.types.iter().map(Bounds::new).collect(),
            streams: Vec::new(),
            slots: Interval::up_to(processes.saturating_sub(1)),
            count: Interval::up_to(processes),
            own_channels,
            length: Interval::up_to(capacity),
            locations: Interval::up_to(locations),
            program,
        }
    }

    /// Notes what every cell begins with and where values flow.
    fn collect(&mut self) {
        let program = self.program;
        for (index, global) in program.globals.iter().enumerate() {
            self.begin(self.cells.global(index), global);
        }
        for (kind, process) in program.types.iter().enumerate() {
            for (index, local) in process.locals.iter().enumerate() {
                self.begin(self.cells.local(kind, index), local);
            }
            for (target, value) in &process.prologue {
                let to = self.cells.variable(kind, target.variable());
                let from = Source::Value { expression: value, transition: None, effect: 0 };
                self.streams.push(Stream { kind, from, through: None, to });
            }
            for transition in &process.transitions {
                for (number, effect) in transition.effects.iter().enumerate() {
                    self.effect(kind, transition, number, effect);
                }
            }
        }
        for start in &program.initial {
            let kind = start.process.index();
            for (index, &value) in start.arguments.iter().enumerate() {
                let to = self.cells.local(kind, index);
                let from = Source::Known(Interval::of(value));
                self.streams.push(Stream { kind, from, through: None, to });
            }
        }
    }

    fn begin(&mut self, cell: Cell, variable: &Variable) {
        let partly = variable.initial.len() < variable.values();
        let zero = partly.then_some(Interval::of(0));
        let initial = variable.initial.iter().map(|&value| Interval::of(variable.ty.wrap(value)));
        self.values[cell] = zero.into_iter().chain(initial).reduce(Interval::join);
    }

    fn effect(&mut self, kind: usize, transition: &'p Transition, number: usize, effect: &'p Effect) {
        let value = |expression| Source::Value { expression, transition: Some(transition), effect: number };
        let cells = &self.cells;
        let store = |target: &Target, from: Source<'p>, through: Option<Type>| Stream {
            kind,
            from,
            through,
            to: cells.variable(kind, target.variable()),
        };
        let streams = &mut self.streams;
        match effect {
            Effect::Assign { target, value: expression } => {
                streams.push(store(target, value(expression), None));
            }
            Effect::Send { channel, fields, .. } => {
                let declared = cells.declared(kind, channel);
                for (index, field) in fields.iter().enumerate() {
                    let mut send = |through: Option<Type>, to: Cell| {
                        streams.push(Stream { kind, from: value(field), through, to });
                    };
                    let Some(declared) = declared else {
                        if index < cells.longest {
                            send(None, cells.sent(index));
                            let types = cells.types_of(index);
                            types.into_iter().for_each(|ty| send(Some(ty), cells.anywhere(index)));
                        }
                        continue;
                    };
                    if let Some(ty) = cells.field_type(declared, index) {
                        send(None, cells.field(declared, index));
                        send(Some(ty), cells.anywhere(index));
                    }
                }
            }
            Effect::Receive { channel, patterns, .. } => {
                let declared = cells.declared(kind, channel);
                for (index, pattern) in patterns.iter().enumerate() {
                    let Pattern::Bind(target) = pattern else { continue };
                    match declared {
                        Some(declared) => {
                            let Some(ty) = cells.field_type(declared, index) else { continue };
                            streams.push(store(target, Source::Cell(cells.field(declared, index)), None));
                            streams.push(store(target, Source::Cell(cells.sent(index)), Some(ty)));
                        }
                        None if index < cells.longest => {
                            streams.push(store(target, Source::Cell(cells.anywhere(index)), None));
                        }
                        None => {}
                    }
                }
            }
            Effect::Operate { target, .. } => {
                streams.extend(target.iter().map(|target| store(target, Source::Known(ALL), None)));
            }
            Effect::Run { process, arguments, target } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let to = cells.local(process.index(), index);
                    streams.push(Stream { kind, from: value(argument), through: None, to });
                }
                let slot = Source::Known(self.slots);
                streams.extend(target.iter().map(|target| store(target, slot, None)));
            }
            Effect::Assert(_) | Effect::Print { .. } | Effect::SetPriority { .. } | Effect::Exit => {}
        }
    }

    /// Lets values flow until nothing changes.
    fn solve(&mut self) {
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); self.values.len()];
        for (number, stream) in self.streams.iter().enumerate() {
            let mut read = |cell: Cell| {
                if readers[cell].last() != Some(&(number as u32)) {
                    readers[cell].push(number as u32);
                }
            };
            match stream.from {
                Source::Cell(cell) => read(cell),
                Source::Value { expression, .. } => self.read_by(stream.kind, expression, &mut read),
                Source::Known(_) => {}
            }
        }
        let mut waiting: Vec<u32> = (0..self.streams.len() as u32).rev().collect();
        let mut waits = vec![true; self.streams.len()];
        while let Some(number) = waiting.pop() {
            waits[number as usize] = false;
            let stream = &self.streams[number as usize];
            let to = stream.to;
            let Some(arriving) = self.arriving(stream) else { continue };
            let before = self.values[to];
            let joined = before.map_or(arriving, |before| before.join(arriving));
            if before == Some(joined) {
                continue;
            }
            self.growths[to] = self.growths[to].saturating_add(1);
            let rounded = if self.growths[to] > PATIENCE { joined.rounded() } else { joined };
            // What is rounded beyond the type is cut to it again, which never makes it smaller than it was.
            let ty = self.cells.types[to];
            self.values[to] = Some(rounded.meet(Interval::of_type(ty)).unwrap_or(joined));
            for &reader in &readers[to] {
                if !std::mem::replace(&mut waits[reader as usize], true) {
                    waiting.push(reader);
                }
            }
        }
    }

    /// Calls `read` for each cell whose value an expression depends on.
    fn read_by(&self, kind: usize, expression: &Expression, read: &mut dyn FnMut(Cell)) {
        match expression {
            Expression::Variable(variable) | Expression::Element(variable, _) => {
                read(self.cells.variable(kind, *variable));
            }
            Expression::Remote { process, part, .. } => {
                if let RemotePart::Variable(id) | RemotePart::Element(id, _) = **part {
                    read(self.cells.local(process.index(), id.index()));
                }
            }
            _ => {}
        }
        expression.for_each_operand(&mut |operand| self.read_by(kind, operand, read));
    }

    fn arriving(&self, stream: &Stream<'_>) -> Option<Interval> {
        let value = match stream.from {
            Source::Known(interval) => interval,
            Source::Cell(cell) => self.values[cell]?,
            Source::Value { expression, transition, effect } => {
                self.value(stream.kind, expression, transition.map(|transition| (transition, effect)))?
            }
        };
        let value = stream.through.map_or(value, |ty| value.cut(ty));
        Some(value.cut(self.cells.types[stream.to]))
    }

    /// The values of an expression that a process computes in an effect of a transition; `None`: it never gets there, as far as is known.
    fn value(
        &self,
        kind: usize,
        expression: &Expression,
        place: Option<(&Transition, usize)>,
    ) -> Option<Interval> {
        let value = |expression: &Expression| self.value(kind, expression, place);
        Some(match expression {
            Expression::Constant(value) => Interval::of(*value),
            Expression::Variable(VariableRef::Local(id)) => {
                let any = self.values[self.cells.local(kind, id.index())]?;
                any.meet(self.bounds(kind, *id, place)?)?
            }
            Expression::Variable(variable) | Expression::Element(variable, _) => {
                self.values[self.cells.variable(kind, *variable)]?
            }
            Expression::Channel(ChannelRef::Global(id)) => Interval::of(id.index() as i32 + 1),
            Expression::Channel(ChannelRef::Own(_)) => self.own_channels,
            Expression::Pid => self.slots,
            Expression::ProcessCount => self.count,
            Expression::Timeout
            | Expression::NonProgress
            | Expression::Empty(_)
            | Expression::Full(_)
            | Expression::Poll { .. } => TRUTH,
            Expression::Unary(operator, a) => value(a)?.unary(*operator),
            Expression::Binary(operator, a, b) => {
                let right = match operator {
                    crate::ir::BinaryOperator::And | crate::ir::BinaryOperator::Or => return Some(TRUTH),
                    _ => value(b)?,
                };
                value(a)?.binary(*operator, right)
            }
            Expression::Conditional(_, a, b) => match (value(a), value(b)) {
                (Some(a), Some(b)) => a.join(b),
                (one, other) => one.or(other)?,
            },
            Expression::Length(_) => self.length,
            Expression::Remote { process, part, .. } => match &**part {
                RemotePart::Variable(id) | RemotePart::Element(id, _) => {
                    // 0, if there is no such process.
                    let held = self.values[self.cells.local(process.index(), id.index())];
                    held.unwrap_or(Interval::of(0)).join(Interval::of(0))
                }
                RemotePart::At(_) => TRUTH,
            },
            Expression::Process(ProcessQuestion::Enabled, _) => TRUTH,
            Expression::Process(ProcessQuestion::Location, _) => self.locations,
            Expression::Process(ProcessQuestion::Priority, _) => Interval::up_to(255),
            Expression::Observe { .. } => ALL,
        })
    }

    /// What guards say of a local when an effect of a transition computes with it.
    fn bounds(&self, kind: usize, local: LocalId, place: Option<(&Transition, usize)>) -> Option<Interval> {
        let Some((transition, effect)) = place else { return Some(ALL) };
        let mut stored = false;
        for earlier in &transition.effects[..effect] {
            earlier.for_each_part(&mut |_| {}, &mut |target| {
                stored |= target.variable() == VariableRef::Local(local);
            });
        }
        if stored { Some(ALL) } else { self.bounds[kind].before(transition, local) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn ranges(source: &str) -> (Program, Ranges) {
        let parsed = text::parse("ranges.mzk", source);
        let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let ranges = Ranges::new(&program);
        (program, ranges)
    }

    fn global(source: &str, name: &str) -> (i32, i32) {
        let (program, ranges) = ranges(source);
        let index = program.globals.iter().position(|global| global.name == name).expect("declared");
        (ranges.global(index).low, ranges.global(index).high)
    }

    const HEAD: &str =
        "program r\nvar a: byte\nvar b: byte = 3\nvar c: int\nvar s: short\nvar t: byte[2] = [9, 4]\n";

    fn with(effects: &str) -> String {
        format!("{HEAD}process P() {{\n  local i: byte\n  l -> l do {effects}\n}}\nstart P()\n")
    }

    #[test]
    fn variables_have_what_is_stored_in_them() {
        assert_eq!(global(&with("a = 2"), "a"), (0, 2));
        assert_eq!(global(&with("a = 2"), "b"), (3, 3));
        assert_eq!(global(&with("a = b + 1; b = 5"), "a"), (0, 6));
        assert_eq!(global(&with("a = 257"), "a"), (0, 1));
        assert_eq!(global(&with("a = b - 4"), "a"), (0, 255));
        assert_eq!(global(&with("c = b - 4"), "c"), (-1, 0));
        assert_eq!(global(&with("a = a + 1"), "a"), (0, 255));
        assert_eq!(global(&with("s = s + 1"), "s"), (-32768, 32767));
        assert_eq!(global(&with("a = (a + 1) % 4"), "a"), (0, 3));
        assert_eq!(global(&with("a = t[i]"), "a"), (0, 9));
        assert_eq!(global(&with("a = b == 3 ? 1 : 6"), "a"), (0, 6));
        assert_eq!(global(&with("a = a < 2"), "a"), (0, 1));
    }

    #[test]
    fn guards_bound_what_a_process_counts() {
        let source = format!(
            "{HEAD}process P() {{\n  local i: byte\n  l -> m when i < 5 do a = 7\n  m -> n do b = i\n  n -> l do i = i + 1; c = i\n  \
             l -> l when i >= 5 do i = 0\n}}\nstart P()\n"
        );
        assert_eq!(global(&source, "b"), (0, 4));
        let (_, found) = ranges(&source);
        assert_eq!((found.local(0, 0).low, found.local(0, 0).high), (0, 5));
        // What was stored in just before is not bounded by the guard.
        assert_eq!(global(&source, "c"), (0, 5));
    }

    #[test]
    fn messages_and_parameters_carry_values() {
        let source = "program r\nvar a: byte\nvar b: byte\nchan c[2]: byte, byte\nchan d[2]: byte, byte\n\
                      process P(x: byte) {\n  local y: chan\n  l -> l do c!x,3\n  l -> l do y = d\n  l -> l do y!6,2\n}\n\
                      process Q() {\n  l -> l do c?a,_\n  l -> l do d?b,_\n}\nstart P(5), P(1), Q()\n";
        let (_, found) = ranges(source);
        let high = |interval: Interval| (interval.low, interval.high);
        assert_eq!(high(found.local(0, 0)), (0, 5));
        assert_eq!(high(found.field(0, 1)), (0, 3));
        // A channel that is not named may be either.
        assert_eq!(high(found.field(0, 0)), (0, 6));
        assert_eq!(high(found.field(1, 0)), (0, 6));
        assert_eq!(high(found.field(1, 1)), (0, 2));
        assert_eq!((global(source, "a"), global(source, "b")), ((0, 6), (0, 6)));
    }

    #[test]
    fn a_chain_of_many_variables_takes_a_pass_each_at_most() {
        let mut source = String::from("program r\n");
        (0..3000).for_each(|i| source += &format!("var v{i}: int\n"));
        source += "process P() {\n  l -> l do v0 = v0 + 1\n";
        (1..3000).for_each(|i| source += &format!("  l -> l do v{} = v{} + 1\n", 3000 - i, 2999 - i));
        source += "}\nstart P()\n";
        let (_, found) = ranges(&source);
        assert_eq!(found.global(2999), ALL);
    }
}
