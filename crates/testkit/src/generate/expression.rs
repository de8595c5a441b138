//! Random expressions over what a process can see.

use super::Generator;
use mazurka_model::OperationKind;
use mazurka_program::ir::{
    BinaryOperator, ChannelRef, DeclaredObject, Expression, GlobalId, LocalId, OwnChannel, Pattern, Target,
    Type, VariableRef,
};

impl Generator {
    /// The variables of process type `at` that hold data, or channels; arrays are left out.
    fn variables(&self, at: usize, channels: bool) -> (Vec<VariableRef>, Vec<VariableRef>) {
        let fits =
            |v: &mazurka_program::ir::Variable| v.length.is_none() && (v.ty == Type::Channel) == channels;
        let globals = self.program.globals.iter().enumerate().filter(|(_, v)| fits(v));
        let locals = self.program.types[at].locals.iter().enumerate().filter(|(_, v)| fits(v));
        (
            globals.map(|(i, _)| VariableRef::Global(GlobalId(i as u32))).collect(),
            locals.map(|(i, _)| VariableRef::Local(LocalId(i as u32))).collect(),
        )
    }

    pub(super) fn global(&mut self, at: usize) -> VariableRef {
        let (globals, _) = self.variables(at, false);
        globals[self.shared(at, globals.len())]
    }

    pub(super) fn local(&mut self, at: usize) -> Option<VariableRef> {
        let (_, locals) = self.variables(at, false);
        self.random.choice(locals)
    }

    /// A variable that holds a channel.
    pub(super) fn channel_variable(&mut self, at: usize) -> Option<VariableRef> {
        let (globals, locals) = self.variables(at, true);
        self.random.choice(globals.into_iter().chain(locals).collect::<Vec<VariableRef>>())
    }

    /// The global array and its length.
    pub(super) fn array(&self) -> Option<(VariableRef, u32)> {
        let index = self.program.globals.iter().position(|v| v.length.is_some())?;
        let length = self.program.globals[index].length?;
        Some((VariableRef::Global(GlobalId(index as u32)), length))
    }

    /// An index, nearly always within bounds.
    pub(super) fn index(&mut self, at: usize, length: u32) -> Expression {
        match self.pick(&[6, 3, 2, u32::from(self.shape.counting)]) {
            0 => self.random.i32(0..length as i32).into(),
            1 => self.value(at, 0) % length as i32,
            2 => Expression::Pid % length as i32,
            _ => self.value(at, 0),
        }
    }

    /// Something to compute with.
    pub(super) fn value(&mut self, at: usize, depth: u32) -> Expression {
        let arrays = u32::from(self.shape.arrays);
        let channels = u32::from(self.data_channels() > 0);
        let deep = u32::from(depth > 0);
        let counting = u32::from(self.shape.counting);
        let objects = u32::from(!self.program.objects.is_empty());
        match self.pick(&[5, 8, 4, 3 * arrays, 1, channels, 3 * deep, deep, 2 * counting, 2 * objects]) {
            1 => match self.local(at) {
                Some(local) => Expression::Variable(local),
                None => self.random.i32(0..3).into(),
            },
            2 => Expression::Variable(self.global(at)),
            3 => match self.array() {
                Some((array, length)) => Expression::element(array, self.index(at, length)),
                None => 1.into(),
            },
            4 => Expression::Pid,
            5 => match self.channel(at, false) {
                Some(channel) => Expression::length(channel),
                None => 0.into(),
            },
            6 => {
                let operator =
                    *self.one_of(&[BinaryOperator::Add, BinaryOperator::Subtract, BinaryOperator::BitXor]);
                Expression::binary(operator, self.value(at, depth - 1), self.value(at, depth - 1))
            }
            7 => {
                let (condition, yes) = (self.condition(at, 0), self.value(at, 0));
                Expression::Conditional(condition.into(), yes.into(), self.value(at, 0).into())
            }
            8 => Expression::ProcessCount,
            9 => self.observation(),
            _ => self.random.i32(0..3).into(),
        }
    }

    /// Something that is true or false.
    pub(super) fn condition(&mut self, at: usize, depth: u32) -> Expression {
        let channels = u32::from(self.data_channels() > 0);
        let deep = u32::from(depth > 0);
        match self.pick(&[12, 5 * channels, 2 * deep, deep]) {
            1 => self.channel_condition(at),
            2 => {
                let (left, right) = (self.condition(at, depth - 1), self.condition(at, depth - 1));
                if self.chance(50) { left.and(right) } else { left.or(right) }
            }
            3 => !self.condition(at, depth - 1),
            _ => {
                let operators = [
                    BinaryOperator::Equal,
                    BinaryOperator::NotEqual,
                    BinaryOperator::Less,
                    BinaryOperator::GreaterEqual,
                ];
                let operator = *self.one_of(&operators);
                let left = self.value(at, 1);
                let least =
                    i32::from(matches!(operator, BinaryOperator::Less | BinaryOperator::GreaterEqual));
                let right =
                    if self.chance(80) { self.random.i32(least..3).into() } else { self.value(at, 0) };
                Expression::binary(operator, left, right)
            }
        }
    }

    fn channel_condition(&mut self, at: usize) -> Expression {
        let Some(channel) = self.channel(at, false) else { return 1.into() };
        match self.pick(&[3, 3, 3, 3]) {
            0 => Expression::Empty(channel.into()),
            1 => Expression::Full(channel.into()),
            2 => {
                let operators = [BinaryOperator::Equal, BinaryOperator::Less, BinaryOperator::Greater];
                let (operator, constant) = (*self.one_of(&operators), self.random.i32(0..3));
                Expression::binary(operator, Expression::length(channel), constant)
            }
            _ => {
                let patterns = (0..self.width).map(|_| self.pattern(at, false)).collect();
                Expression::Poll { channel: channel.into(), patterns, anywhere: self.chance(20) }
            }
        }
    }

    /// What a receive does with a field of data.
    pub(super) fn pattern(&mut self, at: usize, binding: bool) -> Pattern {
        match self.pick(&[5 * u32::from(binding), 3, 1, 1]) {
            0 => {
                let variable = match self.local(at) {
                    Some(local) if self.chance(75) => local,
                    _ => self.global(at),
                };
                Pattern::Bind(Target::Variable(variable))
            }
            1 => Pattern::Match(self.random.i32(0..2).into()),
            2 => Pattern::Match(self.value(at, 0)),
            _ => Pattern::Ignore,
        }
    }

    /// A channel that carries data: by name, or by a variable.
    pub(super) fn channel(&mut self, at: usize, named: bool) -> Option<Expression> {
        if self.shape.channel_values
            && !named
            && self.chance(40)
            && let Some(variable) = self.channel_variable(at)
        {
            return Some(Expression::Variable(variable));
        }
        let own = self.program.types[at].channels.len();
        let all = self.data_channels() + own;
        if all == 0 {
            return None;
        }
        let index = if self.chance(85) { self.shared(at, all) } else { self.random.usize(0..all) };
        Some(match index.checked_sub(self.data_channels()) {
            None => mazurka_program::ir::ChannelIndex(index as u32).into(),
            Some(own) => Expression::Channel(ChannelRef::Own(OwnChannel(own as u32))),
        })
    }

    /// An operation on an object, with inputs.
    pub(super) fn operation(
        &mut self,
        at: usize,
    ) -> Option<(DeclaredObject, OperationKind, Vec<Expression>)> {
        if self.program.objects.is_empty() {
            return None;
        }
        let object = self.shared(at, self.program.objects.len());
        let instance = self.program.objects[object].kind.instantiate();
        let kind = self.random.usize(0..instance.kinds().len());
        let inputs = instance.kinds()[kind].inputs.len();
        let operands = (0..inputs)
            .map(|_| if self.chance(80) { self.random.i32(0..3).into() } else { self.value(at, 0) })
            .collect();
        Some((DeclaredObject(object as u32), OperationKind(kind as u8), operands))
    }

    /// The output of an operation that is always defined, if the object drawn has one.
    fn observation(&mut self) -> Expression {
        let object = self.random.usize(0..self.program.objects.len());
        let instance = self.program.objects[object].kind.instantiate();
        let kinds = instance.kinds().iter().enumerate();
        let observing: Vec<usize> =
            kinds.filter(|(_, k)| ["Value", "Zero", "IsLocked"].contains(&k.name)).map(|(i, _)| i).collect();
        match self.random.choice(observing) {
            None => 1.into(),
            Some(kind) => Expression::Observe {
                object: DeclaredObject(object as u32),
                kind: OperationKind(kind as u8),
                operands: Vec::new(),
            },
        }
    }

    pub(super) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.random.usize(0..all.len())]
    }
}
