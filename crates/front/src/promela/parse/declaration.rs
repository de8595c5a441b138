//! Declarations of variables, mtypes and typedefs.

use super::super::ast::{
    BaseType, ChannelInitialiser, Declaration, Expression, Initialiser, MtypeDeclaration, Name, Typedef,
    Variable, Visibility,
};
use super::super::token::{Mark, TokenKind};
use super::Parse;
use super::cursor::Parser;
use super::words::begins_declaration;
use mazurka_model::source::Diagnostic;

/// A declaration or the values of an mtype: both may begin with `mtype`.
pub(super) enum Declared {
    Variables(Declaration),
    Mtype(MtypeDeclaration),
}

impl Parser {
    /// A declaration can begin here.
    pub(super) fn at_declaration(&self) -> bool {
        self.word().is_some_and(|word| begins_declaration(word) || self.types.contains(word))
    }

    /// One declaration, without a separator behind it.
    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let first = self.place();
        let reinitialises = !self.initialising;
        let visibility = match self.word().map(|word| word.as_ref()) {
            Some("hidden") => Some(Visibility::Hidden),
            Some("show") => Some(Visibility::Show),
            Some("local") => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.advance();
        }
        if self.is_word("mtype") {
            let named = *self.ahead(1) == TokenKind::Mark(Mark::Colon)
                && *self.ahead(3) == TokenKind::Mark(Mark::Assign)
                && *self.ahead(4) == TokenKind::Mark(Mark::LeftBrace);
            let bare = matches!(self.ahead(1), TokenKind::Mark(Mark::Assign | Mark::LeftBrace));
            if named || bare {
                return self.mtype_values().map(Declared::Mtype);
            }
        }
        let base = self.base_type()?;
        let mut variables = Vec::with_capacity(1);
        loop {
            variables.push(self.variable()?);
            if !self.accept(Mark::Comma) {
                break;
            }
        }
        let place = self.since(first);
        Ok(Declared::Variables(Declaration { visibility, base, variables, reinitialises, place }))
    }

    fn mtype_values(&mut self) -> Parse<MtypeDeclaration> {
        let first = self.place();
        self.advance();
        let mut subtype = None;
        if self.accept(Mark::Colon) {
            subtype = Some(self.name("the name of the mtype")?);
        }
        self.accept(Mark::Assign);
        self.expect(Mark::LeftBrace, "before the values of the mtype")?;
        let mut names: Vec<Name> = Vec::new();
        while !self.is(Mark::RightBrace) {
            self.implied = false;
            if !names.is_empty() && self.accept(Mark::Comma) {
                continue;
            }
            names.push(self.name("a name for a value of the mtype")?);
        }
        self.expect(Mark::RightBrace, "behind the values of the mtype")?;
        self.mtypes.extend(names.iter().map(|name| name.text.clone()));
        Ok(MtypeDeclaration { subtype, names, place: self.since(first) })
    }

    /// A type, for a declaration or the field of a message.
    fn base_type(&mut self) -> Parse<BaseType> {
        let base = match self.word().map(|word| word.as_ref()) {
            Some("bit") => BaseType::Bit,
            Some("bool") => BaseType::Bool,
            Some("byte") => BaseType::Byte,
            Some("pid") => BaseType::Pid,
            Some("short") => BaseType::Short,
            Some("int") => BaseType::Int,
            Some("unsigned") => BaseType::Unsigned,
            Some("chan") => BaseType::Chan,
            Some("mtype") => {
                self.advance();
                let mut subtype = None;
                if self.accept(Mark::Colon) {
                    subtype = Some(self.name("the name of the mtype")?);
                }
                return Ok(BaseType::Mtype(subtype));
            }
            _ => return self.name("a type").map(BaseType::Named),
        };
        self.advance();
        Ok(base)
    }

    fn variable(&mut self) -> Parse<Variable> {
        if let Some(word) = self.word().cloned()
            && self.mtypes.contains(&word)
        {
            let help = format!("`{word}` is a value of an mtype; choose another name");
            return Err(self.unexpected("expected the name of a variable", Some(&help)));
        }
        let id = self.variable_id();
        let name = self.name("the name of a variable")?;
        let mut width = None;
        let mut length = None;
        if self.is(Mark::Colon) {
            self.advance();
            width = Some(self.unary()?);
        } else if self.accept(Mark::LeftBracket) {
            length = Some(self.expression()?);
            self.expect(Mark::RightBracket, "behind the length of the array")?;
        }
        let initialiser = if self.accept(Mark::Assign) { Some(self.initialiser()?) } else { None };
        Ok(Variable { id, name, width, length, initialiser })
    }

    fn initialiser(&mut self) -> Parse<Initialiser> {
        let first = self.place();
        if self.accept(Mark::LeftBrace) {
            let mut values: Vec<Expression> = Vec::new();
            loop {
                self.implied = false;
                values.push(self.expression()?);
                if !self.accept(Mark::Comma) {
                    break;
                }
            }
            self.expect(Mark::RightBrace, "behind the values of the array")?;
            return Ok(Initialiser::List(values));
        }
        if self.accept(Mark::LeftBracket) {
            let capacity = self.expression()?;
            self.expect(Mark::RightBracket, "behind the capacity of the channel")?;
            self.implied = false;
            if !self.accept_word("of") {
                return Err(self.unexpected("expected `of`", Some("write `[capacity] of { types }`")));
            }
            self.expect(Mark::LeftBrace, "before the types of the message")?;
            let mut fields = Vec::new();
            loop {
                self.implied = false;
                let place = self.place();
                let field = self.base_type()?;
                if field == BaseType::Unsigned {
                    let diagnostic =
                        Diagnostic::error(place.span, "`unsigned` can't be the type of a message field")
                            .label("not allowed here")
                            .help("use `byte`, `short` or `int`");
                    self.report(diagnostic, place);
                    if self.accept(Mark::Colon) {
                        self.unary()?;
                    }
                }
                fields.push(field);
                if !self.accept(Mark::Comma) {
                    break;
                }
            }
            self.expect(Mark::RightBrace, "behind the types of the message")?;
            return Ok(Initialiser::Channel(ChannelInitialiser {
                capacity,
                fields,
                place: self.since(first),
            }));
        }
        self.expression().map(Initialiser::Value)
    }

    /// Declarations with separators between them, up to a closing mark: fields or parameters.
    pub(super) fn declarations(&mut self, close: Mark) -> Parse<Vec<Declaration>> {
        let mut declarations = Vec::new();
        loop {
            while self.is_separator() {
                self.advance();
            }
            if self.is(close) || self.is_end() {
                return Ok(declarations);
            }
            let place = self.place();
            match self.declaration()? {
                Declared::Variables(declaration) => declarations.push(declaration),
                Declared::Mtype(_) => self.misplaced_mtype(place),
            }
            if !self.is_separator() && !self.is(close) {
                let label = format!("expected `;` or `{}`", close.text());
                return Err(self.unexpected(&label, None));
            }
        }
    }

    pub(super) fn misplaced_mtype(&mut self, place: super::super::token::Place) {
        let diagnostic = Diagnostic::error(place.span, "the values of an mtype must be declared globally")
            .label("not allowed here")
            .help("move it out of the braces");
        self.report(diagnostic, place);
    }

    pub(super) fn typedef(&mut self) -> Parse<Typedef> {
        let first = self.place();
        self.advance();
        let name = self.name("the name of the new type")?;
        self.expect(Mark::LeftBrace, "before the fields of the type")?;
        self.in_body = true;
        let fields = self.declarations(Mark::RightBrace);
        self.in_body = false;
        self.types.insert(name.text.clone());
        let fields = fields?;
        self.expect(Mark::RightBrace, "behind the fields of the type")?;
        Ok(Typedef { name, fields, place: self.since(first) })
    }
}
