//! For how long an expression keeps its value.
//!
//! An operand of an operation (an index, a channel, a value written) is worth computing in the
//! state at hand only if it still has that value when the operation takes place.

use crate::ir::{Effect, Expression, Pattern, Program, Target, VariableRef};
use std::collections::HashSet;

/// How long a value lasts, longest first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// As long as the process lives: constants, variables that nothing assigns, the slot.
    Stable,
    /// While the process stands still: its own variables.
    Local,
    /// Until some process changes something: what the step at hand will see.
    Now,
    /// An earlier effect of the same transition may change it.
    Never,
}

/// The variables that are assigned somewhere.
#[derive(Debug)]
pub struct Assigned {
    globals: HashSet<VariableRef>,
    /// By process type.
    locals: Vec<HashSet<VariableRef>>,
    is_static: bool,
}

impl Assigned {
    /// Goes through a program.
    pub fn new(program: &Program) -> Assigned {
        let mut globals = HashSet::new();
        let mut locals = Vec::new();
        for process in &program.types {
            let mut own = HashSet::new();
            for effect in process.transitions.iter().flat_map(|t| &t.effects) {
                effect.for_each_part(&mut |_| {}, &mut |target| match target.variable() {
                    v @ VariableRef::Global(_) => _ = globals.insert(v),
                    v @ VariableRef::Local(_) => _ = own.insert(v),
                });
            }
            locals.push(own);
        }
        Assigned { globals, locals, is_static: program.is_static() }
    }

    /// Whether some transition assigns this global.
    pub fn global(&self, variable: VariableRef) -> bool {
        self.globals.contains(&variable)
    }

    fn variable(&self, process: usize, variable: VariableRef) -> Level {
        match variable {
            VariableRef::Global(_) if self.globals.contains(&variable) => Level::Now,
            VariableRef::Local(_) if self.locals[process].contains(&variable) => Level::Local,
            _ => Level::Stable,
        }
    }
}

/// What the earlier effects of a transition may have changed.
#[derive(Clone, Debug, Default)]
pub struct Before {
    variables: HashSet<VariableRef>,
    /// Something was done, by the effect at hand or one before.
    others: bool,
    /// The transition began with what may be a handshake, so its partner may have assigned globals.
    handshake: bool,
}

impl Before {
    /// What follows does not see the state in front of the transition any more.
    pub fn begin(&mut self) {
        self.others = true;
    }

    /// After a target has been stored to.
    pub fn store(&mut self, target: &Target) {
        self.variables.insert(target.variable());
    }

    /// After an effect.
    pub fn effect(&mut self, effect: &Effect, handshake: bool) {
        effect.for_each_part(&mut |_| {}, &mut |target| self.store(target));
        self.begin();
        self.handshake |= handshake;
    }

    /// Whether there is one, or a part of one.
    pub fn is_any(&self) -> bool {
        self.others
    }

    /// How long a value lasts.
    pub fn level(&self, assigned: &Assigned, process: usize, expression: &Expression) -> Level {
        let own = match expression {
            Expression::Constant(_) | Expression::Channel(_) | Expression::Pid => Level::Stable,
            Expression::Variable(v) | Expression::Element(v, _) => match assigned.variable(process, *v) {
                Level::Stable => Level::Stable,
                _ if self.variables.contains(v) => Level::Never,
                Level::Now if self.handshake => Level::Never,
                level => level,
            },
            Expression::ProcessCount if assigned.is_static => Level::Stable,
            Expression::ProcessCount
            | Expression::Timeout
            | Expression::NonProgress
            | Expression::Process(..)
            | Expression::Remote { .. }
            | Expression::Length(_)
            | Expression::Empty(_)
            | Expression::Full(_)
            | Expression::Poll { .. }
            | Expression::Observe { .. } => {
                if self.others {
                    Level::Never
                } else {
                    Level::Now
                }
            }
            Expression::Unary(..) | Expression::Binary(..) | Expression::Conditional(..) => Level::Stable,
        };
        let mut level = own;
        expression.for_each_operand(&mut |e| level = level.max(self.level(assigned, process, e)));
        level
    }
}

/// The only pattern of a receive with one field, if it is matched.
pub fn single_match(patterns: &[Pattern]) -> Option<&Expression> {
    match patterns {
        [Pattern::Match(e)] => Some(e),
        _ => None,
    }
}
