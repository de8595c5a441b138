//! Intervals of values, and what operators make of them.
//!
//! The abstract domain of Cousot and Cousot (1976): a value is known to lie between two bounds. Expressions compute in 32 bits and wrap
//! around; a result that may leave them can be any value.

use crate::ir::{BinaryOperator, Type, UnaryOperator};

/// The values from `low` to `high`, both included; never empty.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

/// 0 and 1.
pub const TRUTH: Interval = Interval { low: 0, high: 1 };
/// Every value.
pub const ALL: Interval = Interval { low: i32::MIN, high: i32::MAX };

impl Interval {
    /// One value.
    pub fn of(value: i32) -> Interval {
        Interval { low: value, high: value }
    }

    /// From 0 to `high`, which is not negative.
    pub fn up_to(high: usize) -> Interval {
        Interval { low: 0, high: i32::try_from(high).unwrap_or(i32::MAX) }
    }

    /// All values between two bounds, or every value if they don't fit into 32 bits.
    fn between(low: i64, high: i64) -> Interval {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Interval { low, high },
            _ => ALL,
        }
    }

    /// The values of a type.
    pub fn of_type(ty: Type) -> Interval {
        let unsigned = |bits: u8| Interval { low: 0, high: (u32::MAX >> (32 - bits)) as i32 };
        match ty {
            Type::Bit => unsigned(1),
            Type::Byte => unsigned(8),
            Type::Channel => unsigned(16),
            Type::Unsigned(bits) if (1..32).contains(&bits) => unsigned(bits),
            Type::Short => Interval { low: i16::MIN.into(), high: i16::MAX.into() },
            Type::Int | Type::Unsigned(_) => ALL,
        }
    }

    /// What is left of the values when they are stored in a type.
    pub fn cut(self, ty: Type) -> Interval {
        let whole = Interval::of_type(ty);
        match self.low == self.high {
            true => Interval::of(ty.wrap(self.low)),
            false if whole.low <= self.low && self.high <= whole.high => self,
            false => whole,
        }
    }

    /// The values of both, and those between.
    pub fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The values that both have.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    /// How many low bits may be other than 0 in any of the values, which have 32.
    pub fn bits(self) -> u32 {
        if self.low < 0 { 32 } else { 32 - self.high.leading_zeros() }
    }

    /// The least interval of those with bounds 0, 2^k - 1 and -2^k that has these values: there are few of them, so that what
    /// grows again and again soon stops.
    pub fn rounded(self) -> Interval {
        let above = |value: i32| (u32::MAX >> (value | 1).leading_zeros()) as i32;
        Interval {
            low: if self.low < 0 { !above(!self.low) } else { 0 },
            high: if self.high > 0 { above(self.high) } else { 0 },
        }
    }

    /// The values for which a comparison with one of `other` can be true.
    pub fn such_that(operator: BinaryOperator, other: Interval) -> Option<Interval> {
        Some(match operator {
            BinaryOperator::Equal => other,
            BinaryOperator::Less => Interval { low: i32::MIN, high: other.high.checked_sub(1)? },
            BinaryOperator::LessEqual => Interval { low: i32::MIN, high: other.high },
            BinaryOperator::Greater => Interval { low: other.low.checked_add(1)?, high: i32::MAX },
            BinaryOperator::GreaterEqual => Interval { low: other.low, high: i32::MAX },
            _ => ALL,
        })
    }

    /// What an operator makes of the values.
    pub fn unary(self, operator: UnaryOperator) -> Interval {
        let (low, high) = (i64::from(self.low), i64::from(self.high));
        match operator {
            UnaryOperator::Negate => Interval::between(-high, -low),
            UnaryOperator::Complement => Interval { low: !self.high, high: !self.low },
            UnaryOperator::Not => TRUTH,
        }
    }

    /// What an operator makes of the values and those of its right side.
    pub fn binary(self, operator: BinaryOperator, right: Interval) -> Interval {
        let (a, b, c, d) =
            (i64::from(self.low), i64::from(self.high), i64::from(right.low), i64::from(right.high));
        let natural = a >= 0 && c >= 0;
        match operator {
            BinaryOperator::Add => Interval::between(a + c, b + d),
            BinaryOperator::Subtract => Interval::between(a - d, b - c),
            BinaryOperator::Multiply => {
                let products = [a * c, a * d, b * c, b * d];
                let (low, high) =
                    products.iter().fold((i64::MAX, i64::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
                Interval::between(low, high)
            }
            BinaryOperator::Divide if natural => Interval::between(a / d.max(1), b / c.max(1)),
            BinaryOperator::Divide => {
                let most = a.abs().max(b.abs());
                Interval::between(-most, most)
            }
            BinaryOperator::Remainder => {
                let divisor = c.abs().max(d.abs()).max(1) - 1;
                let low = if a < 0 { -divisor.min(-a) } else { 0 };
                let high = if b > 0 { divisor.min(b) } else { 0 };
                Interval::between(low, high)
            }
            BinaryOperator::ShiftLeft if natural && d < 32 => Interval::between(0, b << d),
            BinaryOperator::ShiftRight if natural => Interval::between(a >> d.min(31), b >> c.min(31)),
            BinaryOperator::ShiftRight => self.join(Interval::of(0)).join(Interval::of(-1)),
            BinaryOperator::BitAnd => match (a >= 0, c >= 0) {
                (true, true) => Interval::between(0, b.min(d)),
                (true, false) => Interval::between(0, b),
                (false, true) => Interval::between(0, d),
                (false, false) => ALL,
            },
            BinaryOperator::BitOr | BinaryOperator::BitXor if natural => {
                Interval { low: 0, high: self.high | right.high }.rounded()
            }
            BinaryOperator::ShiftLeft | BinaryOperator::BitOr | BinaryOperator::BitXor => ALL,
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual
            | BinaryOperator::And
            | BinaryOperator::Or => TRUTH,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINARY: [BinaryOperator; 18] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
        BinaryOperator::BitAnd,
        BinaryOperator::BitOr,
        BinaryOperator::BitXor,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
        BinaryOperator::And,
        BinaryOperator::Or,
    ];

    const TYPES: [Type; 8] = [
        Type::Bit,
        Type::Byte,
        Type::Short,
        Type::Int,
        Type::Unsigned(1),
        Type::Unsigned(5),
        Type::Unsigned(31),
        Type::Channel,
    ];

    /// Small values of all kinds, and the ends of what 32 bits hold.
    const VALUES: [i32; 17] = [
        i32::MIN,
        i32::MIN + 1,
        -70_000,
        -300,
        -33,
        -2,
        -1,
        0,
        1,
        2,
        3,
        31,
        32,
        200,
        70_000,
        i32::MAX - 1,
        i32::MAX,
    ];

    fn intervals() -> impl Iterator<Item = Interval> {
        let ends = |low: usize| (low..VALUES.len()).map(move |high| (low, high));
        (0..VALUES.len()).flat_map(ends).map(|(low, high)| Interval { low: VALUES[low], high: VALUES[high] })
    }

    fn has(interval: Interval, value: i32) -> bool {
        interval.low <= value && value <= interval.high
    }

    fn members(interval: Interval) -> impl Iterator<Item = i32> {
        VALUES.into_iter().filter(move |value| has(interval, *value))
    }

    #[test]
    fn whatever_operators_compute_lies_within() {
        for left in intervals() {
            for operator in [UnaryOperator::Negate, UnaryOperator::Not, UnaryOperator::Complement] {
                let result = left.unary(operator);
                assert!(members(left).all(|a| has(result, operator.compute(a))), "{operator:?} {left:?}");
            }
            for right in intervals() {
                for operator in BINARY {
                    let result = left.binary(operator, right);
                    let such = Interval::such_that(operator, right);
                    for (a, b) in members(left).flat_map(|a| members(right).map(move |b| (a, b))) {
                        let Some(value) = operator.compute(a, b) else { continue };
                        assert!(has(result, value), "{a} {operator:?} {b}: {value} of {result:?}");
                        let expected = value == 0 || such.is_some_and(|such| has(such, a));
                        assert!(expected, "{a} {operator:?} {b}: {such:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_stored_lies_within() {
        for interval in intervals() {
            for ty in TYPES {
                let cut = interval.cut(ty);
                assert!(members(interval).all(|value| has(cut, ty.wrap(value))), "{interval:?} {ty:?}");
                assert!(has(Interval::of_type(ty), cut.low) && has(Interval::of_type(ty), cut.high));
            }
            let rounded = interval.rounded();
            assert!(has(rounded, interval.low) && has(rounded, interval.high), "{interval:?} {rounded:?}");
        }
    }

    #[test]
    fn bits_of_values() {
        assert_eq!(Interval::of(0).bits(), 0);
        assert_eq!(Interval::up_to(3).bits(), 2);
        assert_eq!(Interval::up_to(4).bits(), 3);
        assert_eq!(Interval { low: -1, high: 1 }.bits(), 32);
        assert_eq!(Interval { low: 0, high: 5 }.rounded(), Interval { low: 0, high: 7 });
        assert_eq!(Interval { low: -5, high: 8 }.rounded(), Interval { low: -8, high: 15 });
    }
}
