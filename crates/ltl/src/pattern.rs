//! Specification patterns by name: `response: q responds to p after r`.
//!
//! Dwyer, Avrunin and Corbett, *Property specification patterns for finite-state verification* (FMSP 1998), as
//! they publish them for LTL. A pattern is followed by a colon, what it speaks of, and a scope: `globally`,
//! which need not be written, `before r`, `after q`, `between q and r`, `after q until r`.
//! What stands for `p`, `q`, `r`, `s` is any formula without temporal operators; one that has `and`
//! or other words in it goes into parentheses.

use crate::formula::{Formula, Formulas};
use crate::parse::{self, AtomReader, AtomText, NamesAndComparisons, ParseError};
use std::collections::HashMap;

/// A pattern: its name, how it is written, and its formulas for the five scopes.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What goes before the colon.
    pub name: &'static str,
    /// What goes after it.
    pub usage: &'static str,
    /// Words that may follow what the pattern speaks of, and add nothing.
    phrases: &'static [&'static str],
    /// Words between the two things it speaks of, if there are two: the effect `s`, then `p`.
    between: Option<&'static str>,
    /// Globally, before r, after q, between q and r, after q until r.
    formulas: [&'static str; 5],
}

/// All patterns.
pub const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "absence",
        usage: "p never holds",
        phrases: &["never holds", "is never true", "is false", "is absent", "never"],
        between: None,
        formulas: [
            "[] !p",
            "<>r -> (!p U r)",
            "[](q -> [] !p)",
            "[]((q && !r && <>r) -> (!p U r))",
            "[](q && !r -> (!p W r))",
        ],
    },
    Pattern {
        name: "existence",
        usage: "p holds at some time",
        phrases: &["holds at some time", "becomes true", "eventually holds", "holds", "occurs", "eventually"],
        between: None,
        formulas: [
            "<>p",
            "!r W (p && !r)",
            "[] !q || <>(q && <>p)",
            "[](q && !r -> (!r W (p && !r)))",
            "[](q && !r -> (!r U (p && !r)))",
        ],
    },
    Pattern {
        name: "bounded existence",
        usage: "p at most twice",
        phrases: &["becomes true at most twice", "holds at most twice", "at most twice"],
        between: None,
        formulas: [
            "!p W (p W (!p W (p W [] !p)))",
            "<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
            "<>q -> (!q U (q && (!p W (p W (!p W (p W [] !p))))))",
            "[]((q && <>r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r))))))))))",
            "[](q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p W r) || []p)))))))))",
        ],
    },
    Pattern {
        name: "universality",
        usage: "p always holds",
        phrases: &["always holds", "is always true", "is true", "holds", "always"],
        between: None,
        formulas: [
            "[]p",
            "<>r -> (p U r)",
            "[](q -> []p)",
            "[]((q && !r && <>r) -> (p U r))",
            "[](q && !r -> (p W r))",
        ],
    },
    Pattern {
        name: "precedence",
        usage: "s precedes p",
        phrases: &[],
        between: Some("precedes"),
        formulas: [
            "!p W s",
            "<>r -> (!p U (s || r))",
            "[] !q || <>(q && (!p W s))",
            "[]((q && !r && <>r) -> (!p U (s || r)))",
            "[](q && !r -> (!p W (s || r)))",
        ],
    },
    Pattern {
        name: "response",
        usage: "s responds to p",
        phrases: &[],
        between: Some("responds to"),
        formulas: [
            "[](p -> <>s)",
            "<>r -> (p -> (!r U (s && !r))) U r",
            "[](q -> [](p -> <>s))",
            "[]((q && !r && <>r) -> ((p -> (!r U (s && !r))) U r))",
            "[](q && !r -> ((p -> (!r U (s && !r))) W r))",
        ],
    },
];

/// The formula of a pattern whose atoms are names, comparisons or quoted.
pub fn parse(formulas: &mut Formulas, text: &str) -> Result<Formula, ParseError> {
    parse_with(formulas, text, &mut NamesAndComparisons)
}

/// The formula of a pattern whose atoms are read by the caller.
pub fn parse_with(
    formulas: &mut Formulas,
    text: &str,
    reader: &mut dyn AtomReader,
) -> Result<Formula, ParseError> {
    let colon = text.find(':').unwrap_or(text.len());
    let name = text[..colon].split_whitespace().collect::<Vec<_>>().join(" ");
    let pattern = PATTERNS.iter().find(|pattern| pattern.name.eq_ignore_ascii_case(&name));
    let Some(pattern) = pattern.filter(|_| colon < text.len()) else {
        let names: Vec<&str> = PATTERNS.iter().map(|pattern| pattern.name).collect();
        return Err(ParseError::new(0, colon, format!("there is no pattern `{name}`"))
            .help(format!("there are {}, each followed by a colon", names.join(", "))));
    };
    let mut reading = Reading { formulas, text, reader, parts: HashMap::new() };
    let scope = reading.scope(colon + 1)?;
    reading.body(pattern, colon + 1, scope.start)?;
    let parts = reading.parts;
    instantiate(formulas, pattern.formulas[scope.number], &parts)
}

/// A template with formulas in place of its atoms.
fn instantiate(
    formulas: &mut Formulas,
    template: &str,
    parts: &HashMap<&'static str, Formula>,
) -> Result<Formula, ParseError> {
    // The atoms of the template have names that no text of a user can have.
    let mut reader = Hidden;
    let template = parse::parse_with(formulas, template, &mut reader)?;
    let by = parts.iter().map(|(name, part)| (formulas.atom(&hidden(name)), *part)).collect();
    Ok(formulas.replace_atoms(template, &by))
}

fn hidden(name: &str) -> String {
    format!("\0{name}")
}

/// Reads the atoms of templates.
struct Hidden;

impl AtomReader for Hidden {
    fn read(&mut self, text: &str, at: usize) -> Result<Option<AtomText>, ParseError> {
        let name = &text[at..at + 1];
        Ok(["p", "q", "r", "s"].contains(&name).then(|| AtomText { text: hidden(name), end: at + 1 }))
    }
}

/// A scope: its place among the formulas of a pattern, and where its text begins.
struct Scope {
    number: usize,
    start: usize,
}

struct Reading<'a> {
    formulas: &'a mut Formulas,
    text: &'a str,
    reader: &'a mut dyn AtomReader,
    parts: HashMap<&'static str, Formula>,
}

impl Reading<'_> {
    /// The words of a part of the text that are in no parentheses, brackets or quotes: their first and last bytes.
    fn words(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let mut words: Vec<(usize, usize)> = Vec::new();
        let (mut depth, mut quoted) = (0_usize, false);
        for (offset, c) in self.text[start..end].char_indices() {
            let at = start + offset;
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                c if c.is_alphanumeric() || c == '_' => match words.last_mut() {
                    Some((_, last)) if *last == at => *last = at + c.len_utf8(),
                    _ => words.push((at, at + c.len_utf8())),
                },
                _ => {}
            }
        }
        words
    }

    /// Where words that stand one after the other begin and end.
    fn find(&self, phrase: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        let words = self.words(start, end);
        let same = |window: &&[(usize, usize)]| {
            window
                .iter()
                .zip(&wanted)
                .all(|((start, end), word)| self.text[*start..*end].eq_ignore_ascii_case(word))
        };
        words.windows(wanted.len()).filter(same).map(|w| (w[0].0, w[w.len() - 1].1)).collect()
    }

    fn scope(&mut self, start: usize) -> Result<Scope, ParseError> {
        let end = self.text.len();
        let first = ["globally", "before", "after", "between"]
            .into_iter()
            .filter_map(|word| self.find(word, start, end).first().map(|place| (*place, word)))
            .min();
        let Some(((begin, after), word)) = first else { return Ok(Scope { number: 0, start: end }) };
        let number = match word {
            "globally" => {
                if !self.text[after..].trim().is_empty() {
                    return Err(ParseError::new(after, end, "there should be nothing after `globally`"));
                }
                0
            }
            "before" => {
                self.part("r", after, end)?;
                1
            }
            "between" => {
                self.two(after, "and")?;
                3
            }
            _ if self.find("until", after, end).is_empty() => {
                self.part("q", after, end)?;
                2
            }
            _ => {
                self.two(after, "until")?;
                4
            }
        };
        Ok(Scope { number, start: begin })
    }

    /// `q WORD r`.
    fn two(&mut self, start: usize, word: &str) -> Result<(), ParseError> {
        let end = self.text.len();
        match self.find(word, start, end).as_slice() {
            [(begin, after)] => {
                self.part("q", start, *begin)?;
                self.part("r", *after, end)
            }
            [] => Err(ParseError::new(start, end, format!("there should be an `{word}` in this scope"))),
            _ => Err(ParseError::new(start, end, format!("there is more than one `{word}` here"))
                .help("put formulas with operators into parentheses")),
        }
    }

    fn body(&mut self, pattern: &Pattern, start: usize, end: usize) -> Result<(), ParseError> {
        if let Some(phrase) = pattern.between {
            let Some((begin, after)) = self.find(phrase, start, end).first().copied() else {
                return Err(ParseError::new(start, end, format!("there should be `{phrase}` here"))
                    .help(format!("the pattern is written `{}: {}`", pattern.name, pattern.usage)));
            };
            self.part("s", start, begin)?;
            return self.part("p", after, end);
        }
        let ends = |phrase: &&str| {
            self.find(phrase, start, end).last().copied().filter(|(begin, last)| {
                self.text[*last..end].trim().is_empty() && !self.text[start..*begin].trim().is_empty()
            })
        };
        let end = pattern.phrases.iter().find_map(ends).map_or(end, |(begin, _)| begin);
        self.part("p", start, end)
    }

    /// A formula without temporal operators.
    fn part(&mut self, name: &'static str, start: usize, end: usize) -> Result<(), ParseError> {
        let formula = parse::parse_part(self.formulas, self.text, start..end, self.reader)?;
        if self.formulas.is_temporal(formula) {
            return Err(ParseError::new(
                start,
                end,
                "a pattern speaks of formulas without temporal operators",
            ));
        }
        self.parts.insert(name, formula);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso::{self, Lasso};
    use crate::print::{Spelling, print};
    use crate::random::Random;

    fn printed(text: &str) -> String {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        print(&formulas, formula, Spelling::Spin)
    }

    #[test]
    fn patterns_are_written_as_one_says_them() {
        assert_eq!(printed("response: q responds to p after r"), "[](r -> [](p -> <>q))");
        assert_eq!(printed("Response: q responds to p"), "[](p -> <>q)");
        assert_eq!(printed("absence: x > 3 is false globally"), "[]!\"x > 3\"");
        assert_eq!(printed("absence: error"), "[]!error");
        assert_eq!(
            printed("universality: (a and b) between up and down"),
            printed("universality: a && b always holds between (up) and (down)")
        );
        assert_eq!(printed("precedence: s precedes p before r"), "<>r -> (!p U (r || s))");
        assert_eq!(printed("existence: p becomes true after q until r"), "[]((q && !r) -> (!r U (p && !r)))");
        assert_eq!(printed("bounded existence: p at most twice"), "!p W (p W (!p W (p W []!p)))");
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        let mut formulas = Formulas::new();
        for (text, start, message) in [
            ("respond: p", 0, "there is no pattern `respond`"),
            ("response q responds to p", 0, "there is no pattern"),
            ("response: q answers p", 9, "there should be `responds to` here"),
            ("absence: p && before r", 14, "ends where an operand"),
            ("absence: <>p", 8, "without temporal operators"),
            ("absence: p between q", 18, "there should be an `and`"),
            ("absence: p between q and r and s", 18, "more than one"),
            ("absence: p globally q", 19, "nothing after"),
        ] {
            let error = parse(&mut formulas, text).expect_err(text);
            assert!(error.message.contains(message), "{text}: {error}");
            assert_eq!(error.start, start, "{text}: {error}");
        }
    }

    /// Where the segments of a scope begin and end, on a word that is unrolled far enough; no end: never.
    fn segments(scope: usize, q: &[bool], r: &[bool], all_starts: usize) -> Vec<(usize, Option<usize>)> {
        let next = |from: usize| (from..r.len()).find(|i| r[*i]);
        let starts = (0..all_starts).filter(|i| q[*i] && !r[*i]);
        match scope {
            0 => vec![(0, None)],
            1 => next(0).map(|end| (0, Some(end))).into_iter().collect(),
            2 => (0..all_starts).find(|i| q[*i]).map(|start| (start, None)).into_iter().collect(),
            3 => starts.filter_map(|start| next(start).map(|end| (start, Some(end)))).collect(),
            _ => starts.map(|start| (start, next(start))).collect(),
        }
    }

    /// Whether a pattern is so on a word, by its description instead of its formula.
    fn is_so(pattern: &str, scope: usize, word: &Lasso) -> bool {
        // Unrolled so often that whatever comes at all comes after any position of the first round.
        let mut positions = vec![0];
        for _ in 0..4 * word.positions() {
            positions.push(word.following(positions[positions.len() - 1]));
        }
        let values =
            |index: usize| -> Vec<bool> { positions.iter().map(|i| word.has_index(*i, index)).collect() };
        let (p, q, r, s) = (values(0), values(1), values(2), values(3));
        let length = positions.len();
        let rounds = word.positions();
        let on = |(start, end): &(usize, Option<usize>)| {
            let inside = || *start..end.unwrap_or(length);
            // Of a segment without end, the beginnings that count are those whose answer can be seen.
            let asked = *start..end.unwrap_or(length - rounds);
            match pattern {
                "absence" => inside().all(|i| !p[i]),
                "universality" => inside().all(|i| p[i]),
                "existence" => inside().any(|i| p[i]),
                "precedence" => match inside().find(|i| p[*i]) {
                    Some(first) => (*start..=first).any(|i| s[i]),
                    None => true,
                },
                _ => asked.clone().all(|i| !p[i] || (i..end.unwrap_or(length)).any(|j| s[j])),
            }
        };
        let found = segments(scope, &q, &r, 2 * rounds);
        match (pattern, scope) {
            // As published: after some q, not after the first.
            ("precedence", 2) => {
                let starts: Vec<usize> = (0..2 * rounds).filter(|i| q[*i]).collect();
                starts.is_empty() || starts.iter().any(|start| on(&(*start, None)))
            }
            _ => found.iter().all(on),
        }
    }

    #[test]
    fn formulas_say_what_patterns_and_scopes_mean() {
        let scopes = ["globally", "before r", "after q", "between q and r", "after q until r"];
        for pattern in PATTERNS.iter().filter(|pattern| pattern.name != "bounded existence") {
            for (number, scope) in scopes.iter().enumerate() {
                let mut formulas = Formulas::new();
                for name in ["p", "q", "r", "s"] {
                    formulas.atom(name);
                }
                let text = format!("{}: {} {scope}", pattern.name, pattern.usage);
                let formula = parse(&mut formulas, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
                let mut random = Random::new(number as u64);
                let mut values = [0, 0];
                for _ in 0..2_000 {
                    let word = random.word(4, 4);
                    let value = lasso::holds(&formulas, formula, &word);
                    assert_eq!(value, is_so(pattern.name, number, &word), "{text} of {word:?}");
                    values[usize::from(value)] += 1;
                }
                assert!(values.iter().all(|count| *count > 20), "{text}: {values:?}");
            }
        }
    }
}
