//! Constant expressions.
//!
//! Arithmetic is that of 32-bit C with wrapping; division by zero has no value.

use super::super::ast::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use super::symbols::Symbols;

/// The value of an expression that depends on no variable.
pub fn constant(expression: &Expression, symbols: &Symbols) -> Option<i64> {
    let value = match &expression.kind {
        ExpressionKind::Number(value) => *value,
        ExpressionKind::Boolean(value) => i64::from(*value),
        ExpressionKind::Skip => 1,
        ExpressionKind::Mtype(name) => i64::from(symbols.mtypes.get(name)?.value),
        ExpressionKind::Unary(operator, operand) => {
            let operand = constant(operand, symbols)?;
            match operator {
                UnaryOperator::Not => i64::from(operand == 0),
                UnaryOperator::Minus => -operand,
                UnaryOperator::Complement => !operand,
            }
        }
        ExpressionKind::Binary(operator, left, right) => {
            apply(*operator, constant(left, symbols)?, constant(right, symbols)?)?
        }
        ExpressionKind::Conditional(condition, yes, no) => {
            let chosen = if constant(condition, symbols)? != 0 { yes } else { no };
            constant(chosen, symbols)?
        }
        _ => return None,
    };
    Some(i64::from(value as i32))
}

/// Both operands are 32-bit values, so nothing here overflows 64 bits.
fn apply(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
    use BinaryOperator::*;
    Some(match operator {
        Or => i64::from(left != 0 || right != 0),
        And => i64::from(left != 0 && right != 0),
        BitOr => left | right,
        BitXor => left ^ right,
        BitAnd => left & right,
        Equal => i64::from(left == right),
        NotEqual => i64::from(left != right),
        Less => i64::from(left < right),
        LessEqual => i64::from(left <= right),
        Greater => i64::from(left > right),
        GreaterEqual => i64::from(left >= right),
        ShiftLeft => left << u32::try_from(right).ok().filter(|by| *by < 32)?,
        ShiftRight => left >> u32::try_from(right).ok().filter(|by| *by < 32)?,
        Add => left + right,
        Subtract => left - right,
        Multiply => left * right,
        Divide => left.checked_div(right)?,
        Remainder => left.checked_rem(right)?,
    })
}
