//! What a print effect prints: the format of C's `printf` as far as SPIN's simulator has it.
//!
//! `%d` and `%u` print decimal numbers, `%o` octal and `%x` hexadecimal ones, `%c` a character and `%e`
//! the name of a value. `%%` is a percent sign. Anything else stays as it is, as does a letter that
//! has no argument. Escapes are those of C.

use crate::ir::Program;

/// An argument: its value, `None` if it can't be computed, and the names of its values.
pub type Argument = (Option<i32>, Option<u32>);

/// The text that `format` gives for these arguments.
pub fn formatted(program: &Program, format: &str, arguments: &[Argument]) -> String {
    let mut out = String::new();
    let mut arguments = arguments.iter();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek().copied()) {
            ('%', Some('%')) => {
                rest.next();
                out.push('%');
            }
            ('%', Some(letter @ ('d' | 'u' | 'o' | 'x' | 'c' | 'e'))) => match arguments.next() {
                None => out.push('%'),
                Some(argument) => {
                    rest.next();
                    out.push_str(&shown(program, letter, *argument));
                }
            },
            ('\\', Some(letter)) => {
                rest.next();
                out.push(escape(letter, &mut rest));
            }
            _ => out.push(c),
        }
    }
    out
}

fn shown(program: &Program, letter: char, (value, names): Argument) -> String {
    let Some(value) = value else { return "?".into() };
    match letter {
        'u' => (value as u32).to_string(),
        'o' => format!("{value:o}"),
        'x' => format!("{value:x}"),
        'c' => char::from(value as u8).to_string(),
        // Without names of its own a value is one of the first there are.
        'e' => program.show(names.or(Some(0)), value),
        _ => value.to_string(),
    }
}

fn escape(letter: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0'..='7' => {
            let mut value = letter.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else { break };
                value = value * 8 + digit;
                rest.next();
            }
            char::from(value as u8)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Names;

    fn program() -> Program {
        let values = vec![(1, "msg".to_owned()), (2, "ack".to_owned())];
        Program { names: vec![Names { name: "mtype".into(), values }], ..Program::default() }
    }

    #[test]
    fn every_letter_prints_its_form() {
        let number = |value| (Some(value), None);
        let arguments = [number(-1), number(-1), number(9), number(255), number(65), number(2), number(7)];
        let text = formatted(&program(), "%d %u %o %x %c %e %e", &arguments);
        assert_eq!(text, "-1 4294967295 11 ff A ack 7");
        assert_eq!(formatted(&program(), "%d%%", &[(None, None)]), "?%");
    }

    #[test]
    fn what_means_nothing_stays() {
        assert_eq!(formatted(&program(), "%d %s 100%", &[]), "%d %s 100%");
        assert_eq!(formatted(&program(), r#"a\tb\n\"\\\101"#, &[]), "a\tb\n\"\\A");
        assert_eq!(formatted(&program(), "\\", &[]), "\\");
    }
}
