//! Formulas as text, in the spelling of SPIN or of Spot; either is read back by [`crate::parse`].
//!
//! Parentheses stand wherever two readers could disagree: around every operand of a binary operator that
//! is itself one, except implications at the top.

use crate::formula::{Formula, Formulas, Node};
use std::fmt::Write;

/// Whose spelling.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `[] <> U V W && || !`. SPIN has no strong release: it is written with until.
    Spin,
    /// `G F U R W M & | !`.
    Spot,
}

/// The formula as text.
pub fn print(formulas: &Formulas, formula: Formula, spelling: Spelling) -> String {
    let mut out = String::new();
    Printer { formulas, spelling }.formula(formula, &mut out);
    out
}

/// An atom as text: quoted unless it is a plain name.
pub fn print_atom(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && crate::parse::parse(&mut Formulas::new(), text).is_ok_and(|_| reads_back(text));
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// Whether a name is read as itself, not as an operator glued to a shorter name or as a constant.
fn reads_back(text: &str) -> bool {
    let mut formulas = Formulas::new();
    crate::parse::parse(&mut formulas, text).is_ok() && formulas.atoms() == [text]
}

struct Printer<'a> {
    formulas: &'a Formulas,
    spelling: Spelling,
}

impl Printer<'_> {
    fn formula(&self, formula: Formula, out: &mut String) {
        let spin = self.spelling == Spelling::Spin;
        match self.formulas.node(formula) {
            Node::True => out.push_str(if spin { "true" } else { "1" }),
            Node::False => out.push_str(if spin { "false" } else { "0" }),
            Node::Atom(atom) => out.push_str(&print_atom(self.formulas.text(*atom))),
            Node::Not(one) => match self.formulas.node(*one) {
                Node::Iff(left, right) if !spin => self.infix(&[*left, *right], "xor", out),
                _ => self.prefix("!", *one, out),
            },
            Node::Next(one) => self.prefix("X ", *one, out),
            Node::Finally(one) => self.prefix(if spin { "<>" } else { "F " }, *one, out),
            Node::Globally(one) => self.prefix(if spin { "[]" } else { "G " }, *one, out),
            Node::And(all) => self.infix(all, if spin { "&&" } else { "&" }, out),
            Node::Or(all) => self.infix(all, if spin { "||" } else { "|" }, out),
            Node::Implies(left, right) => self.infix(&[*left, *right], "->", out),
            Node::Iff(left, right) => self.infix(&[*left, *right], "<->", out),
            Node::Until(left, right) => self.infix(&[*left, *right], "U", out),
            Node::Release(left, right) => self.infix(&[*left, *right], if spin { "V" } else { "R" }, out),
            Node::WeakUntil(left, right) => self.infix(&[*left, *right], "W", out),
            Node::StrongRelease(left, right) if !spin => self.infix(&[*left, *right], "M", out),
            // f M g = g U (f && g).
            Node::StrongRelease(left, right) => {
                self.operand(*right, out);
                out.push_str(" U (");
                self.infix(&[*left, *right], "&&", out);
                out.push(')');
            }
        }
    }

    fn prefix(&self, sign: &str, operand: Formula, out: &mut String) {
        // `G(` and `!(` as people write them, but `G F p`.
        let atomic = self.is_atomic(operand);
        out.push_str(if atomic { sign } else { sign.trim_end() });
        self.operand(operand, out);
    }

    fn infix(&self, operands: &[Formula], sign: &str, out: &mut String) {
        for (number, operand) in operands.iter().enumerate() {
            if number > 0 {
                let _ = write!(out, " {sign} ");
            }
            self.operand(*operand, out);
        }
    }

    fn operand(&self, operand: Formula, out: &mut String) {
        if self.is_atomic(operand) {
            self.formula(operand, out);
        } else {
            out.push('(');
            self.formula(operand, out);
            out.push(')');
        }
    }

    /// Whether it needs no parentheses.
    fn is_atomic(&self, formula: Formula) -> bool {
        match self.formulas.node(formula) {
            Node::Not(one) => {
                self.spelling == Spelling::Spin || !matches!(self.formulas.node(*one), Node::Iff(..))
            }
            Node::True
            | Node::False
            | Node::Atom(_)
            | Node::Next(_)
            | Node::Finally(_)
            | Node::Globally(_) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn what_is_printed_reads_back() {
        let mut formulas = Formulas::new();
        for text in [
            "G(p -> X(q U (r W s)))",
            "(a M b) R !c",
            "a xor b <-> !(c xor \"x \\\"y\\\\ z\")",
            "F G (x > 3 || !Gone)",
            "\"Xa\" | Free | \"true\" | \"U\"",
        ] {
            let formula = parse(&mut formulas, text).unwrap();
            let spot = print(&formulas, formula, Spelling::Spot);
            assert_eq!(parse(&mut formulas, &spot), Ok(formula), "{spot}");
            let spin = print(&formulas, formula, Spelling::Spin);
            let again = parse(&mut formulas, &spin).unwrap();
            assert_eq!(print(&formulas, again, Spelling::Spin), spin);
        }
    }

    #[test]
    fn spin_gets_only_what_it_knows() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "(a W b) & (c M d)").unwrap();
        assert_eq!(print(&formulas, formula, Spelling::Spin), "(a W b) && (d U (c && d))");
    }
}
