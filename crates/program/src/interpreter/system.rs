//! The interpreter as a [`System`].

use super::Interpreter;
use super::execute::Flow;
use super::fault::{Fault, FaultAt};
use super::machine::{Machine, ProcessAt};
use super::moves::Move;
use super::widths::Widths;
use mazurka_model::{Batch, Chosen, Describe, ProcessId, Relations, Step, System, ViolationKind, Width};
use std::ops::ControlFlow;

impl Machine {
    /// Executes a move into the batch.
    fn fire(&self, state: &[u8], moved: &Move, out: &mut Batch) {
        let step = moved.step();
        if let Some(fault) = moved.fault {
            out.violate(step, ViolationKind::Fault, fault.place());
            return;
        }
        let mut failed = Vec::new();
        out.begin(step, state);
        let ended = self.execute(state, moved, out, &mut failed);
        if let Ok((Flow::Blocked, _) | (_, Flow::Blocked)) = ended {
            return out.discard();
        }
        self.cover(moved.transition, out);
        if let Some((_, accepting)) = moved.partner {
            self.cover(accepting, out);
        }
        for place in failed {
            out.violate(step, ViolationKind::Assertion, place);
        }
        match ended {
            Err(fault) => {
                out.discard();
                out.violate(step, ViolationKind::Fault, fault.place());
            }
            Ok((mine, theirs)) => {
                // After a handshake, the receiver's transition says who goes on.
                let (at, flow, index) = match moved.partner {
                    Some((at, accepting)) => (at, theirs, accepting),
                    None => (moved.at, mine, moved.transition),
                };
                match self.settle_exclusive(out, at, flow, index) {
                    Some(interior) => out.keep(interior),
                    None => {
                        // What blocks is what would have come next.
                        let next = self.location(&out.draft(), at).transitions.indices().next();
                        let site = self.code.transitions[next.unwrap_or(index)].site;
                        out.discard();
                        let fault = FaultAt { site, fault: Fault::Blocked };
                        out.violate(step, ViolationKind::Fault, fault.place());
                    }
                }
            }
        }
    }

    /// Notes that the statement of a transition was executed.
    fn cover(&self, transition: usize, out: &mut Batch) {
        let number = self.code.transitions[transition].number;
        out.cover(self.code.statements[number as usize]);
    }

    /// Decides whether a process goes on alone after a transition: if the transition holds and the
    /// process can move. `None` if it can't but must.
    fn settle_exclusive(&self, out: &mut Batch, at: ProcessAt, flow: Flow, index: usize) -> Option<bool> {
        let exclusive = self.layout.exclusive;
        if exclusive.width == 0 {
            return Some(false);
        }
        let mut draft = out.draft();
        exclusive.write(&mut draft, 0, 0);
        if flow != Flow::Done || !self.code.transitions[index].atomic {
            return Some(false);
        }
        // What waits for the others to stop doesn't go on alone.
        if self.with_timeout(false, || self.can_move(&draft, at) && !self.outranked(&draft, at)) {
            exclusive.write(&mut draft, 0, at.pid + 1);
            return Some(true);
        }
        if self.location(&draft, at).committed { None } else { Some(false) }
    }

    /// Passes the processes that may move in `state`, by slot.
    #[inline]
    fn movers<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = ProcessAt> + 'a {
        let exclusive = self.exclusive(state);
        self.processes(state)
            .filter(move |at| exclusive.is_none_or(|pid| pid == at.pid))
            .filter(|at| !self.outranked(state, *at))
    }
}

impl System for Interpreter {
    fn remarks(&self) -> Vec<String> {
        self.doubts()
    }

    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &self.machine.layout.initial);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let machine = &self.machine;
        let fire = |at| {
            let _ = machine.moves(state, at, &mut |found| {
                machine.fire(state, &found, out);
                ControlFlow::Continue(())
            });
        };
        let may_move = |pid| {
            let at = machine.process(state, pid)?;
            let alone = machine.exclusive(state).is_none_or(|exclusive| exclusive == pid);
            (alone && !machine.outranked(state, at)).then_some(at)
        };
        match chosen {
            Chosen::All => machine.movers(state).for_each(fire),
            Chosen::Process(process) => {
                may_move(process.index()).into_iter().for_each(fire);
            }
            Chosen::Steps(steps) => {
                for step in steps {
                    if let Some(at) = may_move(step.process.index()) {
                        machine.single(state, at, step.code, &mut |found| machine.fire(state, &found, out));
                    }
                }
            }
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let machine = &self.machine;
        for at in machine.movers(state) {
            let _ = machine.moves(state, at, &mut |found| {
                if machine.is_executable(state, &found) {
                    out.push(found.step());
                }
                ControlFlow::Continue(())
            });
        }
    }

    fn enabled_of(&self, state: &[u8], process: ProcessId, out: &mut Vec<Step>) {
        let mover = self.machine.movers(state).find(|at| at.pid == process.index());
        if let Some(at) = mover {
            Interpreter::enabled_of(self, state, at, out);
        }
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        self.machine.processes(state).all(|at| self.machine.location(state, at).end)
    }

    fn judge(&self, state: &[u8], out: &mut Batch) {
        if let Some(receptions) = &self.receptions {
            self.machine.unspecified_receptions(receptions, state, |found| {
                out.violate(Step::default(), ViolationKind::Reception, found.place);
            });
        }
    }

    fn judges_states(&self) -> bool {
        self.receptions.is_some()
    }

    fn regions_end(&self) -> bool {
        self.program.regions_end()
    }

    fn state_size(&self) -> Option<usize> {
        self.machine.layout.fixed.as_ref().map(|_| self.machine.layout.initial.len())
    }

    fn components(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        self.machine.components(state, out);
    }

    fn widths(&self, deciding: &[u8], out: &mut Vec<Width>) -> bool {
        let widths = self.widths.get_or_init(|| Widths::new(&self.program, &self.machine.layout));
        widths.follow(deciding, out);
        true
    }

    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }

    fn relations_up_to_numbers(&self) -> Option<&dyn Relations> {
        Some(self.unnumbered().unwrap_or(self))
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}
