//! Compiled code as a [`System`].

use crate::context::{Context, Desk, mode, status};
use crate::module::{self, Code};
use crate::{Unsupported, assistance, emit};
use mazurka_model::{
    Batch, Chosen, Describe, Elsewhere, Known, Part, ProcessId, Relations, Step, System, Width,
};
use mazurka_program::Interpreter;
use mazurka_program::interpreter::ProcessAt;
use mazurka_program::interpreter::code::{Code as ProgramCode, EffectCode, Node};
use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// What the thread looked at last.
    pub(crate) static DESK: RefCell<Desk> = RefCell::default();
}

/// How often a successor is taken on round a circle inside an atomic region before it is handed out as it is.
pub(crate) const FUEL: u64 = 64;

/// The number of the next compiled program.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A program whose moves are machine code. What is off the hot path is asked of its interpreter, which also
/// does what was not compiled, and every step that goes wrong.
#[derive(Debug)]
pub struct Compiled {
    pub(crate) interpreter: Box<Interpreter>,
    pub(crate) code: Code,
    /// Tells it from all others.
    pub(crate) number: u64,
    pub(crate) statements: usize,
    /// Some expression asks whether nobody can move.
    pub(crate) asks_for_rest: bool,
    /// What compiled code executes before it asks whether nobody can move is sure not to depend on that.
    pub(crate) asks_itself: bool,
    /// How often the interpreter did what compiled code left to it.
    left: AtomicU64,
}

/// What became of a program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Process types whose moves are machine code.
    pub compiled: usize,
    /// Process types that are interpreted.
    pub interpreted: usize,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} process types compiled, {} interpreted", self.compiled, self.interpreted)
    }
}

/// Whether the interpreter evaluates nothing for compiled code: it would not tell that it has asked whether nobody can move.
fn asks_itself(code: &ProgramCode) -> bool {
    let compiled = |node: &Node| {
        !matches!(node, Node::Observe(_) | Node::Remote { .. } | Node::Process(..) | Node::NonProgress)
    };
    let executed = |effect: &EffectCode| {
        let EffectCode::Send { sorted, .. } = effect else {
            return !matches!(effect, EffectCode::Operate { .. } | EffectCode::SetPriority { .. });
        };
        !sorted
    };
    code.nodes.iter().all(compiled) && code.effects.iter().all(executed)
}

impl Compiled {
    /// Compiles the program of an interpreter, which is given back if that can't be done.
    pub fn new(interpreter: Box<Interpreter>) -> Result<Compiled, (Box<Interpreter>, Unsupported)> {
        if interpreter.program().uses_priorities() {
            return Err((interpreter, Unsupported("processes have priorities".to_owned())));
        }
        let code = match module::compile(&interpreter) {
            Ok(code) => code,
            Err(reason) => return Err((interpreter, reason)),
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let statements = interpreter.code().statements.len();
        let asks_itself = asks_itself(interpreter.code());
        let asks_for_rest = emit::asks_for_rest(interpreter.code());
        let left = AtomicU64::new(0);
        Ok(Compiled { interpreter, code, number, statements, asks_for_rest, asks_itself, left })
    }

    /// How much of the program is machine code.
    pub fn coverage(&self) -> Coverage {
        let moves = &self.code.functions.moves;
        let compiled = moves.iter().filter(|function| function.is_some()).count();
        Coverage { compiled, interpreted: moves.len() - compiled }
    }

    /// How often so far the moves of a process were left to the interpreter: because something is wrong with one, or
    /// was not worth compiling.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// The interpreter behind it.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// Calls `look` with a context for `state`.
    fn with<R>(&self, state: &[u8], look: impl FnOnce(&mut Context) -> R) -> R {
        let functions = &self.code.functions;
        DESK.with_borrow_mut(|desk| look(desk.context(self.number, &self.interpreter, functions, state)))
    }

    /// The processes that may move.
    fn movers(&self, state: &[u8], context: &Context) -> std::ops::Range<u64> {
        match self.interpreter.layout().exclusive.read(state, 0) {
            0 => 0..context.count,
            alone => alone as u64 - 1..(alone as u64).min(context.count),
        }
    }

    /// Lets a process do what `mode` says. False: the interpreter has to.
    #[inline]
    pub(crate) fn ask(&self, context: &mut Context, pid: u64, mode: u64) -> bool {
        // SAFETY: the slot is one of the table's.
        let Some(moves) = (unsafe { (*context.processes.add(pid as usize)).moves }) else { return false };
        // SAFETY: the context stands for this state, and its pointers for buffers that nobody else uses
        // while the call lasts.
        let ended = unsafe { moves(context, context.state, pid, mode) };
        if ended == status::LEFT {
            self.leave(context);
        }
        ended == status::DONE
    }

    /// Notes that the interpreter has to do what compiled code began.
    #[cold]
    fn leave(&self, context: &mut Context) {
        self.left.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the context is that of the state which is expanded.
        unsafe { assistance::settle(context) };
    }

    /// Expands a state, with so much fuel for each successor.
    #[inline]
    fn expand_by(&self, state: &[u8], chosen: Chosen<'_>, fuel: u64, out: &mut Batch) {
        self.with(state, |context| {
            context.covered = out.covered_mut(self.statements).as_mut_ptr();
            context.batch = out;
            (context.fuel, context.walked) = (fuel, 0);
            if self.asks_itself {
                context.moved = out.len();
            }
            let movers = self.movers(state, context);
            match chosen {
                Chosen::All => self.expand_all(state, movers, context),
                Chosen::Process(process) => {
                    let pid = process.index() as u64;
                    if movers.contains(&pid) {
                        self.expand_all(state, pid..pid + 1, context);
                    }
                }
                Chosen::Steps(steps) => self.expand_steps(state, steps, context),
            }
            let walked = context.walked;
            context.out().walk(walked);
        });
    }

    fn expand_all(&self, state: &[u8], processes: std::ops::Range<u64>, context: &mut Context) {
        for pid in processes {
            let (from, walked) = (context.out().len(), context.walked);
            if !self.ask(context, pid, mode::FIRE) {
                context.undo(from, walked);
                self.interpret(state, Chosen::Process(ProcessId(pid as u16)), context);
            }
        }
    }

    /// Lets the interpreter expand.
    #[cold]
    pub(crate) fn interpret(&self, state: &[u8], chosen: Chosen<'_>, context: &mut Context) {
        self.interpreter.expand(state, chosen, context.out());
        context.moved = usize::MAX;
    }

    /// Lists the steps of a process.
    #[inline]
    fn list(&self, state: &[u8], pid: u64, context: &mut Context) {
        // SAFETY: the vector is the caller's, and nobody else uses it meanwhile.
        let from = unsafe { (*context.steps).len() };
        if !self.ask(context, pid, mode::LIST) {
            // SAFETY: as above; the slot is one of the table's.
            let (steps, process) = unsafe { (&mut *context.steps, *context.processes.add(pid as usize)) };
            steps.truncate(from);
            let at =
                ProcessAt { pid: pid as usize, frame: process.frame as usize, kind: process.kind as usize };
            Interpreter::enabled_of(&self.interpreter, state, at, steps);
        }
    }

    fn expand_steps(&self, state: &[u8], mut steps: &[Step], context: &mut Context) {
        let movers = self.movers(state, context);
        while let Some(first) = steps.first() {
            let of_process = steps.iter().take_while(|step| step.process == first.process).count();
            let (wanted, others) = steps.split_at(of_process);
            steps = others;
            let pid = first.process.index() as u64;
            if !movers.contains(&pid) {
                continue;
            }
            context.wanted = wanted;
            let (from, walked) = (context.out().len(), context.walked);
            if !self.ask(context, pid, mode::WANTED) || !context.wanted.is_empty() {
                context.undo(from, walked);
                self.interpret(state, Chosen::Steps(wanted), context);
            }
        }
    }
}

impl Context {
    /// The batch of an expansion.
    pub(crate) fn out(&mut self) -> &mut Batch {
        // SAFETY: an expansion sets it to the batch that it was given for its own time.
        unsafe { &mut *self.batch }
    }

    /// Forgets what a process has done, so that the interpreter can do it.
    #[cold]
    pub(crate) fn undo(&mut self, from: usize, walked: u64) {
        self.walked = walked;
        self.out().truncate(from);
    }
}

impl System for Compiled {
    fn remarks(&self) -> Vec<String> {
        self.interpreter.remarks()
    }

    fn initial(&self, out: &mut Batch) {
        self.interpreter.initial(out);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        self.expand_by(state, chosen, 0, out);
    }

    fn expand_through(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        match chosen {
            Chosen::All => self.expand_by(state, Chosen::All, FUEL, out),
            others => self.expand_by(state, others, FUEL, out),
        }
    }

    fn expand_several(
        &self,
        states: &[Vec<u8>],
        known: Option<Known<'_>>,
        out: &mut Batch,
        parts: &mut Vec<Part>,
        onward: &mut Vec<Elsewhere>,
    ) -> bool {
        self.expand_together(states, known, out, parts, onward)
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        self.with(state, |context| {
            context.steps = out;
            for pid in self.movers(state, context) {
                self.list(state, pid, context);
            }
        });
    }

    fn enabled_of(&self, state: &[u8], process: ProcessId, out: &mut Vec<Step>) {
        self.with(state, |context| {
            context.steps = out;
            let pid = process.index() as u64;
            if self.movers(state, context).contains(&pid) {
                self.list(state, pid, context);
            }
        });
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        self.interpreter.valid_end(state)
    }

    fn judge(&self, state: &[u8], out: &mut Batch) {
        self.interpreter.judge(state, out);
    }

    fn judges_states(&self) -> bool {
        self.interpreter.judges_states()
    }

    fn regions_end(&self) -> bool {
        self.interpreter.regions_end()
    }

    fn state_size(&self) -> Option<usize> {
        self.interpreter.state_size()
    }

    fn components(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        self.interpreter.components(state, out);
    }

    fn widths(&self, deciding: &[u8], out: &mut Vec<Width>) -> bool {
        self.interpreter.widths(deciding, out)
    }

    fn relations(&self) -> Option<&dyn Relations> {
        self.interpreter.relations()
    }

    fn relations_up_to_numbers(&self) -> Option<&dyn Relations> {
        self.interpreter.relations_up_to_numbers()
    }

    fn describe(&self) -> &dyn Describe {
        self.interpreter.describe()
    }
}
