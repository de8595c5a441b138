//! Several states expanded together: one process after the other moves in all of them.
//!
//! States that a search opens together are mostly alike: a process stands at the same location in many of them, and can do the same there. So
//! the processor foresees what compiled code does for a process if it has just done it in the state before, which it can't if the other processes
//! come in between. The successors are put into the order of the states at the end.
//!
//! Whatever is not as usual is left to the expansion of one state after the other: a step that goes wrong, a region that is not left at
//! once, states with different processes, and programs that ask whether nobody can move, the answer to which is kept for one
//! state at a time.

use crate::context::mode;
use crate::system::{Compiled, DESK, FUEL};
use mazurka_model::{Batch, Chosen, Part, ProcessId};

/// The most states: owners of successors are bytes.
const MOST: usize = u8::MAX as usize;

impl Compiled {
    /// Does what [`System::expand_several`](mazurka_model::System::expand_several) says.
    pub(crate) fn expand_together(&self, states: &[Vec<u8>], out: &mut Batch, parts: &mut Vec<Part>) -> bool {
        let exclusive = self.interpreter.layout().exclusive;
        let alone = |state: &Vec<u8>| exclusive.read(state, 0) != 0;
        if self.asks_for_rest || states.len() > MOST || out.has_interior() || states.iter().any(alone) {
            return false;
        }
        let (from, violations, first) = (out.len(), out.violations().len(), parts.len());
        DESK.with_borrow_mut(|desk| {
            let (mut owners, mut ends) = std::mem::take(&mut desk.owners);
            let functions = &self.code.functions;
            let Some(context) = desk.context_of_all(self.number, &self.interpreter, functions, states) else {
                desk.owners = (owners, ends);
                return false;
            };
            owners.clear();
            parts.resize(first + states.len(), Part { end: from, walked: 0 });
            context.covered = out.covered_mut(self.statements).as_mut_ptr();
            context.batch = out;
            context.fuel = FUEL;
            for pid in 0..context.count {
                for (member, state) in states.iter().enumerate() {
                    (context.state, context.length) = (state.as_ptr(), state.len());
                    context.walked = 0;
                    let begun = context.out().len();
                    if !self.ask(context, pid, mode::FIRE) {
                        context.undo(begun, 0);
                        self.interpret(state, Chosen::Process(ProcessId(pid as u16)), context);
                    }
                    parts[first + member].walked += context.walked;
                    owners.resize(context.out().len() - from, member as u8);
                }
            }
            let out = context.out();
            let usual = out.violations().len() == violations && !out.has_interior();
            if usual {
                ends.resize(states.len(), 0);
                out.group(from, &owners, &mut ends);
                parts[first..].iter_mut().zip(&ends).for_each(|(part, end)| part.end = *end);
            } else {
                out.truncate(from);
                out.truncate_violations(violations);
                parts.truncate(first);
            }
            desk.owners = (owners, ends);
            usual
        })
    }
}
