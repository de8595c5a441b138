//! Dead-variable resets: a local that nothing reads before it is stored in again gets its initial value.
//!
//! States that differ in such a variable only behave alike, and with the reset they are one state. It is the classic
//! backward analysis of live variables over the locations of each process type. A variable is read by guards, effects,
//! what is printed, and by whoever looks into the process from outside: another process or a property that mentions it
//! keeps it alive everywhere. Only variables are reset, not arrays, whose elements are stored in one by one. Where a
//! variable has died is not known from the state alone (what a process begins with stays, and senders of handshakes
//! reset nothing), so that there are fewer states as a rule, yet not by necessity.

use super::outside::Outside;
use crate::ir::{Effect, Expression, LocalId, ProcessType, Program, Target, Transition, VariableRef};
use std::cell::RefCell;

/// Locals as bits.
#[derive(Clone, PartialEq, Eq)]
struct Locals(Vec<bool>);

impl Locals {
    fn read(&mut self, expression: &Expression) {
        let found = RefCell::new(&mut self.0);
        expression.any(&|part| {
            if let Expression::Variable(VariableRef::Local(id))
            | Expression::Element(VariableRef::Local(id), _) = part
            {
                found.borrow_mut()[id.index()] = true;
            }
            false
        });
    }

    /// A variable is stored in, so what it held before is not needed. Of an array other elements are.
    fn store(&mut self, target: &Target) {
        if let Target::Variable(VariableRef::Local(id)) = target {
            self.0[id.index()] = false;
        }
    }
}

/// What is needed before a transition, from what is needed behind it.
fn before(transition: &Transition, mut live: Locals) -> Locals {
    for effect in transition.effects.iter().rev() {
        if let Effect::Exit = effect {
            live.0.fill(false);
        }
        effect.for_each_part(&mut |_| {}, &mut |target| live.store(target));
        effect.for_each_part(&mut |expression| live.read(expression), &mut |_| {});
    }
    transition.guard.iter().for_each(|condition| live.read(condition));
    live
}

/// For each location, the locals that are needed there.
fn live(process: &ProcessType, always: &Locals) -> Vec<Locals> {
    let mut live = vec![always.clone(); process.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        // Programs mostly go forward, so the last transitions come first.
        for transition in process.transitions.iter().rev() {
            let needed = before(transition, live[transition.to.index()].clone());
            let here = &mut live[transition.from.index()].0;
            for (here, needed) in here.iter_mut().zip(needed.0) {
                changed |= needed && !*here;
                *here |= needed;
            }
        }
    }
    live
}

/// The locals that a transition stores in.
fn stored(transition: &Transition) -> Vec<LocalId> {
    let mut stored = Vec::new();
    for effect in &transition.effects {
        effect.for_each_part(&mut |_| {}, &mut |target| {
            if let VariableRef::Local(id) = target.variable() {
                stored.push(id);
            }
        });
    }
    stored
}

impl Program {
    /// Lets every transition reset the locals that are not needed behind it. How many resets there are.
    pub fn reset_dead_variables(&mut self) -> usize {
        let outside = Outside::of(self);
        let handshakes = self.may_shake_hands();
        let mut resets = 0;
        for (process, always) in self.types.iter_mut().zip(outside.locals) {
            let live = live(process, &Locals(always));
            let ProcessType { transitions, locals, .. } = process;
            for transition in transitions {
                transition.resets.clear();
                // The sender's side of a handshake is left as it is: its receiver executes it.
                let sends = matches!(transition.effects.first(), Some(Effect::Send { .. }));
                if (sends && handshakes) || transition.effects.contains(&Effect::Exit) {
                    continue;
                }
                let (from, to) = (&live[transition.from.index()].0, &live[transition.to.index()].0);
                let stored = stored(transition);
                let dies = |id: &LocalId| {
                    let index = id.index();
                    locals[index].length.is_none() && !to[index] && (from[index] || stored.contains(id))
                };
                transition.resets = (0..locals.len() as u32).map(LocalId).filter(dies).collect();
                resets += transition.resets.len();
            }
        }
        resets
    }
}

#[cfg(test)]
mod tests {
    use crate::text;

    fn resets(source: &str) -> Vec<Vec<u32>> {
        let mut program = text::parse("p.mzk", source).program.expect("valid");
        program.reset_dead_variables();
        program.types[0].transitions.iter().map(|t| t.resets.iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn what_is_not_read_again_is_reset() {
        let source = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  local b: byte\n  \
                      one -> two do a = 1; b = 2\n  two -> three do g = a\n  three -> four do a = 3\n  \
                      four -> one when a == 3 do g = 1\n}\nstart P()\n";
        // `b` is never read; `a` is, at two and four.
        assert_eq!(resets(source), [vec![1], vec![0], vec![], vec![0]]);
    }

    #[test]
    fn a_variable_that_another_way_reads_is_kept() {
        let source = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  local c: byte[2]\n  \
                      one -> two do a = 1; c[0] = 1\n  two -> two do g = 1\n  two -> three do g = a\n  \
                      three -> three do g = g + 1\n}\nstart P()\n";
        assert_eq!(resets(source), [vec![], vec![], vec![0], vec![]]);
    }
}
