//! What compiled code and the functions it calls share during one expansion.
//!
//! The first fields are read and written by compiled code at fixed offsets; the others are for the
//! functions in [`super::assistance`] alone. Where processes come and go, the tables of processes and channels
//! are kept by each thread, and rebuilt when a state has other processes.

use crate::several::Scratch;
use mazurka_model::{Batch, Step};
use mazurka_program::Interpreter;
use mazurka_program::interpreter::layout::{Layout, Word};
use std::ptr;

/// The most fields of a message that a compiled handshake hands over.
pub const MOST_FIELDS: usize = 16;

/// A function of compiled code: the moves of a process, those with which it accepts a handshake, or its way through an atomic
/// region. Its arguments are the context, the state, the slot of the process and the [mode](mode), or how often it may go
/// round in a circle; it returns a [status](status).
pub type Compiled = unsafe extern "C" fn(*mut Context, *const u8, u64, u64) -> u64;

/// What compiled code does with a move that can be executed.
pub mod mode {
    /// Executes it.
    pub const FIRE: u64 = 0;
    /// Lists its step.
    pub const LIST: u64 = 1;
    /// Executes it if it is the next one wanted.
    pub const WANTED: u64 = 2;
    /// Stops, because there is one.
    pub const ANY: u64 = 3;
}

/// How a compiled function ends.
pub mod status {
    /// It has looked at every move.
    pub const DONE: u64 = 0;
    /// Something is to be done that the interpreter does; what was done so far counts for nothing.
    pub const LEFT: u64 = 1;
    /// There is a move, and that was the question.
    pub const STOPPED: u64 = 2;
    /// Of a handshake: there was one.
    pub const SHAKEN: u64 = 3;
}

/// A process of the state that is expanded.
#[derive(Copy, Clone, Debug)]
#[repr(C, align(32))]
pub struct Process {
    /// The moves of its type, if they are compiled.
    pub moves: Option<Compiled>,
    /// Where its frame begins.
    pub frame: u32,
    /// Its type.
    pub kind: u32,
    /// How many channels the processes before it own.
    pub owned_before: u32,
}

/// The size of a [`Process`] as a power of two.
pub const PROCESS_SHIFT: i64 = size_of::<Process>().trailing_zeros() as i64;

/// A channel: where it begins, and in the upper half its shape.
pub fn channel_entry(offset: u32, shape: u32) -> u64 {
    u64::from(shape) << 32 | u64::from(offset)
}

/// A handshake that is offered.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub struct Handshake {
    /// The channel.
    pub number: u32,
    /// How many fields the message has.
    pub fields: u32,
    /// The sender.
    pub sender: u32,
    /// The alternative that it takes.
    pub alternative: u32,
    /// Where the location of the sender stands in the state.
    pub location: u32,
    /// Where the sender goes.
    pub to: u32,
    /// The statement of the sender, for coverage.
    pub statement: u32,
    /// Whether a partner was found.
    pub found: u32,
    /// The message, cut to the types of its fields.
    pub message: [i32; MOST_FIELDS],
}

/// Functions of compiled code, by process type.
#[derive(Debug, Default)]
pub struct Functions {
    /// The moves of a process.
    pub moves: Vec<Option<Compiled>>,
    /// The handshakes that it accepts, if it may accept any.
    pub accept: Vec<Option<Compiled>>,
    /// The way on through its atomic regions, if it has any.
    pub through: Vec<Option<Compiled>>,
}

/// What is shared.
#[repr(C)]
pub struct Context {
    /// The processes, `count` of them.
    pub processes: *const Process,
    /// How many there are.
    pub count: u64,
    /// The channels by number, from 1.
    pub channels: *const u64,
    /// How many there are.
    pub channel_count: u64,
    /// Which statements were executed.
    pub covered: *mut bool,
    /// Where the frame of a process begins that has just been created.
    pub created: u64,
    /// How often a successor is taken on round a circle inside an atomic region; 0: it is not taken on at all.
    pub fuel: u64,
    /// Steps for which successors were taken on.
    pub walked: u64,
    /// The handshake that is offered.
    pub handshake: Handshake,
    /// The state that is expanded.
    pub state: *const u8,
    /// Its length.
    pub length: usize,
    /// What `_timeout` is taken to be, while it is being found out.
    pub timeout: Option<bool>,
    /// Whether nobody can move in the state that is expanded, once that is known.
    pub idle: Option<bool>,
    /// If there are more successors than this, somebody can move without waiting for that.
    pub moved: usize,
    /// Where successors go.
    pub batch: *mut Batch,
    /// Where listed steps go.
    pub steps: *mut Vec<Step>,
    /// The steps that are wanted and were not met yet.
    pub wanted: *const [Step],
    /// The interpreter.
    pub interpreter: *const Interpreter,
    /// The compiled functions.
    pub functions: *const Functions,
    /// The tables, if they change; else null.
    pub tables: *mut Tables,
}

impl Context {
    /// A context of nothing.
    fn empty() -> Context {
        Context {
            processes: ptr::null(),
            count: 0,
            channels: ptr::null(),
            channel_count: 0,
            covered: ptr::null_mut(),
            created: 0,
            fuel: 0,
            walked: 0,
            handshake: Handshake::default(),
            state: ptr::null(),
            length: 0,
            timeout: None,
            idle: None,
            moved: usize::MAX,
            batch: ptr::null_mut(),
            steps: ptr::null_mut(),
            wanted: &[],
            interpreter: ptr::null(),
            functions: ptr::null(),
            tables: ptr::null_mut(),
        }
    }
}

impl Context {
    /// Makes another state, with the same processes, the one that is expanded.
    #[inline]
    pub fn turn_to(&mut self, state: &[u8]) {
        (self.state, self.length) = (state.as_ptr(), state.len());
    }
}

/// What a thread keeps from one expansion to the next, because it mostly is the same.
pub struct Desk {
    context: Context,
    tables: Tables,
    /// What is kept while several states are expanded.
    pub scratch: Scratch,
    /// The system that both are of; 0 is none.
    system: u64,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk { context: Context::empty(), tables: Tables::default(), scratch: Scratch::default(), system: 0 }
    }
}

impl Desk {
    /// The context for `state`, a state of the system with this number.
    #[inline]
    pub fn context(
        &mut self,
        system: u64,
        interpreter: &Interpreter,
        functions: &Functions,
        state: &[u8],
    ) -> &mut Context {
        let Desk { context, tables, .. } = self;
        let layout = interpreter.layout();
        if self.system != system {
            tables.read(interpreter, functions, state);
            (context.interpreter, context.functions) = (interpreter, functions);
            self.system = system;
        } else if layout.fixed.is_none() {
            tables.settle();
            if !tables.stand_for(layout, state) {
                tables.read(interpreter, functions, state);
            }
        }
        context.tables = if layout.fixed.is_some() { ptr::null_mut() } else { tables };
        (context.processes, context.count) = (tables.processes.as_ptr(), tables.processes.len() as u64);
        (context.channels, context.channel_count) = (tables.channels.as_ptr(), tables.channels.len() as u64);
        (context.state, context.length) = (state.as_ptr(), state.len());
        (context.timeout, context.idle, context.moved) = (None, None, usize::MAX);
        context
    }
}

impl Desk {
    /// The context for the first of these states, of which there is one, and how many of them have the same processes, one after another.
    pub fn context_of_all(
        &mut self,
        system: u64,
        interpreter: &Interpreter,
        functions: &Functions,
        states: &[Vec<u8>],
    ) -> (&mut Context, usize) {
        let layout = interpreter.layout();
        self.context(system, interpreter, functions, &states[0]);
        let (others, tables) = (&states[1..], &self.tables);
        let differs = |state: &Vec<u8>| !tables.stand_for(layout, state);
        let alike = match layout.fixed {
            Some(_) => states.len(),
            None => others.iter().position(differs).map_or(states.len(), |at| at + 1),
        };
        (&mut self.context, alike)
    }

    /// The processes of the last state, by slot.
    pub fn processes(&self) -> &[Process] {
        &self.tables.processes[..self.context.count as usize]
    }
}

/// The processes and channels of a state.
#[derive(Debug, Default)]
pub struct Tables {
    /// The processes by slot.
    pub processes: Vec<Process>,
    /// The channels by number, from 1.
    pub channels: Vec<u64>,
    /// How long the state is.
    length: usize,
    /// How many processes and channels there were before a step began to create some.
    settled: (usize, usize),
}

impl Tables {
    /// Makes the tables those of `state`.
    #[cold]
    fn read(&mut self, interpreter: &Interpreter, functions: &Functions, state: &[u8]) {
        let layout = interpreter.layout();
        self.processes.clear();
        self.channels.clear();
        let global = layout.channels.iter().map(|place| channel_entry(place.offset, place.shape));
        self.channels.extend(global);
        for at in interpreter.process_slots(state) {
            self.add(layout, functions, at.kind, at.frame as u32);
        }
        self.length = state.len();
        self.settled = (self.processes.len(), self.channels.len());
    }

    /// Whether the same types of processes are alive in `state`, so that everything is where it was: mostly they are, because
    /// processes come and go less often than states.
    #[inline]
    fn stand_for(&self, layout: &Layout, state: &[u8]) -> bool {
        if state.len() != self.length || layout.count.read(state, 0) != self.processes.len() {
            return false;
        }
        if layout.type_width == 1 {
            // All of them are looked at: that takes less than to stop at the first that differs.
            let differs = |p: &Process| u32::from(state[p.frame as usize]) ^ p.kind;
            return self.processes.iter().fold(0, |all, process| all | differs(process)) == 0;
        }
        let kind = Word { offset: 0, width: layout.type_width };
        self.processes.iter().all(|p| kind.read(state, p.frame as usize) == p.kind as usize)
    }

    /// Adds a process and its channels.
    pub fn add(&mut self, layout: &Layout, functions: &Functions, kind: usize, frame: u32) {
        let owned_before = (self.channels.len() - layout.channels.len()) as u32;
        self.processes.push(Process { moves: functions.moves[kind], frame, kind: kind as u32, owned_before });
        let own =
            layout.frames[kind].channels.iter().map(|place| channel_entry(frame + place.offset, place.shape));
        self.channels.extend(own);
    }

    /// Forgets what a step has created.
    #[inline]
    pub fn settle(&mut self) {
        // A length that was just written can't be read together with the pointer beside it without a delay.
        if self.processes.len() != self.settled.0 {
            self.processes.truncate(self.settled.0);
        }
        if self.channels.len() != self.settled.1 {
            self.channels.truncate(self.settled.1);
        }
    }
}
