//! Comparisons whose answer the type of a variable gives away.

use super::super::ast::{BinaryOperator, Expression, ExpressionKind};
use super::{Checker, constant};
use mazurka_model::source::Diagnostic;

impl Checker<'_> {
    /// Warns if a comparison with a constant has the same answer for every value of the other side.
    pub(super) fn comparison(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        whole: &Expression,
    ) {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let sides = (constant(left, &self.symbols), constant(right, &self.symbols));
        let (variable, value, operator) = match (sides, operator) {
            ((None, Some(value)), _) => (left, value, operator),
            ((Some(value), None), Less) => (right, value, Greater),
            ((Some(value), None), LessEqual) => (right, value, GreaterEqual),
            ((Some(value), None), Greater) => (right, value, Less),
            ((Some(value), None), GreaterEqual) => (right, value, LessEqual),
            ((Some(value), None), _) => (right, value, operator),
            _ => return,
        };
        let Some((least, most)) = self.range_of(variable) else { return };
        let answer = match operator {
            Equal if !(least..=most).contains(&value) => false,
            NotEqual if !(least..=most).contains(&value) => true,
            Less if most < value => true,
            Less if least >= value => false,
            LessEqual if most <= value => true,
            LessEqual if least > value => false,
            Greater if least > value => true,
            Greater if most <= value => false,
            GreaterEqual if least >= value => true,
            GreaterEqual if most < value => false,
            _ => return,
        };
        if answer && self.asserting {
            return;
        }
        let diagnostic = Diagnostic::warning(whole.place.span, format!("this comparison is always {answer}"))
            .label(format!("the values are from {least} to {most}"))
            .help("use a larger type, or another bound");
        self.report(diagnostic, whole.place);
    }

    /// The values that a variable or the length of a channel may have.
    fn range_of(&self, expression: &Expression) -> Option<(i64, i64)> {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.symbols.type_of(reference)?.0.range(),
            ExpressionKind::Length(_) => Some((0, 255)),
            _ => None,
        }
    }
}
