//! Statements that are one step each.

use super::Lowerer;
use super::graph::Action;
use crate::promela::ast::{
    self, Expression as Tree, ExpressionKind, Initialiser, Reference, Statement, StatementKind,
};
use crate::promela::check::count_runs;
use crate::promela::print;
use mazurka_model::source::Diagnostic;
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
            StatementKind::Send(send) if self.in_trace => action.effects.push(self.sent_event(send)),
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
            StatementKind::SetPriority(process, priority) => {
                let (process, priority) = (self.expression(process), self.expression(priority));
                action.effects.push(Effect::SetPriority { process, priority });
            }
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
            return self.run(tree, None, action);
        }
        match self.expression(tree) {
            Expression::Constant(value) if value != 0 => {}
            condition => action.guard.push(condition),
        }
    }

    /// Creates a process.
    fn run(&mut self, tree: &'a Tree, target: Option<Target>, action: &mut Action) {
        let ExpressionKind::Run { proctype, arguments, priority } = &tree.kind else { return };
        let Some(&process) = self.types.get(&proctype.text) else {
            return self.error(proctype.place, format!("`{}` is no proctype", proctype.text));
        };
        let mut values: Vec<Expression> = arguments.iter().map(|e| self.expression(e)).collect();
        // Missing arguments are 0.
        let parameters = self.parameters(&proctype.text);
        values.resize(parameters.max(values.len()), Expression::Constant(0));
        action.effects.push(Effect::Run { process, arguments: values, target });
        action.effects.extend(self.run_priority(priority.as_deref()));
    }

    /// `run` as a part of a value that is assigned.
    pub(super) fn run_inside(&mut self, tree: &'a Tree) -> Expression {
        let Some((left, mut action)) = self.runs.take() else {
            return self.refuse_run(tree, "`run` can't stand here");
        };
        // Nothing can be run for the arguments.
        self.run(tree, None, &mut action);
        self.runs = Some((left - 1, action));
        Expression::ProcessCount - left as i32
    }

    fn refuse_run(&mut self, tree: &'a Tree, message: &str) -> Expression {
        let error = Diagnostic::error(tree.place.span, message)
            .label("it may be that it is not reached")
            .help("use `run` as a statement of its own, or assign its result");
        self.report(error, tree.place);
        Expression::Constant(0)
    }

    /// A part of an expression that is perhaps not computed: nothing can be run there.
    pub(super) fn perhaps(&mut self, tree: &'a Tree) -> Expression {
        let runs = self.runs.take();
        let value = self.expression(tree);
        self.runs = runs;
        value
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
        if self.is_priority(to) {
            let priority = self.expression(value);
            action.effects.push(Effect::SetPriority { process: Expression::Pid, priority });
            return;
        }
        let stored = if self.is_scratch(to) { None } else { self.place(to).map(|(v, i)| target(v, i)) };
        if let ExpressionKind::Run { .. } = value.kind {
            return self.run(value, stored, action);
        }
        // Runs inside the value happen first, from left to right; then their numbers are known.
        self.runs = Some((count_runs(value), Action::default()));
        let value = self.expression(value);
        if let Some((_, runs)) = self.runs.take() {
            action.effects.extend(runs.effects);
        }
        action.effects.extend(stored.map(|target| Effect::Assign { target, value }));
    }

    fn add(&mut self, to: &'a Reference, by: i32, action: &mut Action) {
        if self.is_scratch(to) {
            return;
        }
        let value = self.reference(to);
        let value = if by < 0 { value - -by } else { value + by };
        if self.is_priority(to) {
            action.effects.push(Effect::SetPriority { process: Expression::Pid, priority: value });
            return;
        }
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
