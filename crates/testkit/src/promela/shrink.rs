//! Shrinking Promela: from a model that shows a difference to a small one that still does.
//!
//! Greedy, on the syntax tree: each simplification is tried and kept if the failure persists, until none
//! helps any more. A simplification leaves out an item, a statement, an option, a label or a condition,
//! puts the inside of a construct in its place, or puts a constant or an operand in the place of an
//! expression. Many give models that are wrong; whoever asks sorts those out.

use mazurka_front::promela::ast::{
    Expression, ExpressionKind, Initialiser, Item, ReceiveArgument, Sequence, Statement, StatementKind, Unit,
};
use mazurka_front::promela::print::print;
use mazurka_front::promela::{Options, parse};

/// The smallest text found for which `fails` still holds; it is asked at most `most_trials` times.
/// Macros and inlines are expanded on the way, unless that hides the failure.
pub fn shrink(text: &str, most_trials: usize, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let Some(mut unit) = parse("model", text, &Options::default()).unit else { return text.to_owned() };
    let mut smallest = print(&unit);
    if !fails(&smallest) {
        return text.to_owned();
    }
    let (mut trials, mut number, mut since) = (0, 0, 0);
    while trials < most_trials {
        let mut candidate = unit.clone();
        if !simplify(&mut candidate, number) {
            if since == 0 {
                break;
            }
            (number, since) = (0, 0);
            continue;
        }
        let shown = print(&candidate);
        trials += 1;
        if shown.len() < smallest.len() && fails(&shown) {
            (unit, smallest) = (candidate, shown);
            since += 1;
        } else {
            number += 1;
        }
    }
    smallest
}

/// Applies simplification number `number` of a model; false if there are not so many.
fn simplify(unit: &mut Unit, number: usize) -> bool {
    let mut nth = Nth { left: number, done: false };
    for index in 0..unit.items.len() {
        if nth.now() {
            unit.items.remove(index);
            return true;
        }
    }
    unit.items.iter_mut().for_each(|item| nth.item(item));
    nth.done
}

/// Counts down to the simplification that is wanted.
struct Nth {
    left: usize,
    done: bool,
}

impl Nth {
    /// Whether the simplification at this place is the one.
    fn now(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Proctype(tree) => {
                if tree.provided.is_some() && self.now() {
                    tree.provided = None;
                }
                if let Some(active) = &mut tree.active
                    && active.count.is_some()
                    && self.now()
                {
                    active.count = None;
                }
                self.sequence(&mut tree.body);
            }
            Item::Init(tree) => self.sequence(&mut tree.body),
            Item::Declaration(tree) => {
                for index in 0..tree.variables.len() {
                    if tree.variables.len() > 1 && self.now() {
                        tree.variables.remove(index);
                        return;
                    }
                }
                for variable in &mut tree.variables {
                    match &mut variable.initialiser {
                        Some(Initialiser::Channel(channel)) => self.expression(&mut channel.capacity),
                        Some(_) if self.now() => variable.initialiser = None,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn sequence(&mut self, sequence: &mut Sequence) {
        for index in 0..sequence.statements.len() {
            if sequence.statements.len() > 1 && self.now() {
                sequence.statements.remove(index);
                return;
            }
        }
        for index in 0..sequence.statements.len() {
            // The inside of a construct in its place.
            let inside: Vec<Vec<Statement>> = match &sequence.statements[index].kind {
                StatementKind::If(options) | StatementKind::Do(options) => {
                    options.iter().map(|option| option.statements.clone()).collect()
                }
                StatementKind::Atomic(body)
                | StatementKind::DStep(body)
                | StatementKind::Block(body)
                | StatementKind::ForRange { body, .. }
                | StatementKind::ForIn { body, .. } => vec![body.statements.clone()],
                StatementKind::Unless { main, escape } => {
                    vec![vec![(**main).clone()], vec![(**escape).clone()]]
                }
                _ => Vec::new(),
            };
            for statements in inside {
                if self.now() {
                    sequence.statements.splice(index..=index, statements);
                    return;
                }
            }
        }
        sequence.statements.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn options(&mut self, options: &mut Vec<Sequence>) {
        for index in 0..options.len() {
            if options.len() > 1 && self.now() {
                options.remove(index);
                return;
            }
        }
        options.iter_mut().for_each(|option| self.sequence(option));
    }

    fn statement(&mut self, statement: &mut Statement) {
        if !statement.labels.is_empty() && self.now() {
            statement.labels.clear();
        }
        match &mut statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => self.options(options),
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                self.sequence(body);
            }
            StatementKind::ForRange { from, to, body, .. } => {
                self.expression(from);
                self.expression(to);
                self.sequence(body);
            }
            StatementKind::ForIn { body, .. } => self.sequence(body),
            StatementKind::Unless { main, escape } => {
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::Expression(value) | StatementKind::Assert(value) => self.expression(value),
            StatementKind::Assign { value, .. } => self.expression(value),
            StatementKind::Select { from, to, .. } => {
                self.expression(from);
                self.expression(to);
            }
            StatementKind::Send(send) => send.arguments.iter_mut().for_each(|value| self.expression(value)),
            StatementKind::Receive(receive) => {
                for argument in &mut receive.arguments {
                    if let ReceiveArgument::Match(value) = argument {
                        self.expression(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, tree: &mut Expression) {
        if matches!(tree.kind, ExpressionKind::Number(_) | ExpressionKind::Boolean(_) | ExpressionKind::Skip)
        {
            return;
        }
        if !matches!(tree.kind, ExpressionKind::Run { .. }) {
            for value in [1, 0] {
                if self.now() {
                    tree.kind = ExpressionKind::Number(value);
                    return;
                }
            }
        }
        let operands: Vec<Expression> = match &tree.kind {
            ExpressionKind::Unary(_, operand) => vec![(**operand).clone()],
            ExpressionKind::Binary(_, left, right) => vec![(**left).clone(), (**right).clone()],
            ExpressionKind::Conditional(condition, yes, no) => {
                vec![(**condition).clone(), (**yes).clone(), (**no).clone()]
            }
            _ => Vec::new(),
        };
        for operand in operands {
            if self.now() {
                *tree = operand;
                return;
            }
        }
        match &mut tree.kind {
            ExpressionKind::Unary(_, operand) => self.expression(operand),
            ExpressionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                self.expression(yes);
                self.expression(no);
            }
            ExpressionKind::Run { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| self.expression(argument));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promela;

    #[test]
    fn only_what_the_failure_needs_is_left() {
        let text = (0..).map(promela::text).find(|text| text.contains("unless") && text.contains("d_step"));
        let text = text.unwrap_or_default();
        let valid = |text: &str| parse("model", text, &Options::default()).unit.is_some();
        let small = shrink(&text, 5_000, &mut |text| text.contains("d_step") && valid(text));
        assert!(small.contains("d_step") && !small.contains("unless"), "{small}");
        assert!(small.lines().count() <= 10, "{small}");
    }

    #[test]
    fn what_does_not_fail_stays_as_it_is() {
        assert_eq!(shrink("init { skip }", 100, &mut |_| false), "init { skip }");
    }
}
