//! Statements that are one step each.

use super::Lowerer;
use super::graph::Action;
use crate::promela::ast::{
    self, Expression as Tree, ExpressionKind, Initialiser, Reference, Statement, StatementKind,
};
use crate::promela::print;
use mazurka_program::ir::{Effect, Expression, Target, VariableRef};

/// Where a value goes.
pub(super) fn target(variable: VariableRef, index: Option<Expression>) -> Target {
    match index {
        None => Target::Variable(variable),
        Some(index) => Target::Element(variable, index),
    }
}

impl<'a> Lowerer<'a> {
    /// What a simple statement does; `None` for those that are not one step.
    pub(super) fn action(&mut self, statement: &'a Statement) -> Option<Action> {
        let mut action = Action {
            statement: print::statement(statement),
            span: statement.place.span,
            ..Action::default()
        };
        match &statement.kind {
            StatementKind::Expression(tree) => self.condition(tree, &mut action),
            StatementKind::Assign { target, value } => self.assignment(target, value, &mut action),
            StatementKind::Increment(target) => self.add(target, 1, &mut action),
            StatementKind::Decrement(target) => self.add(target, -1, &mut action),
            StatementKind::Send(send) => {
                let channel = self.reference(&send.channel);
                let fields = self.message(send);
                action.effects.push(Effect::Send { channel, fields, sorted: send.sorted });
            }
            StatementKind::Receive(receive) => {
                let channel = self.reference(&receive.channel);
                let patterns = self.patterns(receive);
                let (anywhere, keep) = (receive.random, receive.keep);
                action.effects.push(Effect::Receive { channel, patterns, anywhere, keep });
            }
            StatementKind::Else => action.otherwise = true,
            StatementKind::Printf { format, arguments } => {
                let effect = self.print(format, arguments);
                action.effects.push(effect);
            }
            StatementKind::Printm(value) => {
                let effect = self.print("%e", std::slice::from_ref(value));
                action.effects.push(effect);
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression(condition);
                action.effects.push(Effect::Assert(condition));
            }
            StatementKind::SetPriority(..) => self.unsupported(statement.place, "`set_priority`"),
            StatementKind::Declaration(_)
            | StatementKind::Exclusive { .. }
            | StatementKind::If(_)
            | StatementKind::Do(_)
            | StatementKind::ForRange { .. }
            | StatementKind::ForIn { .. }
            | StatementKind::Select { .. }
            | StatementKind::Atomic(_)
            | StatementKind::DStep(_)
            | StatementKind::Block(_)
            | StatementKind::Unless { .. }
            | StatementKind::Break
            | StatementKind::Goto(_) => return None,
        }
        Some(action)
    }

    fn condition(&mut self, tree: &'a Tree, action: &mut Action) {
        if let ExpressionKind::Run { .. } = tree.kind {
            let effect = self.run(tree, None);
            action.effects.extend(effect);
            return;
        }
        match self.expression(tree) {
            Expression::Constant(value) if value != 0 => {}
            condition => action.guard.push(condition),
        }
    }

    /// Creates a process.
    fn run(&mut self, tree: &'a Tree, target: Option<Target>) -> Option<Effect> {
        let ExpressionKind::Run { proctype, arguments, priority } = &tree.kind else { return None };
        if priority.is_some() {
            self.unsupported(tree.place, "a priority");
        }
        let Some(&process) = self.types.get(&proctype.text) else {
            self.error(proctype.place, format!("`{}` is no proctype", proctype.text));
            return None;
        };
        let mut values: Vec<Expression> = arguments.iter().map(|e| self.expression(e)).collect();
        // Missing arguments are 0.
        let parameters = self.parameters(&proctype.text);
        values.resize(parameters.max(values.len()), Expression::Constant(0));
        Some(Effect::Run { process, arguments: values, target })
    }

    fn parameters(&self, proctype: &str) -> usize {
        let item = self.symbols.proctypes.get(proctype).and_then(|p| self.unit.items.get(*p));
        match item {
            Some(ast::Item::Proctype(proctype)) => {
                proctype.parameters.iter().map(|d| d.variables.len()).sum()
            }
            _ => 0,
        }
    }

    fn assignment(&mut self, to: &'a Reference, value: &'a Tree, action: &mut Action) {
        let stored = if self.is_scratch(to) { None } else { self.place(to).map(|(v, i)| target(v, i)) };
        if let ExpressionKind::Run { .. } = value.kind {
            let effect = self.run(value, stored);
            action.effects.extend(effect);
            return;
        }
        let value = self.expression(value);
        action.effects.extend(stored.map(|target| Effect::Assign { target, value }));
    }

    fn add(&mut self, to: &'a Reference, by: i32, action: &mut Action) {
        let value = self.reference(to);
        let value = if by < 0 { value - -by } else { value + by };
        if let Some((variable, index)) = self.place(to) {
            action.effects.push(Effect::Assign { target: target(variable, index), value });
        }
    }

    /// `variable = value`, not written like that in the source.
    pub(super) fn implied_assignment(
        &mut self,
        to: &'a Reference,
        value: Expression,
        text: String,
        place: crate::promela::token::Place,
    ) -> Action {
        let mut action = Action { statement: text, span: place.span, ..Action::default() };
        if let Some((variable, index)) = self.place(to) {
            action.effects.push(Effect::Assign { target: target(variable, index), value });
        }
        action
    }

    /// The assignments of a declaration that control passes.
    pub(super) fn reinitialisations(&mut self, declaration: &'a ast::Declaration) -> Vec<Action> {
        let mut out = Vec::new();
        for variable in &declaration.variables {
            let (value, text) = match &variable.initialiser {
                None => (Expression::Constant(0), "0".to_string()),
                Some(Initialiser::Value(value)) => (self.expression(value), print::expression(value)),
                // Of an array SPIN assigns the first element only.
                Some(Initialiser::List(values)) => match values.first() {
                    Some(value) => (self.expression(value), print::expression(value)),
                    None => continue,
                },
                // SPIN leaves these to the beginning of the process.
                Some(Initialiser::Channel(_)) => continue,
            };
            let statement = format!("{} = {text}", variable.name.text);
            let Some((kept, index)) = self.declared_place(variable) else { continue };
            let effects = vec![Effect::Assign { target: target(kept, index), value }];
            out.push(Action { statement, span: variable.name.place.span, effects, ..Action::default() });
        }
        out
    }
}
