//! Conditions on a program's states as the [atoms](Atoms) of temporal properties.

use super::Interpreter;
use super::code::NodeId;
use super::compile::compile_expression;
use super::evaluate::View;
use super::machine::{Machine, ProcessAt};
use super::others;
use crate::ir::Expression;
use crate::text;
use mazurka_model::{Access, Atoms};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A condition on states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// An expression over globals, channels, objects and remote references is other than 0. Where it
    /// can't be computed the condition does not hold.
    Expression(Expression),
    /// Some process stands at a location that is marked as accepting.
    Accepting,
}

#[derive(Clone, Debug)]
enum Compiled {
    Expression(NodeId),
    Accepting,
}

/// Conditions made ready by [`Interpreter::conditions`].
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    compiled: Vec<Compiled>,
    /// What each looks at, if that is objects only.
    looks: Vec<Option<Vec<Access>>>,
    /// How they are written.
    texts: Vec<String>,
    /// Those that could not be computed somewhere, as bits.
    undefined: Arc<AtomicU64>,
}

/// Conditions over the states of a program.
#[derive(Copy, Clone, Debug)]
pub struct ProgramAtoms<'a> {
    interpreter: &'a Interpreter,
    conditions: &'a Conditions,
}

impl Interpreter {
    /// Prepares conditions that a stated property of the program is made of.
    pub fn conditions(&mut self, conditions: &[Condition]) -> Conditions {
        let mut prepared = Conditions::default();
        for condition in conditions {
            let mut looks = Vec::new();
            let known = match condition {
                Condition::Expression(expression) => {
                    prepared.texts.push(text::print_expression(&self.program, None, expression));
                    let Machine { layout, code, .. } = &mut self.machine;
                    let node = compile_expression(&self.program, layout, code, None, expression);
                    prepared.compiled.push(Compiled::Expression(node));
                    self.analysis.looks(&self.program, expression, &mut looks)
                }
                Condition::Accepting => {
                    prepared.texts.push("accept".to_owned());
                    prepared.compiled.push(Compiled::Accepting);
                    self.analysis.looks_at_marked(&self.program, &|location| location.accept, &mut looks)
                }
            };
            prepared.looks.push(known.then_some(looks));
        }
        prepared
    }

    /// Conditions as atoms over the states of this program.
    pub fn atoms<'a>(&'a self, conditions: &'a Conditions) -> ProgramAtoms<'a> {
        ProgramAtoms { interpreter: self, conditions }
    }
}

impl ProgramAtoms<'_> {
    /// Acceptance labels count inside of atomic sequences too, as in SPIN, though not inside of deterministic steps.
    fn sees_labels(&self) -> bool {
        self.conditions.compiled.iter().any(|compiled| matches!(compiled, Compiled::Accepting))
    }
}

impl Atoms for ProgramAtoms<'_> {
    fn count(&self) -> usize {
        self.conditions.compiled.len()
    }

    fn letter(&self, state: &[u8]) -> u64 {
        let machine = &self.interpreter.machine;
        let at = ProcessAt { pid: 0, frame: others::NO_FRAME, kind: 0 };
        let holds = |atom: usize, compiled: &Compiled| match *compiled {
            Compiled::Expression(node) => match machine.value(View { state, at }, node) {
                Ok(value) => value != 0,
                Err(_) => {
                    self.conditions.undefined.fetch_or(1 << atom, Ordering::Relaxed);
                    false
                }
            },
            Compiled::Accepting => machine.processes(state).any(|at| machine.location(state, at).accept),
        };
        let compiled = self.conditions.compiled.iter().take(64).enumerate();
        compiled.fold(0, |letter, (atom, compiled)| letter | u64::from(holds(atom, compiled)) << atom)
    }

    fn sees(&self, state: &[u8]) -> bool {
        let machine = &self.interpreter.machine;
        machine.exclusive(state).is_none_or(|pid| {
            self.sees_labels()
                && machine.process(state, pid).is_none_or(|at| !machine.location(state, at).committed)
        })
    }

    fn overlooks(&self) -> bool {
        self.interpreter.machine.layout.exclusive.width > 0
    }

    fn overlooks_regions(&self) -> bool {
        self.overlooks() && !self.sees_labels()
    }

    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool {
        match &self.conditions.looks[atom] {
            Some(looks) => {
                out.extend_from_slice(looks);
                true
            }
            None => false,
        }
    }

    fn undefined(&self) -> Vec<String> {
        let bits = self.conditions.undefined.load(Ordering::Relaxed);
        let texts = self.conditions.texts.iter().take(64).enumerate();
        texts.filter(|(atom, _)| bits >> atom & 1 == 1).map(|(_, text)| text.clone()).collect()
    }
}
