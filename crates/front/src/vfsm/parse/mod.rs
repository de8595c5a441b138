//! From the text of a `.vfsm` file to its tree.
//!
//! The parser goes on after a mistake: it passes over what it can't read up to the next `;` or brace, so that
//! one run reports all mistakes. The grammar stands in the book.

mod condition;
mod machine;
mod state;
mod system;

use super::ast::{Constant, File, Name, Number};
use super::lex::{Kind, Token, lex};
use mazurka_model::source::Diagnostic;

/// How deep parentheses and negations may be nested.
const DEEPEST: usize = 100;
/// How many parts a sum, a conjunction or a disjunction may have.
const LONGEST: usize = 200;

/// The parser gives up what it is reading; what is wrong was reported.
struct Lost;

type Read<T> = Result<T, Lost>;

/// Reads a file; what is wrong is added to `diagnostics`.
pub fn parse(file: u16, text: &str, diagnostics: &mut Vec<Diagnostic>) -> File {
    let tokens = lex(file, text, diagnostics);
    let mut parser = Parser { text, tokens, at: 0, depth: 0, diagnostics };
    parser.file()
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn ahead(&self, by: usize) -> Token {
        self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn word_of(&self, token: Token) -> &str {
        match token.kind {
            Kind::Word => &self.text[token.span.start as usize..token.span.end as usize],
            _ => "",
        }
    }

    /// The word that comes next, if one does.
    fn word(&self) -> &str {
        self.word_of(self.peek())
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.peek().kind, Kind::Mark(found) if found == mark)
    }

    fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.next();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.next();
        }
        found
    }

    fn shown(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", &self.text[token.span.start as usize..token.span.end as usize]),
        }
    }

    fn fail<T>(&mut self, wanted: &str) -> Read<T> {
        let token = self.peek();
        let found = self.shown(token);
        // What is missing at the end of a file is missing for everything that is open.
        if token.kind == Kind::End
            && self.diagnostics.last().is_some_and(|last| last.span == Some(token.span))
        {
            return Err(Lost);
        }
        self.diagnostics
            .push(Diagnostic::error(token.span, format!("{wanted} is expected here, not {found}")));
        Err(Lost)
    }

    fn expect(&mut self, mark: &str) -> Read<()> {
        if self.take(mark) { Ok(()) } else { self.fail(&format!("`{mark}`")) }
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        match self.peek().kind {
            Kind::Word => {
                let text = self.word().to_owned();
                Ok(Name { text, span: self.next().span })
            }
            _ => self.fail(what),
        }
    }

    fn names(&mut self, what: &str) -> Read<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Passes over what can't be read: to behind the next `;`, or before a `}` that closes what is open here.
    fn recover(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                Kind::End => return,
                Kind::Mark("{") => depth += 1,
                Kind::Mark("}") if depth == 0 => return,
                Kind::Mark("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.next();
                        return;
                    }
                }
                Kind::Mark(";") if depth == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    /// Reads things one after another up to the closing brace.
    fn block(&mut self, mut one: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect("{")?;
        while !self.take("}") {
            if self.peek().kind == Kind::End {
                return self.fail("`}`");
            }
            let before = self.at;
            if one(self).is_err() {
                self.recover();
            }
            if self.at == before && !self.is("}") {
                self.next();
            }
        }
        Ok(())
    }

    fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek().kind != Kind::End {
            let before = self.at;
            let read = match self.word() {
                "const" => self.constant().map(|one| file.constants.push(one)),
                "system" => self.system().map(|one| file.systems.push(one)),
                "machine" | "environment" | "free" => self.machine().map(|one| file.machines.push(one)),
                _ => self.fail("`machine`, `system` or `const`"),
            };
            if read.is_err() {
                self.recover();
                self.take("}");
            }
            if self.at == before {
                self.next();
            }
        }
        file
    }

    fn constant(&mut self) -> Read<Constant> {
        self.next();
        let name = self.name("a name")?;
        self.expect("=")?;
        let value = self.number()?;
        self.expect(";")?;
        Ok(Constant { name, value })
    }

    fn number(&mut self) -> Read<Number> {
        let mut sum = self.term()?;
        let mut parts = 0;
        loop {
            parts = self.one_more(parts)?;
            if self.take("+") {
                sum = Number::Plus(Box::new(sum), Box::new(self.term()?));
            } else if self.take("-") {
                sum = Number::Minus(Box::new(sum), Box::new(self.term()?));
            } else {
                return Ok(sum);
            }
        }
    }

    fn term(&mut self) -> Read<Number> {
        match self.peek().kind {
            Kind::Number(number) => Ok(Number::Literal(number, self.next().span)),
            Kind::Word => Ok(Number::Named(self.name("a number")?)),
            _ => self.fail("a number or a name"),
        }
    }
}
