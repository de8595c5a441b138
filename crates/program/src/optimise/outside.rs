//! What is looked at from outside of a process: its locals and locations that others, or a property, mention.

use crate::ir::{Expression, Formula, ProcessQuestion, Program, PropertyKind, RemotePart};
use std::cell::RefCell;

/// What of each process type is looked at from outside, by type.
pub(super) struct Outside {
    /// Its locals.
    pub locals: Vec<Vec<bool>>,
    /// Its locations.
    pub locations: Vec<Vec<bool>>,
    /// Somebody asks where a process stands that is named by its slot, whether it or anybody can move, or how it is preferred: then
    /// every location may matter. Not counted is who demands a timeout, whatever else is demanded: nobody else can move when that comes.
    pub questions: bool,
}

impl Outside {
    pub(super) fn of(program: &Program) -> Outside {
        let found = RefCell::new(Outside {
            locals: program.types.iter().map(|process| vec![false; process.locals.len()]).collect(),
            locations: program.types.iter().map(|process| vec![false; process.locations.len()]).collect(),
            questions: false,
        });
        let look = |expression: &Expression| {
            expression.any(&|part| {
                let mut found = found.borrow_mut();
                match part {
                    Expression::Remote { process, part, .. } => match **part {
                        RemotePart::Variable(id) | RemotePart::Element(id, _) => {
                            found.locals[process.index()][id.index()] = true;
                        }
                        RemotePart::At(id) => found.locations[process.index()][id.index()] = true,
                    },
                    Expression::Timeout
                    | Expression::Process(
                        ProcessQuestion::Enabled | ProcessQuestion::Location | ProcessQuestion::Priority,
                        _,
                    ) => found.questions = true,
                    _ => {}
                }
                false
            });
        };
        let automata = program.properties.iter().filter_map(|property| match &property.kind {
            PropertyKind::Never(automaton) | PropertyKind::Trace { automaton, .. } => Some(automaton),
            PropertyKind::Formula(_) | PropertyKind::Progress | PropertyKind::Acceptance => None,
        });
        let types = program.types.iter().map(|process| (process, true));
        for (process, waits) in types.chain(automata.map(|automaton| (automaton, false))) {
            process.prologue.iter().for_each(|(_, value)| look(value));
            for transition in &process.transitions {
                let asks = |condition: &&Expression| !waits || **condition != Expression::Timeout;
                transition.conditions().into_iter().filter(asks).for_each(look);
                let effects = transition.effects.iter();
                effects.for_each(|effect| effect.for_each_part(&mut |e| look(e), &mut |_| {}));
            }
        }
        for property in &program.properties {
            if let PropertyKind::Formula(formula) = &property.kind {
                atoms(formula, &mut |atom| look(atom));
            }
        }
        found.into_inner()
    }
}

fn atoms(formula: &Formula, look: &mut dyn FnMut(&Expression)) {
    match formula {
        Formula::Atom(expression) => look(expression),
        Formula::Not(f) | Formula::Always(f) | Formula::Eventually(f) | Formula::Next(f) => atoms(f, look),
        Formula::Binary(_, a, b) => {
            atoms(a, look);
            atoms(b, look);
        }
    }
}
