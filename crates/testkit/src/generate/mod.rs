//! Random programs: small, finite, and full of what reductions stumble over.
//!
//! A program is a function of its seed. It first draws a shape, the features that it uses at all,
//! so that programs of very different characters arise, and then fills it: a few processes of a few
//! locations each, over variables of one or two bits, short channels, and objects of the library. Most
//! programs have some dozens to some thousands of states, and about half have an error.
//!
//! Atomic regions always end: transitions that lead backwards lead to locations that are not atomic.

mod creators;
mod effect;
mod expression;
mod process;
mod questions;

pub use creators::creators;
use fastrand::Rng;
use mazurka_program::ir::{
    Channel, ChannelIndex, Expression, Object, ObjectKind, ProcessType, Program, Start, Type, TypeId,
    Variable,
};

/// The features that a program uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Shape {
    arrays: bool,
    fifo: bool,
    rendezvous: bool,
    /// Channels are passed through variables, parameters and messages.
    channel_values: bool,
    objects: bool,
    atomic: bool,
    otherwise: bool,
    /// Processes are created late, and exit.
    creation: bool,
    /// The number of processes is asked for.
    counting: bool,
    /// Each process type uses some of the globals, channels and objects only.
    apart: bool,
    /// Locations and transitions are few, because processes are many.
    slim: bool,
}

/// The program of a seed. It is always valid.
pub fn program(seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let mut chance = |percent: u32| random.u32(0..100) < percent;
    let shape = Shape {
        arrays: chance(25),
        fifo: chance(55),
        rendezvous: chance(35),
        channel_values: chance(20),
        objects: chance(35),
        atomic: chance(30),
        otherwise: chance(30),
        creation: chance(25),
        counting: chance(5),
        apart: chance(65),
        slim: false,
    };
    let processes = [2, 2, 3, 3, 3, 3, 3, 4, 4, 4][random.usize(0..10)];
    let shape = Shape { slim: processes > 3, ..shape };
    let mut generator =
        Generator { random, shape, program: Program::default(), width: 1, shares: Vec::new() };
    generator.program.name = format!("random_{seed}");
    generator.program.process_limit = 8;
    generator.program.overflow = seed % 5 == 4;
    generator.declare();
    generator.processes(processes);
    questions::add(seed, &mut generator.program);
    generator.program
}

/// Whether processes ask about others, or have different priorities.
pub fn has_questions(program: &Program) -> bool {
    program.uses_priorities() || program.asks(&|e| matches!(e, Expression::Process(..)))
}

/// A program under construction.
struct Generator {
    random: Rng,
    shape: Shape,
    program: Program,
    /// How many fields the messages have: the same for all channels, since channels are values.
    width: usize,
    /// For each process type the shared things that it uses, as bits over globals, channels and
    /// objects alike.
    shares: Vec<u32>,
}

impl Generator {
    /// Whether something of this likelihood happens.
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    /// An index, each as likely as its weight.
    fn pick(&mut self, weights: &[u32]) -> usize {
        let mut left = self.random.u32(0..weights.iter().sum::<u32>().max(1));
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        0
    }

    /// A type with two or four values.
    fn small_type(&mut self) -> Type {
        if self.chance(60) { Type::Bit } else { Type::Unsigned(2) }
    }

    /// Whether process type `at` uses shared thing number `index` of its kind.
    fn uses(&self, at: usize, index: usize) -> bool {
        self.shares[at] >> index & 1 == 1
    }

    /// One of `count` shared things, those that process type `at` uses preferred; there must be one.
    fn shared(&mut self, at: usize, count: usize) -> usize {
        let used: Vec<usize> = (0..count).filter(|i| self.uses(at, *i)).collect();
        match used.as_slice() {
            [] => self.random.usize(0..count),
            used => *self.one_of(used),
        }
    }

    fn variable(&mut self, name: String, ty: Type) -> Variable {
        let value = if self.chance(30) { self.random.i32(1..3) } else { 0 };
        let initial = if value == 0 { Vec::new() } else { vec![ty.wrap(value)] };
        Variable { name, ty, initial, ..Variable::default() }
    }

    fn declare(&mut self) {
        for index in 0..self.random.usize(1..=3) {
            let ty = self.small_type();
            let global = self.variable(format!("g{index}"), ty);
            self.program.globals.push(global);
        }
        if self.shape.arrays {
            let length = self.random.u32(2..=3);
            let array =
                Variable { name: "a".into(), ty: Type::Bit, length: Some(length), ..Variable::default() };
            self.program.globals.push(array);
        }
        if self.chance(15) {
            self.width = 2;
        }
        let (fifo, rendezvous, values) = (self.shape.fifo, self.shape.rendezvous, self.shape.channel_values);
        let mut capacities = Vec::new();
        if fifo || (values && !rendezvous) {
            let many = if self.chance(40) { 2 } else { 1 };
            capacities.extend((0..many).map(|_| self.random.u16(1..=3)));
        }
        if rendezvous {
            capacities.extend((0..1 + usize::from(self.chance(30))).map(|_| 0));
        }
        for (index, capacity) in capacities.into_iter().enumerate() {
            let fields = (0..self.width).map(|_| self.small_type()).collect();
            let name = format!("q{index}");
            self.program.channels.push(Channel { name, capacity, fields, ..Channel::default() });
        }
        if values {
            let capacity = self.random.u16(0..=2);
            let carrier = Channel {
                name: "carrier".into(),
                capacity,
                fields: vec![Type::Channel],
                ..Channel::default()
            };
            self.program.channels.push(carrier);
            if self.chance(50) {
                let initial = vec![self.data_channel_number()];
                self.program.globals.push(Variable {
                    name: "way".into(),
                    ty: Type::Channel,
                    initial,
                    ..Variable::default()
                });
            }
        }
        if self.shape.objects {
            for index in 0..self.random.usize(1..=2) {
                let kind = self.object_kind();
                self.program.objects.push(Object {
                    name: format!("o{index}"),
                    kind,
                    span: Default::default(),
                });
            }
        }
    }

    fn object_kind(&mut self) -> ObjectKind {
        match self.pick(&[6, 5, 3, 2, 2, 2, 2, 2]) {
            0 => ObjectKind::Semaphore { initial: self.random.i32(0..=2) },
            1 => ObjectKind::Mutex,
            2 => ObjectKind::RwLock,
            3 => ObjectKind::Condvar,
            4 => ObjectKind::Barrier { parties: 2 },
            5 => ObjectKind::Timer,
            6 => ObjectKind::Place { initial: self.random.i32(0..=2) },
            _ => ObjectKind::Flag,
        }
    }

    /// The channel that carries channels, if there is one.
    fn carrier(&self) -> Option<ChannelIndex> {
        self.shape.channel_values.then(|| ChannelIndex(self.program.channels.len() as u32 - 1))
    }

    /// How many global channels carry data.
    fn data_channels(&self) -> usize {
        self.program.channels.len() - usize::from(self.shape.channel_values)
    }

    /// The number of a global channel that carries data, as a value; there must be one.
    fn data_channel_number(&mut self) -> i32 {
        let channels = self.data_channels().max(1) as i32;
        self.random.i32(1..=channels)
    }

    fn processes(&mut self, count: usize) {
        let types = if self.chance(25) { 1 } else { self.random.usize(2..=count.clamp(2, 3)) };
        for index in 0..types {
            self.program.types.push(ProcessType::default());
            let share = if self.shape.apart { self.random.u32(1..16) } else { u32::MAX };
            self.shares.push(share);
            // Parameters must be known before anyone runs the type.
            self.signature(index);
        }
        for index in 0..types {
            self.process_type(index);
        }
        // Where processes are created late, the last type is left to them.
        let first_types = if self.shape.creation && types > 1 { types - 1 } else { types };
        let started = if self.shape.creation { count.min(3) } else { count };
        for index in 0..started {
            let process = if index < first_types { index } else { self.random.usize(0..first_types) };
            let arguments = self.program.types[process].locals[..self.program.types[process].parameters]
                .iter()
                .map(|p| p.ty)
                .collect::<Vec<Type>>()
                .into_iter()
                .map(
                    |ty| if ty == Type::Channel { self.data_channel_number() } else { self.random.i32(0..2) },
                )
                .collect();
            let start = Start { process: TypeId(process as u32), arguments, ..Start::default() };
            self.program.initial.push(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_program::text;

    #[test]
    fn programs_are_valid_and_a_function_of_their_seed() {
        for seed in 0..2_000 {
            let made = program(seed);
            assert_eq!(made.validate(), [], "seed {seed}");
            assert_eq!(made, program(seed));
        }
    }

    #[test]
    fn the_text_of_a_program_gives_it_back() {
        for seed in 0..2_000 {
            let made = program(seed);
            let printed = text::print(&made);
            let parsed = text::parse("random.mzk", &printed);
            assert_eq!(parsed.diagnostics, [], "{printed}");
            assert_eq!(parsed.program.map(Program::without_spans), Some(made), "{printed}");
        }
    }
}
