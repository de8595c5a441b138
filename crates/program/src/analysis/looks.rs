//! What a condition on states looks at, whoever asks: operations on shared objects that see what it sees.

use super::Analysis;
use crate::ir::{ChannelRef, Expression, Location, Pattern, Program, VariableRef};
use mazurka_model::object::{array, fifo, processes, variable};
use mazurka_model::{Access, ObjectId, Operand, Operation, OperationKind, ProcessId};

/// Nobody in particular.
const OBSERVER: ProcessId = ProcessId(u16::MAX);

impl Analysis {
    /// Appends what an expression without locals looks at. False if that is more than shared objects.
    pub(crate) fn looks(&self, program: &Program, expression: &Expression, out: &mut Vec<Access>) -> bool {
        let objects = &self.objects;
        let mut look = |object: ObjectId, kind: OperationKind, operand: Operand| {
            let operation = Operation::with_both(OBSERVER, kind, [operand, Operand::Any]);
            out.push(Access { object, operation });
        };
        let mut channel = |channel: &Expression, kind: OperationKind| match channel {
            // What a full channel does with a message is another object's business.
            Expression::Channel(ChannelRef::Global(id)) if !program.overflow => {
                look(objects.channel(id.index()), kind, Operand::Any);
            }
            _ => objects.all_channels().for_each(|object| look(object, OperationKind::ANY, Operand::Any)),
        };
        match expression {
            Expression::Timeout | Expression::Pid => return false,
            Expression::Process(question, slot) => {
                look(objects.process_table(), processes::COUNT, Operand::Any);
                if !objects.looks_at_process(program, (*question, slot), OBSERVER, out) {
                    return false;
                }
            }
            Expression::Variable(VariableRef::Local(_)) | Expression::Element(VariableRef::Local(_), _) => {
                return false;
            }
            Expression::NonProgress => {
                return self.looks_at_marked(program, &|location| location.progress, out);
            }
            Expression::Variable(VariableRef::Global(id)) => {
                look(objects.global(id.index()), variable::READ, Operand::Any);
            }
            Expression::Element(VariableRef::Global(id), index) => {
                let operand = match **index {
                    Expression::Constant(value) => Operand::Is(value.into()),
                    _ => Operand::Any,
                };
                look(objects.global(id.index()), array::READ, operand);
            }
            Expression::ProcessCount => look(objects.process_table(), processes::COUNT, Operand::Any),
            Expression::Remote { process, part, .. } => {
                look(objects.process_table(), processes::COUNT, Operand::Any);
                match objects.watched.object(process.index(), part) {
                    Some(object) => look(object, variable::READ, Operand::Any),
                    None => return false,
                }
            }
            Expression::Length(of) => channel(of, fifo::LENGTH),
            Expression::Empty(of) => channel(of, fifo::EMPTY),
            Expression::Full(of) => channel(of, fifo::FULL),
            Expression::Poll { channel: of, patterns, .. } => {
                channel(of, OperationKind::ANY);
                let matched = patterns.iter().all(|pattern| match pattern {
                    Pattern::Match(value) => self.looks(program, value, out),
                    Pattern::Bind(_) | Pattern::Ignore => true,
                });
                if !matched {
                    return false;
                }
            }
            Expression::Observe { object, .. } => {
                look(objects.declared(object.index()), OperationKind::ANY, Operand::Any);
            }
            _ => {}
        }
        let mut whole = true;
        expression.for_each_operand(&mut |operand| whole = whole && self.looks(program, operand, out));
        whole
    }

    /// Appends what tells whether some process stands at a location of which `marked` says so.
    pub(crate) fn looks_at_marked(
        &self,
        program: &Program,
        marked: &dyn Fn(&Location) -> bool,
        out: &mut Vec<Access>,
    ) -> bool {
        let Some(watched) = self.objects.watched.marked(program, marked) else { return false };
        if !watched.is_empty() {
            let table = self.objects.process_table();
            let operation = Operation::new(OBSERVER, processes::COUNT);
            out.push(Access { object: table, operation });
        }
        let operation = Operation::new(OBSERVER, variable::READ);
        out.extend(watched.into_iter().map(|object| Access { object, operation }));
        true
    }
}
