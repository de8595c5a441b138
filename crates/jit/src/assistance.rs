//! The functions that compiled code calls: to begin and end successors, to create processes, to find partners
//! of handshakes, and to let the interpreter do what was not compiled.
//!
//! Every argument and result is a word, so that compiled code needs one signature for each number of arguments.
//!
//! # Safety
//!
//! All of these are called by compiled code only, with the context that [`super::system`] made. The context is
//! alive during the call, its pointers are those of buffers that nobody else uses meanwhile, and `state` is
//! either the state that is expanded or the draft at the end of the batch. No reference into the context lives across
//! a call of compiled code.

#[cfg(target_arch = "x86_64")]
mod wide;

use super::context::{Context, mode, status};
use mazurka_model::Step;
use mazurka_program::interpreter::ProcessAt;
use std::ptr;

/// The functions that compiled code can call.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Assistance {
    /// Whether a move is executed: [`admit`].
    Admit,
    /// Begins a successor: [`begin`].
    Begin,
    /// Ends a successor whose length has changed, or after which a process goes on alone: [`keep`].
    Keep,
    /// Drops the successor under construction: [`discard`].
    Discard,
    /// Forgets what the step has created: [`settle`].
    Settle,
    /// Whether a process can go on alone: [`can_move`].
    CanMove,
    /// Takes a process on through its atomic region: [`go_on`].
    GoOn,
    /// Whether nobody can move: [`idle`].
    Idle,
    /// Looks for partners: [`handshake`].
    Handshake,
    /// Begins to create a process: [`create`].
    Create,
    /// Enters a created process into the tables: [`enter`].
    Enter,
    /// Ends a process: [`exit`].
    Exit,
    /// Takes a message out of a channel: [`remove`].
    Remove,
    /// Lets the interpreter evaluate an expression: [`evaluate`].
    Evaluate,
    /// Lets the interpreter look at a first effect: [`begins`].
    Begins,
    /// Lets the interpreter execute an effect: [`perform`].
    Perform,
}

impl Assistance {
    /// Its address.
    pub fn address(self) -> i64 {
        let pointer = match self {
            Assistance::Admit => admit as *const (),
            Assistance::Begin => beginning(),
            Assistance::Keep => keep as *const (),
            Assistance::Discard => discard as *const (),
            Assistance::Settle => settle as *const (),
            Assistance::CanMove => can_move as *const (),
            Assistance::GoOn => go_on as *const (),
            Assistance::Idle => idle as *const (),
            Assistance::Handshake => handshake as *const (),
            Assistance::Create => create as *const (),
            Assistance::Enter => enter as *const (),
            Assistance::Exit => exit as *const (),
            Assistance::Remove => remove as *const (),
            Assistance::Evaluate => evaluate as *const (),
            Assistance::Begins => begins as *const (),
            Assistance::Perform => perform as *const (),
        };
        pointer as i64
    }
}

/// A move is not executed; compiled code goes on.
const PASS: u64 = 0;
/// A move is executed.
pub const ADMITTED: u64 = 1;

/// The answer of the interpreter: a fault.
pub const FAULT: u64 = 2;

/// What becomes of a move that can be executed, in any mode but [`mode::FIRE`].
unsafe extern "C" fn admit(context: *mut Context, pid: u64, code: u64, mode: u64) -> u64 {
    let context = unsafe { &mut *context };
    let step = Step::new(pid as u16, code as u32);
    match mode {
        mode::LIST => {
            unsafe { &mut *context.steps }.push(step);
            PASS
        }
        mode::WANTED => match unsafe { &*context.wanted } {
            [first, rest @ ..] if *first == step => {
                context.wanted = rest;
                ADMITTED
            }
            _ => PASS,
        },
        _ => status::STOPPED,
    }
}

/// The quickest of the functions that do the same as [`begin`].
fn beginning() -> *const () {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        return wide::begin_wider as *const ();
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        return wide::begin as *const ();
    }
    begin as *const ()
}

/// Begins a successor as a copy of the state; gives its bytes.
unsafe extern "C" fn begin(context: *mut Context, pid: u64, code: u64) -> *mut u8 {
    let context = unsafe { &mut *context };
    let (batch, state) =
        unsafe { (&mut *context.batch, std::slice::from_raw_parts(context.state, context.length)) };
    batch.begin(Step::new(pid as u16, code as u32), state).as_mut_ptr()
}

unsafe extern "C" fn keep(context: *mut Context, interior: u64) {
    unsafe { &mut *(*context).batch }.keep(interior != 0);
}

unsafe extern "C" fn discard(context: *mut Context) {
    unsafe {
        (*(*context).batch).discard();
        settle(context);
    }
}

/// Makes the tables stand for the state that is expanded again.
pub unsafe extern "C" fn settle(context: *mut Context) {
    let context = unsafe { &mut *context };
    if let Some(tables) = unsafe { context.tables.as_mut() } {
        tables.settle();
        context.count = tables.processes.len() as u64;
        context.channel_count = tables.channels.len() as u64;
    }
}

/// The length of what `state` points to.
unsafe fn length(context: *mut Context, state: *const u8) -> usize {
    unsafe {
        if ptr::eq(state, (*context).state) { (*context).length } else { (*(*context).batch).draft().len() }
    }
}

unsafe fn bytes<'a>(context: *mut Context, state: *const u8) -> &'a [u8] {
    unsafe { std::slice::from_raw_parts(state, length(context, state)) }
}

/// Where a process stands.
unsafe fn at(context: *mut Context, pid: usize) -> ProcessAt {
    let process = unsafe { *(*context).processes.add(pid) };
    ProcessAt { pid, frame: process.frame as usize, kind: process.kind as usize }
}

/// Whether a process has a move in `state`, `_timeout` being false.
unsafe fn moves(context: *mut Context, state: *const u8, pid: usize) -> bool {
    unsafe {
        let at = at(context, pid);
        let ended = match (&(*(*context).functions).moves)[at.kind] {
            Some(moves) => moves(context, state, pid as u64, mode::ANY),
            None => status::LEFT,
        };
        match ended {
            status::DONE => false,
            status::STOPPED => true,
            _ => (*(*context).interpreter).can_move(bytes(context, state), at, Some(false)),
        }
    }
}

/// Whether a process can go on alone in the draft.
unsafe extern "C" fn can_move(context: *mut Context, draft: *const u8, pid: u64) -> u64 {
    unsafe {
        let length = length(context, draft);
        let (state, whole) = ((*context).state, (*context).length);
        let (timeout, handshake) = ((*context).timeout, (*context).handshake);
        ((*context).state, (*context).length) = (draft, length);
        (*context).timeout = Some(false);
        let found = moves(context, draft, pid as usize);
        ((*context).state, (*context).length) = (state, whole);
        ((*context).timeout, (*context).handshake) = (timeout, handshake);
        found.into()
    }
}

/// Takes a process that arrived inside an atomic region on in the draft. How that ended: [`status::DONE`] if the process does not
/// go on alone, [`status::STOPPED`] if it does.
unsafe extern "C" fn go_on(context: *mut Context, draft: *const u8, pid: u64) -> u64 {
    unsafe {
        let kind = (*(*context).processes.add(pid as usize)).kind as usize;
        match (&(*(*context).functions).through)[kind] {
            Some(through) => through(context, draft, pid, (*context).fuel),
            None => status::LEFT,
        }
    }
}

/// Whether no process could move if nothing waited for that.
unsafe extern "C" fn idle(context: *mut Context, state: *const u8) -> u64 {
    unsafe {
        if let Some(known) = (*context).timeout {
            return known.into();
        }
        let expanded = ptr::eq(state, (*context).state);
        if expanded {
            if let Some(known) = (*context).idle {
                return known.into();
            }
            // What was executed so far did not wait for the answer.
            if (*context).moved != usize::MAX && (*(*context).batch).len() > (*context).moved {
                (*context).idle = Some(false);
                return false.into();
            }
        } else {
            // What is executed may depend on the answer now.
            (*context).moved = usize::MAX;
        }
        let handshake = (*context).handshake;
        (*context).timeout = Some(false);
        let count = (*context).count as usize;
        let found = (0..count).any(|pid| moves(context, state, pid));
        ((*context).timeout, (*context).handshake) = (None, handshake);
        if expanded {
            (*context).idle = Some(!found);
        }
        (!found).into()
    }
}

/// Offers the handshake of the context to all processes but the sender.
unsafe extern "C" fn handshake(context: *mut Context, state: *const u8, sender: u64, mode: u64) -> u64 {
    unsafe {
        (*context).handshake.found = 0;
        for pid in 0..(*context).count {
            let kind = (*(*context).processes.add(pid as usize)).kind as usize;
            let accept = (&(*(*context).functions).accept)[kind];
            if let (Some(accept), true) = (accept, pid != sender) {
                let ended = accept(context, state, pid, mode);
                if ended != status::DONE {
                    return ended;
                }
            }
        }
        if (*context).handshake.found != 0 { status::SHAKEN } else { status::DONE }
    }
}

/// Makes the draft longer by the frame of a new process. Gives the draft, which may have moved; null if there
/// are too many processes or channels, or claims have to be compared, which the interpreter does.
unsafe extern "C" fn create(context: *mut Context, kind: u64) -> *mut u8 {
    let context = unsafe { &mut *context };
    let (interpreter, batch) = unsafe { (&*context.interpreter, &mut *context.batch) };
    let frame = &interpreter.layout().frames[kind as usize];
    let channels = context.channel_count as usize + frame.channels.len();
    let too_many = !frame.channels.is_empty() && channels > interpreter.channel_limit();
    let full = context.count as usize >= interpreter.process_limit();
    if full || too_many || interpreter.compares_claims() {
        return ptr::null_mut();
    }
    let mut draft = batch.draft();
    context.created = draft.len() as u64;
    draft.extend(&frame.template);
    draft.as_mut_ptr()
}

/// Enters the process created last into the tables.
unsafe extern "C" fn enter(context: *mut Context, kind: u64) {
    let context = unsafe { &mut *context };
    let (layout, functions) = unsafe { ((*context.interpreter).layout(), &*context.functions) };
    let Some(tables) = (unsafe { context.tables.as_mut() }) else { return };
    tables.add(layout, functions, kind as usize, context.created as u32);
    (context.processes, context.count) = (tables.processes.as_ptr(), tables.processes.len() as u64);
    (context.channels, context.channel_count) = (tables.channels.as_ptr(), tables.channels.len() as u64);
}

/// Cuts the draft where the frame of the youngest process begins.
unsafe extern "C" fn exit(context: *mut Context, frame: u64) {
    unsafe { &mut *(*context).batch }.draft().truncate(frame as usize);
}

/// Takes message `found` of `length` out of a channel whose messages begin at `first`.
unsafe extern "C" fn remove(first: *mut u8, found: u64, length: u64, message: u64) {
    let (found, length, size) = (found as usize, length as usize, message as usize);
    let messages = unsafe { std::slice::from_raw_parts_mut(first, length * size) };
    messages.copy_within((found + 1) * size.., found * size);
    messages[(length - 1) * size..].fill(0);
}

fn unpack(pid: u64, frame: u64, what: u64) -> (ProcessAt, u32) {
    let kind = (what >> 32) as usize;
    (ProcessAt { pid: pid as usize, frame: frame as usize, kind }, what as u32)
}

fn answer(ready: Option<bool>) -> u64 {
    ready.map_or(FAULT, u64::from)
}

/// The value of an expression in the lower half; the upper half is not 0 for a fault.
unsafe extern "C" fn evaluate(
    context: *mut Context,
    state: *const u8,
    pid: u64,
    frame: u64,
    what: u64,
) -> u64 {
    let (at, node) = unpack(pid, frame, what);
    let value = unsafe {
        let (interpreter, timeout) = (&*(*context).interpreter, (*context).timeout);
        interpreter.evaluate(bytes(context, state), at, node, timeout)
    };
    value.map_or(1 << 32, |value| u64::from(value as u32))
}

unsafe extern "C" fn begins(context: *mut Context, state: *const u8, pid: u64, frame: u64, what: u64) -> u64 {
    let (at, transition) = unpack(pid, frame, what);
    unsafe {
        let (interpreter, timeout) = (&*(*context).interpreter, (*context).timeout);
        answer(interpreter.begins(bytes(context, state), at, transition as usize, timeout))
    }
}

unsafe extern "C" fn perform(context: *mut Context, pid: u64, frame: u64, what: u64) -> u64 {
    let (at, effect) = unpack(pid, frame, what);
    unsafe {
        let (interpreter, timeout) = (&*(*context).interpreter, (*context).timeout);
        let mut draft = (*(*context).batch).draft();
        answer(interpreter.perform(&mut draft, at, effect as usize, timeout))
    }
}
