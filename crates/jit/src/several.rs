//! Several states expanded together: one process after the other moves in all of them.
//!
//! States that a search opens together are mostly alike: a process stands at the same location in many of them, and can do the same there. So
//! the processor foresees what compiled code does for a process if it has just done it in the state before, which it can't if the other processes
//! come in between. The successors are put into the order of the states at the end.
//!
//! Whatever is not as usual is left to the expansion of one state after the other: a step that goes wrong, a region that is not left at
//! once, and states inside one. In programs that ask whether nobody can move, the answer to which is kept for one
//! state at a time, one state after the other is expanded here, too.
//!
//! If that is asked for, steps that are met [elsewhere](Elsewhere) are left out, and it is found out for each successor which are, by whose next moves
//! [commute](Commuting) with those of who has moved.

use crate::context::{Desk, mode};
use crate::system::{Compiled, DESK, FUEL};
use mazurka_model::{Batch, Chosen, Elsewhere, Known, Part, ProcessId, Rank};
use mazurka_program::interpreter::{Commuting, Touched};

/// The most states: owners of successors are bytes.
const MOST: usize = u8::MAX as usize;

/// What is kept of states while they are expanded.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The owners of successors, and where those of each end.
    owners: Vec<u8>,
    ends: Vec<usize>,
    /// The steps of each state.
    steps: Vec<Elsewhere>,
    /// What its processes touch: of each process in all states.
    touched: Vec<Touched>,
}

impl Compiled {
    /// Does what [`System::expand_several`](mazurka_model::System::expand_several) says.
    pub(crate) fn expand_together(
        &self,
        states: &[Vec<u8>],
        known: Option<Known<'_>>,
        out: &mut Batch,
        parts: &mut Vec<Part>,
        onward: &mut Vec<Elsewhere>,
    ) -> bool {
        let exclusive = self.interpreter.layout().exclusive;
        let alone = |state: &Vec<u8>| exclusive.read(state, 0) != 0;
        if states.len() > MOST || out.has_interior() || states.iter().any(alone) {
            return false;
        }
        let commuting = known.and_then(|known| Some((known, self.interpreter.commuting()?)));
        let (from, violations, first) = (out.len(), out.violations().len(), parts.len());
        DESK.with_borrow_mut(|desk| {
            let mut scratch = std::mem::take(&mut desk.scratch);
            let mut done = 0;
            while done < states.len() {
                let rest = &states[done..];
                let known = commuting.map_or(&[][..], |(known, _)| &known.of[done..]);
                let alike = self.expand_alike(desk, &mut scratch, rest, known, out, parts);
                if out.violations().len() > violations || out.has_interior() {
                    break;
                }
                if let Some((known, commuting)) = commuting {
                    scratch.look_onward(commuting, known.rank, desk, &rest[..alike], out, onward);
                }
                done += alike;
            }
            desk.scratch = scratch;
            if done < states.len() {
                out.truncate(from);
                out.truncate_violations(violations);
                parts.truncate(first);
                onward.clear();
            }
            done == states.len()
        })
    }

    /// Expands as many of the first states as have the same processes, and says how many.
    fn expand_alike(
        &self,
        desk: &mut Desk,
        scratch: &mut Scratch,
        states: &[Vec<u8>],
        known: &[Elsewhere],
        out: &mut Batch,
        parts: &mut Vec<Part>,
    ) -> usize {
        let Scratch { owners, ends, steps, .. } = scratch;
        let (from, first) = (out.len(), parts.len());
        let functions = &self.code.functions;
        let (context, alike) = desk.context_of_all(self.number, &self.interpreter, functions, states);
        let states = &states[..alike];
        owners.clear();
        steps.clear();
        steps.extend(known.iter().take(alike));
        parts.resize(first + alike, Part { end: from, walked: 0 });
        parts[first..].iter_mut().zip(known).for_each(|(part, known)| part.walked = known.walked());
        context.covered = out.covered_mut(self.statements).as_mut_ptr();
        context.batch = out;
        context.fuel = FUEL;
        // State after state where a process asks about others, else process after process.
        let by_state = self.asks_for_rest;
        let processes = context.count as usize;
        let (rounds, turns) = if by_state { (alike, processes) } else { (processes, alike) };
        for round in 0..rounds {
            if by_state {
                // What is met elsewhere waits for nobody.
                context.idle = known.get(round).filter(|known| known.steps() > 0).map(|_| false);
                context.moved = if self.asks_itself { context.out().len() } else { usize::MAX };
            }
            for turn in 0..turns {
                let (member, pid) = if by_state { (round, turn) } else { (turn, round) };
                let (state, process) = (&states[member], ProcessId(pid as u16));
                context.turn_to(state);
                if known.get(member).is_some_and(|known| known.has(process)) {
                    continue;
                }
                context.walked = 0;
                let begun = context.out().len();
                if !self.ask(context, pid as u64, mode::FIRE) {
                    context.undo(begun, 0);
                    self.interpret(state, Chosen::Process(process), context);
                }
                let ended = context.out().len();
                parts[first + member].walked += context.walked;
                owners.resize(ended - from, member as u8);
                if let Some(steps) = steps.get_mut(member) {
                    *steps = steps.with(process, ended - begun, context.walked);
                }
            }
        }
        ends.resize(alike, 0);
        context.out().group(from, owners, ends);
        parts[first..].iter_mut().zip(&*ends).for_each(|(part, end)| part.end = *end);
        alike
    }
}

impl Scratch {
    /// Appends what is met elsewhere behind each successor of the states that were expanded last.
    fn look_onward(
        &mut self,
        commuting: &Commuting,
        rank: Rank,
        desk: &Desk,
        states: &[Vec<u8>],
        out: &Batch,
        onward: &mut Vec<Elsewhere>,
    ) {
        self.touched.clear();
        let processes = desk.processes();
        let processes = &processes[..processes.len().min(Elsewhere::PROCESSES)];
        for (slot, process) in processes.iter().enumerate() {
            let (kind, frame) = (process.kind as usize, process.frame as usize);
            self.touched.extend(states.iter().map(|state| commuting.touched(state, slot, kind, frame)));
        }
        let mut begin = out.len() - self.owners.len();
        for (member, (steps, end)) in self.steps.iter().zip(&self.ends).enumerate() {
            let touched = |slot: usize| self.touched[slot * states.len() + member];
            let (mut last, mut found) = (ProcessId(u16::MAX), Elsewhere::NONE);
            for successor in &out.successors()[begin..*end] {
                if successor.step.process != last {
                    last = successor.step.process;
                    found = behind(last, *steps, touched, processes.len(), rank);
                }
                onward.push(found);
            }
            begin = *end;
        }
    }
}

/// What is met elsewhere behind a step of a process, if so many steps of each are known and this is what each touches: the steps of all processes that rank behind it
/// and whose moves commute with its own.
#[inline]
fn behind(
    process: ProcessId,
    steps: Elsewhere,
    touched: impl Fn(usize) -> Touched,
    count: usize,
    rank: Rank,
) -> Elsewhere {
    let index = process.index();
    if index >= count {
        return Elsewhere::NONE;
    }
    let own = touched(index);
    let others = match rank {
        Rank::Ascending => index + 1..count,
        Rank::Descending => 0..index,
    };
    let mut processes = 0u16;
    for other in others {
        processes |= u16::from(own.commutes(touched(other))) << other;
    }
    steps.of(processes)
}
