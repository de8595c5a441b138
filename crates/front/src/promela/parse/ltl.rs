//! Formulas of linear temporal logic.
//!
//! The precedence is SPIN's: `->` and `<->` bind weakest, then `||`, `&&`, the binary temporal
//! operators, and then the operators of expressions; all group to the left. The unary operators bind
//! strongest, so `[] x == 1` would be `([] x) == 1`: that is an error here.

use super::super::ast::{
    BinaryOperator, Expression, ExpressionKind, Formula, FormulaKind, FormulaOperator, Ltl, UnaryOperator,
};
use super::super::token::{Mark, Place, TokenKind};
use super::cursor::Parser;
use super::expression::binary_operator;
use super::{Failed, Parse};
use mazurka_model::source::Diagnostic;

#[derive(Copy, Clone)]
enum Operator {
    Formula(FormulaOperator),
    Expression(BinaryOperator),
}

impl Parser {
    /// An `ltl` block.
    pub(super) fn ltl(&mut self) -> Parse<Ltl> {
        let first = self.place();
        self.advance();
        let name = if self.is(Mark::LeftBrace) { None } else { Some(self.name("a name or `{`")?) };
        self.expect(Mark::LeftBrace, "before the formula")?;
        let formula = self.formula(0);
        self.operators = 0;
        let formula = formula?;
        while self.is_separator() {
            self.advance();
        }
        self.expect(Mark::RightBrace, "behind the formula")?;
        Ok(Ltl { name, formula, place: self.since(first) })
    }

    /// The operator here, how strongly it binds, and how many tokens it has.
    fn formula_operator(&self) -> Option<(Operator, u8, usize)> {
        use FormulaOperator::*;
        if let Some(word) = self.word() {
            let (operator, strength) = match word.as_ref() {
                "implies" => (Implies, 0),
                "equivalent" => (Equivalent, 0),
                "U" | "until" | "stronguntil" => (Until, 3),
                "W" | "weakuntil" => (WeakUntil, 3),
                "V" | "R" | "release" => (Release, 3),
                _ => return None,
            };
            return Some((Operator::Formula(operator), strength, 1));
        }
        Some(match self.mark()? {
            Mark::Arrow => (Operator::Formula(Implies), 0, 1),
            Mark::Less if self.adjacent(Mark::Arrow) => (Operator::Formula(Equivalent), 0, 2),
            Mark::OrOr => (Operator::Formula(Or), 1, 1),
            Mark::AndAnd => (Operator::Formula(And), 2, 1),
            mark => {
                let (operator, strength) = binary_operator(mark)?;
                (Operator::Expression(operator), strength + 2, 1)
            }
        })
    }

    /// The next token is this mark, without space before it.
    fn adjacent(&self, mark: Mark) -> bool {
        let next = &self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
        next.kind == TokenKind::Mark(mark) && !next.spaced && !next.starts_line
    }

    fn formula(&mut self, minimum: u8) -> Parse<Formula> {
        let mut left = self.formula_unary()?;
        let mut before = None;
        while let Some((operator, strength, length)) =
            self.formula_operator().filter(|(_, strength, _)| *strength >= minimum)
        {
            let at = self.place();
            (0..length).for_each(|_| self.advance());
            self.count_operator()?;
            let right = self.nested(|parser| parser.formula(strength + 1))?;
            let place = self.expansions.join(left.place, right.place);
            let kind = match operator {
                Operator::Formula(operator) => {
                    if operator == FormulaOperator::Implies && before == Some(operator) {
                        let diagnostic = Diagnostic::warning(at.span, "`a -> b -> c` means `(a -> b) -> c`")
                            .label("groups to the left, as in SPIN")
                            .help("use parentheses to say what is meant");
                        self.report(diagnostic, at);
                    }
                    before = Some(operator);
                    FormulaKind::Binary(operator, Box::new(left), Box::new(right))
                }
                Operator::Expression(operator) if speaks_of_time(&left) || speaks_of_time(&right) => {
                    before = None;
                    let operator = self.between_formulas(operator, &left, &right, at)?;
                    FormulaKind::Binary(operator, Box::new(left), Box::new(right))
                }
                Operator::Expression(operator) => {
                    before = None;
                    let left = Box::new(self.without_time(left)?);
                    let right = Box::new(self.without_time(right)?);
                    let kind = ExpressionKind::Binary(operator, left, right);
                    FormulaKind::Atom(Expression { kind, place })
                }
            };
            left = Formula { kind, place };
        }
        Ok(left)
    }

    fn formula_unary(&mut self) -> Parse<Formula> {
        let first = self.place();
        let (build, length): (fn(Box<Formula>) -> FormulaKind, usize) =
            match (self.mark(), self.word().map(|word| word.as_ref())) {
                (Some(Mark::Not), _) => (FormulaKind::Not, 1),
                (Some(Mark::NotNot), _) => (|f| FormulaKind::Not(Box::new(negation(f))), 1),
                (Some(Mark::LeftBracket), _) if *self.ahead(1) == TokenKind::Mark(Mark::RightBracket) => {
                    (FormulaKind::Always, 2)
                }
                (Some(Mark::Less), _) if *self.ahead(1) == TokenKind::Mark(Mark::Greater) => {
                    (FormulaKind::Eventually, 2)
                }
                (_, Some("always")) => (FormulaKind::Always, 1),
                (_, Some("eventually")) => (FormulaKind::Eventually, 1),
                (_, Some("next" | "X")) => (FormulaKind::Next, 1),
                (Some(Mark::LeftParen), _) => {
                    self.advance();
                    let mut inner = self.nested(|parser| parser.formula(0))?;
                    self.expect(Mark::RightParen, "to close the parenthesis")?;
                    inner.place = self.since(first);
                    return Ok(inner);
                }
                _ => {
                    let atom = self.unary()?;
                    let place = atom.place;
                    return Ok(Formula { kind: FormulaKind::Atom(atom), place });
                }
            };
        (0..length).for_each(|_| self.advance());
        self.count_operator()?;
        let operand = self.nested(|parser| parser.formula_unary())?;
        let place = self.expansions.join(first, operand.place);
        Ok(Formula { kind: build(Box::new(operand)), place })
    }

    /// `&` and `|` between formulas can only mean `&&` and `||`; other operators mean nothing.
    fn between_formulas(
        &mut self,
        operator: BinaryOperator,
        left: &Formula,
        right: &Formula,
        at: Place,
    ) -> Parse<FormulaOperator> {
        let (meant, written, doubled) = match operator {
            BinaryOperator::BitAnd => (FormulaOperator::And, "&", "&&"),
            BinaryOperator::BitOr => (FormulaOperator::Or, "|", "||"),
            _ => {
                let place = if speaks_of_time(left) { left.place } else { right.place };
                let diagnostic =
                    Diagnostic::error(place.span, "a temporal operator inside an arithmetic expression")
                        .label("this part is a formula, not a number")
                        .help("unary operators bind strongest: write `[] (x == 1)`, not `[] x == 1`");
                self.report(diagnostic, place);
                return Err(Failed);
            }
        };
        let message = format!("`{written}` between formulas is taken as `{doubled}`");
        let diagnostic = Diagnostic::warning(at.span, message)
            .label(format!("binds more strongly than `{doubled}`"))
            .help(format!("write `{doubled}`"));
        self.report(diagnostic, at);
        Ok(meant)
    }

    /// A formula as an operand of an arithmetic operator: it may not speak of time.
    fn without_time(&mut self, formula: Formula) -> Parse<Expression> {
        let place = formula.place;
        let kind = match formula.kind {
            FormulaKind::Atom(expression) => return Ok(expression),
            FormulaKind::Not(operand) => {
                ExpressionKind::Unary(UnaryOperator::Not, Box::new(self.without_time(*operand)?))
            }
            FormulaKind::Binary(operator @ (FormulaOperator::And | FormulaOperator::Or), left, right) => {
                let operator = match operator {
                    FormulaOperator::And => BinaryOperator::And,
                    _ => BinaryOperator::Or,
                };
                let left = Box::new(self.without_time(*left)?);
                let right = Box::new(self.without_time(*right)?);
                ExpressionKind::Binary(operator, left, right)
            }
            _ => return Err(Failed),
        };
        Ok(Expression { kind, place })
    }
}

/// Whether more than boolean operators joins the atoms.
fn speaks_of_time(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) => false,
        FormulaKind::Not(operand) => speaks_of_time(operand),
        FormulaKind::Binary(FormulaOperator::And | FormulaOperator::Or, left, right) => {
            speaks_of_time(left) || speaks_of_time(right)
        }
        _ => true,
    }
}

fn negation(operand: Box<Formula>) -> Formula {
    let place = operand.place;
    Formula { kind: FormulaKind::Not(operand), place }
}
