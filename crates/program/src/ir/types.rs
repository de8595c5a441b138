//! The types of values: bounded integers that wrap around, and channel numbers.

/// The type of a variable, an array's element or a message's field.
///
/// Expressions compute in 32-bit integers that wrap around; a value is cut to its type where it is
/// stored.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Type {
    /// 0 or 1.
    Bit,
    /// 0 to 255.
    #[default]
    Byte,
    /// -32768 to 32767.
    Short,
    /// 32 bits with a sign.
    Int,
    /// This many bits (1 to 31) without a sign.
    Unsigned(u8),
    /// The number of a channel; 0 is none.
    Channel,
}

impl Type {
    /// How many bytes a value takes in a state.
    pub fn size(self) -> usize {
        match self {
            Type::Bit | Type::Byte => 1,
            Type::Short | Type::Channel => 2,
            Type::Int => 4,
            Type::Unsigned(bits) if bits <= 8 => 1,
            Type::Unsigned(bits) if bits <= 16 => 2,
            Type::Unsigned(_) => 4,
        }
    }

    /// The value that is left when `value` is stored in this type.
    #[inline]
    pub fn wrap(self, value: i32) -> i32 {
        match self {
            Type::Bit => value & 1,
            Type::Byte => value & 0xff,
            Type::Short => i32::from(value as i16),
            Type::Int => value,
            Type::Unsigned(bits) if bits < 32 => value & ((1u32 << bits) - 1) as i32,
            Type::Unsigned(_) => value,
            Type::Channel => value & 0xffff,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_around() {
        assert_eq!(Type::Bit.wrap(3), 1);
        assert_eq!(Type::Byte.wrap(256), 0);
        assert_eq!(Type::Byte.wrap(-1), 255);
        assert_eq!(Type::Short.wrap(32768), -32768);
        assert_eq!(Type::Int.wrap(-7), -7);
        assert_eq!(Type::Unsigned(5).wrap(33), 1);
    }
}
