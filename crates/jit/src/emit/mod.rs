//! From the code of a program to Cranelift's.
//!
//! One function for each process type holds the moves of all its locations, a second one the handshakes
//! that it accepts, and a third one the way through its atomic regions (`through`). The first two evaluate guards in the state that is expanded and execute effects in a draft. What
//! does not happen in a sound model (a fault, a false assertion), and what was not worth compiling, ends
//! the function with [`status::LEFT`]: the interpreter then does the whole process again. So
//! compiled code never has to tell what is wrong, and can't tell it differently.

mod accept;
mod channel;
mod effect;
mod expression;
mod moves;
mod settle;
mod through;

use crate::assistance::{ADMITTED, Assistance};
use crate::context::{Context, PROCESS_SHIFT, Process, status};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Endianness, InstBuilder, JumpTableData, MemFlagsData, SigRef, Signature,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::FunctionBuilder;
use mazurka_program::Interpreter;
use mazurka_program::interpreter::code::{Code, EffectCode, Node, TransitionCode};
use mazurka_program::interpreter::layout::{Layout, Word};
use std::mem::offset_of;
pub(crate) use through::inside;

/// Numbers in a state are little-endian and not aligned; where they are has been checked.
pub(crate) const STATE: MemFlagsData = MemFlagsData::new().with_notrap().with_endianness(Endianness::Little);
/// The context is in the order of the machine.
pub(crate) const NATIVE: MemFlagsData = MemFlagsData::trusted();

/// The signature of compiled functions and of the functions they call: words in, at most one word out.
pub(crate) fn signature(convention: CallConv, arguments: usize, returns: bool) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = vec![AbiParam::new(types::I64); arguments];
    signature.returns = vec![AbiParam::new(types::I64); usize::from(returns)];
    signature
}

/// A state as one process sees it.
#[derive(Copy, Clone)]
struct View {
    /// Where the state begins.
    state: Value,
    /// The frame of the process, from there.
    frame: Value,
    /// Where the frame begins.
    own: Value,
    /// The slot of the process.
    pid: Value,
    /// Its type.
    kind: usize,
}

/// Writes one function.
pub(crate) struct Emitter<'a> {
    pub(crate) builder: FunctionBuilder<'a>,
    interpreter: &'a Interpreter,
    layout: &'a Layout,
    code: &'a Code,
    target: TargetFrontendConfig,
    /// By number of arguments and whether there is a result.
    signatures: [[Option<SigRef>; 2]; 6],
    context: Value,
    state: Value,
    mode: Value,
    /// Whether there is a function that goes on through the regions of the type.
    goes_on: bool,
    /// Whether some expression asks if nobody can move: the answer for a draft is not that for the state.
    asks_for_rest: bool,
    /// The end with [`status::LEFT`].
    left: Block,
    /// The end with [`status::STOPPED`].
    stopped: Block,
    /// The end with [`status::DONE`].
    done: Block,
}

/// Whether some expression asks if nobody can move.
pub(crate) fn asks_for_rest(code: &Code) -> bool {
    code.nodes.iter().any(|node| matches!(node, Node::Timeout))
}

/// Whether a process that stands at a location can move, whatever the state.
fn always_moves(code: &Code, kind: usize, location: usize) -> bool {
    let certain = |transition: &TransitionCode| {
        let holds = |&node: &u32| matches!(code.nodes[node as usize], Node::Constant(value) if value != 0);
        let first = code.effects[transition.effects.indices()].first();
        !transition.trial
            && code.roots[transition.guard.indices()].iter().all(holds)
            && matches!(
                first,
                None | Some(
                    EffectCode::Assign { .. }
                        | EffectCode::Run { .. }
                        | EffectCode::Assert(_)
                        | EffectCode::Print(_)
                )
            )
    };
    code.transitions[code.locations[kind][location].transitions.indices()].iter().any(certain)
}

impl<'a> Emitter<'a> {
    /// Begins a function.
    pub(crate) fn new(
        mut builder: FunctionBuilder<'a>,
        interpreter: &'a Interpreter,
        target: TargetFrontendConfig,
        goes_on: bool,
    ) -> Emitter<'a> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let [context, state, _, mode] = *builder.block_params(entry) else {
            unreachable!("the signature has four parameters");
        };
        let [left, stopped, done] = [(); 3].map(|()| builder.create_block());
        builder.set_cold_block(left);
        Emitter {
            builder,
            interpreter,
            layout: interpreter.layout(),
            code: interpreter.code(),
            target,
            signatures: [[None; 2]; 6],
            context,
            state,
            mode,
            goes_on,
            asks_for_rest: asks_for_rest(interpreter.code()),
            left,
            stopped,
            done,
        }
    }

    /// Where the first effect of a transition is evaluated: in the state, of which the draft is a copy. What has just been
    /// written in large pieces can't be read at once in other ones.
    fn first_seen(&self, before: View, draft: View) -> View {
        if self.asks_for_rest { draft } else { before }
    }

    /// Ends the function.
    pub(crate) fn finish(mut self) {
        // Only now: the block that is filled first is where the function is entered.
        let ends = [(self.left, status::LEFT), (self.stopped, status::STOPPED), (self.done, status::DONE)];
        for (block, status) in ends {
            self.builder.switch_to_block(block);
            let status = self.word(status as i64);
            self.builder.ins().return_(&[status]);
        }
        self.builder.seal_all_blocks();
        self.builder.finalize(self.target);
    }

    /// The process that the function is about, in the state that is expanded.
    fn mover(&mut self, kind: usize) -> View {
        let entry = self.builder.current_block().expect("a block is open");
        let pid = self.builder.block_params(entry)[2];
        let frame = self.process_field(pid, offset_of!(Process, frame));
        let state = self.state;
        let own = self.builder.ins().iadd(state, frame);
        View { state, frame, own, pid, kind }
    }

    /// The same process in a draft.
    fn in_draft(&mut self, view: View, draft: Value) -> View {
        let own = self.builder.ins().iadd(draft, view.frame);
        View { state: draft, own, ..view }
    }

    fn process_field(&mut self, pid: Value, field: usize) -> Value {
        let table = self.context_word(offset_of!(Context, processes));
        let entry = self.builder.ins().ishl_imm_s(pid, PROCESS_SHIFT);
        let entry = self.builder.ins().iadd(table, entry);
        self.builder.ins().uload32(NATIVE, entry, field as i32)
    }

    /// Jumps to the block of the location at which a process stands, to `others` if it has none.
    fn switch_on_location(&mut self, view: View, blocks: &[Option<Block>], others: Block) {
        let location = self.layout.frames[view.kind].location;
        let location = self.read_word(location, view.own);
        let targets: Vec<_> = blocks
            .iter()
            .map(|block| self.builder.func.dfg.block_call(block.unwrap_or(others), &[] as &[BlockArg]))
            .collect();
        let default = self.builder.func.dfg.block_call(others, &[] as &[BlockArg]);
        let table = self.builder.create_jump_table(JumpTableData::new(default, &targets));
        let location = self.builder.ins().ireduce(types::I32, location);
        self.builder.ins().br_table(location, table);
    }

    fn word(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(types::I64, value)
    }

    fn int(&mut self, value: i32) -> Value {
        self.builder.ins().iconst(types::I32, i64::from(value))
    }

    /// A value of 32 bits as a word without sign.
    fn extend(&mut self, value: Value) -> Value {
        self.builder.ins().uextend(types::I64, value)
    }

    fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    fn cold(&mut self) -> Block {
        let block = self.block();
        self.builder.set_cold_block(block);
        block
    }

    fn jump(&mut self, block: Block) {
        self.builder.ins().jump(block, &[]);
    }

    fn jump_with(&mut self, block: Block, value: Value) {
        self.builder.ins().jump(block, &[BlockArg::Value(value)]);
    }

    fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.builder.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Goes on only if the condition holds, else to `no`.
    fn demand(&mut self, condition: Value, no: Block) {
        let yes = self.block();
        self.branch(condition, yes, no);
        self.builder.switch_to_block(yes);
    }

    /// Goes on with a value that the branches of `emit` jump to the given block with.
    fn merge(&mut self, emit: impl FnOnce(&mut Self, Block)) -> Value {
        let block = self.block();
        let value = self.builder.append_block_param(block, types::I32);
        emit(self, block);
        self.builder.switch_to_block(block);
        value
    }

    fn context_word(&mut self, offset: usize) -> Value {
        self.builder.ins().load(types::I64, NATIVE, self.context, offset as i32)
    }

    fn call(&mut self, function: Assistance, arguments: &[Value], returns: bool) -> Option<Value> {
        let cached = self.signatures[arguments.len()][usize::from(returns)];
        let signature = cached.unwrap_or_else(|| {
            let signature = signature(self.target.default_call_conv, arguments.len(), returns);
            self.builder.import_signature(signature)
        });
        self.signatures[arguments.len()][usize::from(returns)] = Some(signature);
        let address = self.word(function.address());
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call).first().copied()
    }

    /// Calls a function that returns something.
    fn ask(&mut self, function: Assistance, arguments: &[Value]) -> Value {
        self.call(function, arguments, true).expect("the signature has a result")
    }

    /// Calls a function that returns nothing.
    fn tell(&mut self, function: Assistance, arguments: &[Value]) {
        self.call(function, arguments, false);
    }

    /// Reads a number of 0, 1 or 2 bytes, as a word.
    fn read_word(&mut self, word: Word, base: Value) -> Value {
        match word.width {
            0 => self.word(0),
            1 => self.builder.ins().uload8(types::I64, STATE, base, word.offset as i32),
            _ => self.builder.ins().uload16(types::I64, STATE, base, word.offset as i32),
        }
    }

    /// Writes a word into a number of 0, 1 or 2 bytes.
    fn write_word(&mut self, word: Word, base: Value, value: Value) {
        match word.width {
            0 => {}
            1 => {
                self.builder.ins().istore8(STATE, value, base, word.offset as i32);
            }
            _ => {
                self.builder.ins().istore16(STATE, value, base, word.offset as i32);
            }
        }
    }

    /// How many processes there are in a state, as a word.
    fn count(&mut self, state: Value) -> Value {
        match &self.layout.fixed {
            Some(fixed) => self.word(fixed.len() as i64),
            None => self.read_word(self.layout.count, state),
        }
    }

    /// Decides by the mode what becomes of a move that can be executed: goes on if it is executed, to `passed`
    /// if it is not. What is known only once it has been executed is left to the interpreter.
    fn admit(&mut self, pid: Value, code: Value, trial: bool, passed: Block) {
        let (fire, asked) = (self.block(), self.cold());
        self.branch(self.mode, asked, fire);
        self.builder.switch_to_block(asked);
        if trial {
            self.jump(self.left);
        } else {
            let answer = self.ask(Assistance::Admit, &[self.context, pid, code, self.mode]);
            let admitted = self.builder.ins().icmp_imm_s(IntCC::Equal, answer, ADMITTED as i64);
            let other = self.cold();
            self.branch(admitted, fire, other);
            self.builder.switch_to_block(other);
            self.branch(answer, self.stopped, passed);
        }
        self.builder.switch_to_block(fire);
    }

    /// Begins a successor; gives the draft.
    fn begin(&mut self, pid: Value, code: Value) -> Value {
        self.ask(Assistance::Begin, &[self.context, pid, code])
    }

    /// Notes that a statement was executed.
    fn cover(&mut self, statement: Value) {
        let covered = self.context_word(offset_of!(Context, covered));
        let place = self.builder.ins().iadd(covered, statement);
        let one = self.word(1);
        self.builder.ins().istore8(NATIVE, one, place, 0);
    }

    fn statement(&self, transition: &TransitionCode) -> i64 {
        self.code.statements[transition.number as usize].into()
    }
}
