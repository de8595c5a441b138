//! Statements and sequences of them.

use super::super::ast::{Expression, ExpressionKind, Reference, Sequence, Statement, StatementKind};
use super::super::token::{Mark, Place, Token, TokenKind};
use super::cursor::Parser;
use super::declaration::Declared;
use super::expression::binary_operator;
use super::words::{begins_item, is_embedded_c, is_reserved};
use super::{Failed, Parse};
use mazurka_model::source::Diagnostic;

/// A word this short resembles too many others.
const SHORT_WORD: usize = 3;

impl Parser {
    /// `{ statements }` of a process or claim.
    pub(super) fn body(&mut self) -> Parse<Sequence> {
        self.in_body = true;
        self.initialising = true;
        let result = self.block(true);
        self.in_body = false;
        self.initialising = true;
        result
    }

    /// `{ statements }`
    fn block(&mut self, outermost: bool) -> Parse<Sequence> {
        let first = self.place();
        self.expect(Mark::LeftBrace, "before the statements")?;
        self.initialising &= outermost;
        let mut sequence = self.nested(|parser| parser.sequence())?;
        self.expect(Mark::RightBrace, "behind the statements")?;
        sequence.place = self.since(first);
        Ok(sequence)
    }

    pub(super) fn block_statement(&mut self) -> Parse<Statement> {
        let first = self.place();
        let kind = StatementKind::Block(self.block(false)?);
        Ok(Statement { labels: Vec::new(), kind, place: self.since(first) })
    }

    /// Statements up to something that ends a sequence. Goes on after errors.
    fn sequence(&mut self) -> Parse<Sequence> {
        let first = self.place();
        let mut statements = Vec::new();
        loop {
            while self.is_separator() {
                self.advance();
            }
            if self.ends_sequence() || self.gave_up() {
                break;
            }
            let start = self.at;
            self.parentheses = 0;
            match self.step() {
                Ok(statement) => {
                    let complete = self.is_separator() || self.ends_sequence();
                    statements.push(statement);
                    if !complete {
                        self.missing_separator();
                    }
                }
                Err(Failed) => {
                    self.parentheses = 0;
                    self.skip_statement(start);
                    // The place keeps the tree in shape; there is an error anyway.
                    let kind = StatementKind::Expression(Expression {
                        kind: ExpressionKind::Skip,
                        place: self.previous,
                    });
                    statements.push(Statement { labels: Vec::new(), kind, place: self.previous });
                }
            }
        }
        if statements.is_empty() && !self.gave_up() {
            let place = self.place();
            let diagnostic = Diagnostic::error(place.span, "a statement is missing")
                .label("expected a statement before this")
                .help("write `skip` if nothing should happen");
            self.report(diagnostic, place);
        }
        Ok(Sequence { statements, place: self.since(first) })
    }

    fn missing_separator(&mut self) {
        let start = self.at;
        let help = self.undefined_inline().or_else(|| self.later_proctype());
        self.unexpected("expected `;` or `->` before this", help.as_deref());
        let begins_statement = match &self.token().kind {
            TokenKind::Name(_) => true,
            TokenKind::Mark(mark) => *mark == Mark::LeftBrace,
            _ => false,
        };
        if !begins_statement {
            self.skip_statement(start);
        }
    }

    /// For a name with arguments that is no inline: it may be one that is missing, or a misspelt keyword.
    fn undefined_inline(&self) -> Option<String> {
        let TokenKind::Name(word) = &self.tokens[self.at.checked_sub(1)?].kind else { return None };
        if !self.is(Mark::LeftParen) || is_reserved(word) {
            return None;
        }
        if self.declares_later("inline", word) {
            return Some(format!("inline `{word}` is defined later: move it before this"));
        }
        match self.misspelt() {
            Some(guess) if word.len() > SHORT_WORD => Some(guess),
            Some(guess) => Some(format!("{guess} There is no inline or macro `{word}` before this")),
            None => Some(format!("there is no inline or macro `{word}` before this")),
        }
    }

    /// For `P[1]:x` before the proctype, which makes the colon one of a label.
    fn later_proctype(&self) -> Option<String> {
        let mut before = self.at.checked_sub(1)?;
        if self.tokens[before].kind == TokenKind::Mark(Mark::RightBracket) {
            let opens = |token: &Token| token.kind == TokenKind::Mark(Mark::LeftBracket);
            before = self.tokens[..before].iter().rposition(opens)?.checked_sub(1)?;
        }
        let TokenKind::Name(word) = &self.tokens[before].kind else { return None };
        let later = self.is(Mark::Colon)
            && (self.declares_later("proctype", word) || self.declares_later("D_proctype", word));
        later.then(|| {
            format!("proctype `{word}` is declared later: move it before this, as SPIN wants it too")
        })
    }

    /// Whether a declaration of this name follows.
    fn declares_later(&self, keyword: &str, name: &str) -> bool {
        let is = |token: &Token, word: &str| matches!(&token.kind, TokenKind::Name(text) if &**text == word);
        self.tokens[self.at..].windows(2).any(|pair| is(&pair[0], keyword) && is(&pair[1], name))
    }

    /// Recovers from an error in a statement that began at `start`: goes to where the next may begin.
    fn skip_statement(&mut self, start: usize) {
        if self.gave_up() {
            return;
        }
        // What is open since the start of the statement; true for braces.
        let mut open = Vec::new();
        let tokens = self.tokens.clone();
        for token in &tokens[start.min(self.at)..self.at] {
            track(&mut open, &token.kind);
        }
        let mut moved = self.at > start;
        while !self.is_end() {
            let token = self.token();
            match &token.kind {
                TokenKind::Mark(Mark::RightBrace) if !open.contains(&true) => return,
                TokenKind::Name(word) if begins_item(word) => return,
                _ => {}
            }
            let ends = self.is_separator() || self.ends_sequence() || moved && token.starts_line;
            if open.is_empty() && ends {
                return;
            }
            track(&mut open, &token.kind);
            self.implied = false;
            self.advance();
            moved = true;
        }
    }

    /// One element of a sequence: a declaration or a statement, perhaps with `unless`.
    fn step(&mut self) -> Parse<Statement> {
        let first = self.place();
        if self.at_declaration() {
            return self.local_declaration(first);
        }
        if self.is_word("xr") || self.is_word("xs") {
            let receive = self.is_word("xr");
            self.advance();
            let mut channels = vec![self.reference()?];
            while self.accept(Mark::Comma) {
                channels.push(self.reference()?);
            }
            let kind = StatementKind::Exclusive { receive, channels };
            return Ok(Statement { labels: Vec::new(), kind, place: self.since(first) });
        }
        let main = self.statement()?;
        if !self.is_word("unless") {
            return Ok(main);
        }
        self.advance();
        let escape = self.nested(|parser| parser.statement())?;
        if self.is_word("unless") {
            let help = "put the first `unless` and its two statements in braces";
            return Err(self.unexpected("expected `;`", Some(help)));
        }
        let kind = StatementKind::Unless { main: Box::new(main), escape: Box::new(escape) };
        Ok(Statement { labels: Vec::new(), kind, place: self.since(first) })
    }

    fn local_declaration(&mut self, first: Place) -> Parse<Statement> {
        match self.declaration()? {
            Declared::Variables(declaration) => {
                let kind = StatementKind::Declaration(declaration);
                Ok(Statement { labels: Vec::new(), kind, place: self.since(first) })
            }
            Declared::Mtype(_) => {
                self.misplaced_mtype(first);
                Err(Failed)
            }
        }
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parse<Statement> {
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(self.name("a label")?);
            self.advance();
        }
        let place = self.place();
        if !labels.is_empty() {
            if self.at_declaration() || self.is_word("xr") || self.is_word("xs") {
                let help = "put the label behind the declarations, or write `skip;` behind it";
                return Err(self.unexpected("a label can't stand before a declaration", Some(help)));
            }
            let skips = self.is_separator() || self.ends_sequence() || self.is_word("unless");
            if skips {
                let place = self.previous;
                let kind = StatementKind::Expression(Expression { kind: ExpressionKind::Skip, place });
                return Ok(Statement { labels, kind, place });
            }
        }
        if self.at_inline_call() {
            let mut statement = self.inline_call(None)?;
            statement.labels = labels;
            return Ok(statement);
        }
        let statement = match self.bare_statement()? {
            Bare::Kind(kind) => Statement { labels, kind, place: self.since(place) },
            Bare::Whole(mut statement) => {
                statement.labels = labels;
                statement.place = self.expansions.join(place, statement.place);
                statement
            }
        };
        self.initialising = false;
        Ok(statement)
    }

    fn at_label(&self) -> bool {
        *self.ahead(1) == TokenKind::Mark(Mark::Colon)
            && self.word().is_some_and(|word| !is_reserved(word) && !self.proctypes.contains(word))
    }

    fn bare_statement(&mut self) -> Parse<Bare> {
        if self.is(Mark::LeftBrace) {
            return self.block(false).map(StatementKind::Block).map(Bare::Kind);
        }
        let Some(word) = self.word().cloned() else { return self.expression_statement() };
        if !is_reserved(&word) {
            if self.mtypes.contains(&word) {
                return self.expression_statement();
            }
            return self.after_reference();
        }
        if is_embedded_c(&word) {
            return Err(self.embedded_c());
        }
        let kind = match word.as_ref() {
            "if" => StatementKind::If(self.options("fi")?),
            "do" => StatementKind::Do(self.options("od")?),
            "for" => self.for_statement()?,
            "select" => self.select()?,
            "atomic" => {
                self.advance();
                StatementKind::Atomic(self.block(false)?)
            }
            "d_step" => {
                self.advance();
                StatementKind::DStep(self.block(false)?)
            }
            "else" => {
                self.advance();
                StatementKind::Else
            }
            "break" => {
                self.advance();
                StatementKind::Break
            }
            "goto" => {
                self.advance();
                StatementKind::Goto(self.name("a label behind `goto`")?)
            }
            "printf" => self.printf()?,
            "printm" => {
                self.advance();
                self.expect(Mark::LeftParen, "behind `printm`")?;
                let value = self.expression()?;
                self.expect(Mark::RightParen, "behind the value")?;
                StatementKind::Printm(value)
            }
            "assert" => {
                self.advance();
                StatementKind::Assert(self.expression()?)
            }
            "set_priority" => {
                self.advance();
                self.expect(Mark::LeftParen, "behind `set_priority`")?;
                let process = self.expression()?;
                self.expect(Mark::Comma, "between the process and its priority")?;
                let priority = self.expression()?;
                self.expect(Mark::RightParen, "behind the priority")?;
                StatementKind::SetPriority(process, priority)
            }
            "return" => return self.return_statement(),
            _ => return self.expression_statement(),
        };
        Ok(Bare::Kind(kind))
    }

    fn expression_statement(&mut self) -> Parse<Bare> {
        if self.is_separator() {
            return Err(self.unexpected("expected a statement", None));
        }
        let operator = self.mark().and_then(binary_operator).is_some() && !self.is(Mark::Minus);
        if operator && self.token().starts_line {
            let help = "the end of a line ends a statement: put long expressions in parentheses";
            return Err(self.unexpected("expected a statement", Some(help)));
        }
        self.expression().map(StatementKind::Expression).map(Bare::Kind)
    }

    /// What begins with a variable: an assignment, a send, a receive, or an expression.
    fn after_reference(&mut self) -> Parse<Bare> {
        let reference = self.reference()?;
        let next_is_bracket = *self.ahead(1) == TokenKind::Mark(Mark::LeftBracket);
        let kind = match self.mark() {
            Some(Mark::Assign) => {
                self.advance();
                if self.at_inline_call() {
                    return self.inline_call(Some(reference)).map(Bare::Whole);
                }
                StatementKind::Assign { target: reference, value: self.expression()? }
            }
            Some(Mark::PlusPlus) => {
                self.advance();
                StatementKind::Increment(reference)
            }
            Some(Mark::MinusMinus) => {
                self.advance();
                StatementKind::Decrement(reference)
            }
            Some(mark @ (Mark::Not | Mark::NotNot)) => {
                self.advance();
                self.send(reference, mark == Mark::NotNot)?
            }
            Some(mark @ (Mark::Question | Mark::QuestionQuestion)) if !next_is_bracket => {
                self.advance();
                self.receive(reference, mark == Mark::QuestionQuestion)?
            }
            _ => {
                let left = self.operand_from(reference)?;
                StatementKind::Expression(self.expression_from(left)?)
            }
        };
        Ok(Bare::Kind(kind))
    }

    /// The options of `if` or `do`.
    fn options(&mut self, close: &str) -> Parse<Vec<Sequence>> {
        let open = self.place();
        self.initialising = false;
        self.advance();
        let mut options = Vec::new();
        while self.is_separator() {
            self.advance();
        }
        if !self.is(Mark::DoubleColon) {
            return Err(self.unexpected("expected `::` before the first option", None));
        }
        while self.accept(Mark::DoubleColon) {
            options.push(self.nested(|parser| parser.sequence())?);
        }
        if !self.is_word(close) {
            if !self.gave_up() {
                let message = format!("unexpected `{}`", self.token().kind.written());
                let place = self.place();
                let diagnostic = Diagnostic::error(place.span, message)
                    .label(format!("expected `::` or `{close}`"))
                    .help(format!("close the options with `{close}`"))
                    .note(open.span, "the options began here");
                self.report(diagnostic, place);
            }
            return Err(Failed);
        }
        self.advance();
        Ok(options)
    }

    fn for_statement(&mut self) -> Parse<StatementKind> {
        self.initialising = false;
        self.advance();
        self.expect(Mark::LeftParen, "behind `for`")?;
        let variable = self.reference()?;
        if self.accept_word("in") {
            let over = self.reference()?;
            self.expect(Mark::RightParen, "behind the array or channel")?;
            let body = self.for_body()?;
            return Ok(StatementKind::ForIn { variable, over, body });
        }
        let (from, to) = self.range("for")?;
        let body = self.for_body()?;
        Ok(StatementKind::ForRange { variable, from, to, body })
    }

    fn for_body(&mut self) -> Parse<Sequence> {
        while self.is(Mark::Semicolon) {
            self.advance();
        }
        self.block(false)
    }

    /// `: from .. to )`
    fn range(&mut self, word: &str) -> Parse<(Expression, Expression)> {
        if !self.accept(Mark::Colon) {
            let help = format!("write `{word} (variable : from .. to)`");
            return Err(self.unexpected("expected `:` behind the variable", Some(&help)));
        }
        let from = self.expression()?;
        self.expect(Mark::DotDot, "between the first and the last value")?;
        let to = self.expression()?;
        self.expect(Mark::RightParen, "behind the range")?;
        Ok((from, to))
    }

    fn select(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(Mark::LeftParen, "behind `select`")?;
        let variable = self.reference()?;
        let (from, to) = self.range("select")?;
        Ok(StatementKind::Select { variable, from, to })
    }

    fn printf(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(Mark::LeftParen, "behind `printf`")?;
        let TokenKind::String(format) = self.token().kind.clone() else {
            return Err(self.unexpected("expected a string", Some("write `printf(\"text\")`")));
        };
        self.advance();
        let arguments = if self.accept(Mark::Comma) { self.arguments()? } else { Vec::new() };
        self.expect(Mark::RightParen, "behind the arguments of `printf`")?;
        Ok(StatementKind::Printf { format, arguments })
    }

    fn return_statement(&mut self) -> Parse<Bare> {
        let target: Option<Reference> = self.expanding.last().and_then(|(_, target)| target.clone());
        let Some(mut target) = target else {
            let help = "`return` only stands in an inline that is called as `variable = inline(…)`";
            return Err(self.unexpected("nothing takes the value", Some(help)));
        };
        self.advance();
        target.id = self.reference_id();
        let value = self.expression()?;
        Ok(Bare::Kind(StatementKind::Assign { target, value }))
    }
}

/// Keeps account of what a token opens or closes.
fn track(open: &mut Vec<bool>, kind: &TokenKind) {
    match kind {
        TokenKind::Mark(Mark::LeftBrace) => open.push(true),
        TokenKind::Mark(Mark::RightBrace) => while open.pop() == Some(false) {},
        TokenKind::Name(word) => match word.as_ref() {
            "if" | "do" => open.push(false),
            "fi" | "od" if open.last() == Some(&false) => {
                open.pop();
            }
            _ => {}
        },
        _ => {}
    }
}

/// A statement without its labels: what it does, or (a call of an inline) all of it.
enum Bare {
    Kind(StatementKind),
    Whole(Statement),
}
