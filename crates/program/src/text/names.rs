//! Words of the notation, and how names are written.

use crate::ir::{BinaryOperator, Type};

/// Words that are no names.
pub const KEYWORDS: &[&str] = &[
    "program",
    "limit",
    "var",
    "chan",
    "process",
    "local",
    "start",
    "end",
    "progress",
    "accept",
    "atomic",
    "location",
    "when",
    "do",
    "otherwise",
    "run",
    "assert",
    "print",
    "exit",
    "peek",
    "bit",
    "byte",
    "short",
    "int",
    "unsigned",
    "true",
    "false",
    "_",
    "_pid",
    "_processes",
    "_timeout",
    "_nonprogress",
    "_enabled",
    "_location",
    "_priority",
    "_of",
    "holding",
    "in_group",
    "escaping",
    "urgent",
    "initially",
];

/// Whether a name can be written without backquotes.
fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&name)
}

/// A name as it is written.
pub fn written(name: &str) -> String {
    if is_plain(name) { name.into() } else { format!("`{name}`") }
}

/// A type as it is written.
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Bit => "bit".into(),
        Type::Byte => "byte".into(),
        Type::Short => "short".into(),
        Type::Int => "int".into(),
        Type::Unsigned(bits) => format!("unsigned({bits})"),
        Type::Channel => "chan".into(),
    }
}

/// `ReceiveIs` becomes `receive_is`.
pub fn operation_name(kind: &str) -> String {
    let mut out = String::new();
    for (i, c) in kind.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Every operator with its sign and how tightly it binds.
pub const OPERATORS: &[(BinaryOperator, &str, u8)] = &[
    (BinaryOperator::Or, "||", 1),
    (BinaryOperator::And, "&&", 2),
    (BinaryOperator::BitOr, "|", 3),
    (BinaryOperator::BitXor, "^", 4),
    (BinaryOperator::BitAnd, "&", 5),
    (BinaryOperator::Equal, "==", 6),
    (BinaryOperator::NotEqual, "!=", 6),
    (BinaryOperator::Less, "<", 7),
    (BinaryOperator::LessEqual, "<=", 7),
    (BinaryOperator::Greater, ">", 7),
    (BinaryOperator::GreaterEqual, ">=", 7),
    (BinaryOperator::ShiftLeft, "<<", 8),
    (BinaryOperator::ShiftRight, ">>", 8),
    (BinaryOperator::Add, "+", 9),
    (BinaryOperator::Subtract, "-", 9),
    (BinaryOperator::Multiply, "*", 10),
    (BinaryOperator::Divide, "/", 10),
    (BinaryOperator::Remainder, "%", 10),
];

/// How tightly a sign in front of its operand binds.
pub const PREFIX: u8 = 11;

/// How tightly names, calls and parentheses bind.
pub const PRIMARY: u8 = 12;

/// The known name that is closest to a misspelled one, if any is close.
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    known.map(|k| (distance(name, k), k)).filter(|(d, _)| *d <= limit).min().map(|(_, k)| k)
}

/// The number of edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found() {
        assert_eq!(closest("frok", ["fork", "turn"].into_iter()), None);
        assert_eq!(closest("forks", ["fork", "turn"].into_iter()), Some("fork"));
        assert_eq!(closest("philosofer", ["philosopher"].into_iter()), Some("philosopher"));
    }

    #[test]
    fn operations_are_written_small() {
        assert_eq!(operation_name("ReceiveIs"), "receive_is");
    }
}
