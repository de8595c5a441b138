//! The first pass: everything but transitions.

use super::{Body, Parser, Read, Token};
use crate::ir::{
    Channel, HIGHEST_PROCESS_LIMIT, Location, LocationId, Object, ObjectKind, ProcessType, Start, Type,
    TypeId, Variable,
};
use mazurka_model::source::{Diagnostic, Span};

const TOP: &[&str] = &["program", "limit", "overflow", "var", "chan", "process", "start"];
const INNER: &[&str] =
    &["local", "chan", "start", "end", "progress", "accept", "atomic", "urgent", "location", "initially"];

/// A channel's name among initial values: which value it is, the name, and where it stands.
type ChannelName = (usize, String, Span);

/// A process in `start`, whose type may not be declared yet.
struct PendingStart {
    name: String,
    span: Span,
    arguments: Vec<(i32, Span)>,
    priority: u8,
    names: Vec<ChannelName>,
}

impl Parser {
    /// Reads all declarations and notes where transitions begin.
    pub(super) fn declarations(&mut self) {
        let mut starts = Vec::new();
        let mut named = Vec::new();
        while *self.peek() != Token::End {
            let before = self.next;
            if self.declaration(&mut starts, &mut named).is_err() {
                self.skip_to_declaration(before);
            }
        }
        self.resolve_initial_channels(named);
        for start in starts {
            self.resolve_start(start);
        }
    }

    fn at_declaration(&self) -> bool {
        match self.peek() {
            Token::Word(word) if TOP.contains(&word.as_str()) => true,
            // Words for objects are ordinary names elsewhere.
            Token::Word(word) if ObjectKind::KEYWORDS.contains(&word.as_str()) => {
                matches!(self.peek_second(), Token::Word(_) | Token::Quoted(_))
            }
            _ => false,
        }
    }

    fn skip_to_declaration(&mut self, before: usize) {
        if self.next == before {
            self.advance();
        }
        while *self.peek() != Token::End && !self.at_declaration() {
            self.advance();
        }
    }

    fn declaration(
        &mut self,
        starts: &mut Vec<PendingStart>,
        named: &mut Vec<(usize, usize, String, Span)>,
    ) -> Read<()> {
        let span = self.span();
        if self.take_word("program") {
            self.program.name = self.name("the program's name")?.0;
        } else if self.take_word("limit") {
            let at = self.span();
            let limit = self.number("the limit of processes or channels", u16::MAX.into())? as u16;
            if self.take_word("channels") {
                self.program.channel_limit = limit;
            } else if limit > HIGHEST_PROCESS_LIMIT {
                let message = format!("the limit of processes is at most {HIGHEST_PROCESS_LIMIT}");
                return self.error(at, format!("{message}, {limit} is too large"));
            } else {
                self.program.process_limit = limit;
            }
        } else if self.take_word("overflow") {
            self.program.overflow = true;
        } else if self.take_word("var") {
            let global = self.program.globals.len();
            let (variable, names) = self.variable(true)?;
            self.check_fresh(&variable.name, variable.span);
            named.extend(names.into_iter().map(|(i, name, span)| (global, i, name, span)));
            self.program.globals.push(variable);
        } else if self.take_word("chan") {
            let channel = self.channel()?;
            self.check_fresh(&channel.name, channel.span);
            self.program.channels.push(channel);
        } else if self.take_word("process") {
            self.process_type(span)?;
        } else if self.take_word("start") {
            starts.extend(self.comma_separated(Parser::pending_start)?);
        } else if self.at_declaration() {
            self.object()?;
        } else {
            return self
                .expected("a declaration (var, chan, process, start, or an object such as semaphore)");
        }
        Ok(())
    }

    /// Notes a name of the program's that is declared twice.
    fn check_fresh(&mut self, name: &str, span: Span) {
        let program = &self.program;
        let known = program.globals.iter().any(|v| v.name == name)
            || program.channels.iter().any(|c| c.name == name)
            || program.objects.iter().any(|o| o.name == name);
        if known {
            self.diagnostics.push(Diagnostic::error(span, format!("`{name}` is declared twice")));
        }
    }

    fn ty(&mut self) -> Read<Type> {
        let ty = match self.peek() {
            Token::Word(word) => match word.as_str() {
                "bit" => Type::Bit,
                "byte" => Type::Byte,
                "short" => Type::Short,
                "int" => Type::Int,
                "chan" => Type::Channel,
                "unsigned" => {
                    self.advance();
                    self.sign("(")?;
                    let bits = self.number("a number of bits", 31)?;
                    self.sign(")")?;
                    return Ok(Type::Unsigned(bits as u8));
                }
                _ => return self.expected("a type (bit, byte, short, int, unsigned(n), chan)"),
            },
            _ => return self.expected("a type (bit, byte, short, int, unsigned(n), chan)"),
        };
        self.advance();
        Ok(ty)
    }

    /// `name: type[length] = value`, with the channel names among its values.
    fn variable(&mut self, sized: bool) -> Read<(Variable, Vec<ChannelName>)> {
        let (name, span) = self.name("a variable's name")?;
        self.sign(":")?;
        let ty = self.ty()?;
        let mut variable = Variable { name, ty, span, ..Variable::default() };
        let mut names = Vec::new();
        if sized && self.take_sign("[") {
            variable.length = Some(self.number("an array's length", 1 << 24)? as u32);
            self.sign("]")?;
        }
        if sized && self.take_sign("=") {
            let list = self.take_sign("[");
            loop {
                let index = variable.initial.len();
                let value = self.initial_value(index, &mut names)?;
                variable.initial.push(value);
                if !list || !self.take_sign(",") {
                    break;
                }
            }
            if list {
                self.sign("]")?;
            }
        }
        Ok((variable, names))
    }

    /// A number, or the name of a channel, which is resolved when all are declared.
    fn initial_value(&mut self, index: usize, names: &mut Vec<ChannelName>) -> Read<i32> {
        if self.at_name() {
            let (name, span) = self.name("a value")?;
            names.push((index, name, span));
            return Ok(0);
        }
        if self.take_word("true") {
            return Ok(1);
        }
        if self.take_word("false") {
            return Ok(0);
        }
        let negative = self.take_sign("-");
        let value = self.number("a number", 1 << 31)?;
        Ok(if negative { -value } else { value } as i32)
    }

    fn channel_number(&mut self, name: &str, span: Span) -> Read<i32> {
        if let Some(index) = self.program.channels.iter().position(|c| c.name == name) {
            return Ok(index as i32 + 1);
        }
        let known: Vec<String> = self.program.channels.iter().map(|c| c.name.clone()).collect();
        self.unknown(span, "the channel", name, known.iter().map(String::as_str))
    }

    fn resolve_initial_channels(&mut self, named: Vec<(usize, usize, String, Span)>) {
        for (global, index, name, span) in named {
            if let Ok(number) = self.channel_number(&name, span) {
                self.program.globals[global].initial[index] = number;
            }
        }
        for body in 0..self.bodies.len() {
            let process = self.bodies[body].process;
            for (local, index, name, span) in std::mem::take(&mut self.bodies[body].named) {
                if let Ok(number) = self.channel_number(&name, span) {
                    self.program.types[process].locals[local].initial[index] = number;
                }
            }
        }
    }

    /// `name[capacity]: type, type`
    fn channel(&mut self) -> Read<Channel> {
        let (name, span) = self.name("a channel's name")?;
        self.sign("[")?;
        let capacity = self.number("a channel's capacity", 0xffff)? as u16;
        self.sign("]")?;
        self.sign(":")?;
        let fields = self.comma_separated(Parser::ty)?;
        Ok(Channel { name, capacity, fields, span, ..Channel::default() })
    }

    /// `semaphore s = 1`: a keyword, a name, and the object's parameters after `=`.
    fn object(&mut self) -> Read<()> {
        let Token::Word(keyword) = self.peek().clone() else { return self.expected("an object") };
        self.advance();
        let (name, span) = self.name("the object's name")?;
        self.check_fresh(&name, span);
        let mut parameters = Vec::new();
        if self.take_sign("=") {
            parameters = self.comma_separated(|p| {
                let negative = p.take_sign("-");
                let value = p.number("a number", 1 << 31)?;
                Ok(if negative { -value } else { value } as i32)
            })?;
        }
        match ObjectKind::parse(&keyword, &parameters) {
            Ok(kind) => self.program.objects.push(Object { name, kind, span }),
            Err(message) => return self.error(span, message),
        }
        Ok(())
    }

    fn process_type(&mut self, start: Span) -> Read<()> {
        let (name, span) = self.name("a process type's name")?;
        if self.program.types.iter().any(|p| p.name == name) {
            self.diagnostics.push(Diagnostic::error(span, format!("process `{name}` is declared twice")));
        }
        let mut process = ProcessType { name, ..ProcessType::default() };
        self.sign("(")?;
        if !self.at_sign(")") {
            for (parameter, _) in self.comma_separated(|p| p.variable(false))? {
                process.locals.push(parameter);
            }
        }
        process.parameters = process.locals.len();
        self.sign(")")?;
        process.span = self.since(start);
        self.sign("{")?;
        let mut body = Body {
            process: self.program.types.len(),
            transitions: Vec::new(),
            atomic: Vec::new(),
            prologue: Vec::new(),
            start: None,
            named: Vec::new(),
        };
        while !self.at_sign("}") && *self.peek() != Token::End && !self.at_word("process") {
            let before = self.next;
            if self.inner_declaration(&mut process, &mut body).is_err() {
                self.skip_to_item(before);
            }
        }
        self.add_sources(&mut process, &body);
        self.program.types.push(process);
        self.bodies.push(body);
        self.sign("}")
    }

    /// Whether something that stands for itself in a process begins here.
    pub(super) fn at_item(&self) -> bool {
        // An operation may have the name of a keyword: `timer.start()`.
        let after_dot = self.next > 0 && self.tokens[self.next - 1].token == Token::Sign(".");
        if after_dot && *self.peek() != Token::End {
            return false;
        }
        match self.peek() {
            Token::End | Token::Sign("}") => true,
            Token::Word(word) if INNER.contains(&word.as_str()) || word == "process" => true,
            _ => self.at_transition(),
        }
    }

    fn at_transition(&self) -> bool {
        self.at_name() && *self.peek_second() == Token::Sign("->")
    }

    fn skip_to_item(&mut self, before: usize) {
        if self.next == before && !matches!(self.peek(), Token::Sign("}")) {
            self.advance();
        }
        while !self.at_item() {
            self.advance();
        }
    }

    fn inner_declaration(&mut self, process: &mut ProcessType, body: &mut Body) -> Read<()> {
        if self.take_word("local") {
            let (local, names) = self.variable(true)?;
            self.check_inner(process, &local.name, local.span);
            let number = process.locals.len();
            body.named.extend(names.into_iter().map(|(i, name, span)| (number, i, name, span)));
            process.locals.push(local);
        } else if self.take_word("chan") {
            let channel = self.channel()?;
            self.check_inner(process, &channel.name, channel.span);
            process.channels.push(channel);
        } else if self.take_word("initially") {
            body.prologue.push(self.next);
            self.skip_to_item(self.next);
        } else if self.take_word("start") {
            body.start = Some(self.name("a location's name")?);
        } else if self.at_transition() {
            body.transitions.push(self.next);
            self.skip_to_item(self.next);
        } else if self.at_item() {
            self.location(process, body)?;
        } else {
            return self
                .expected("a transition (a -> b when … do …), `local`, `chan`, `location` or `start`");
        }
        Ok(())
    }

    fn check_inner(&mut self, process: &ProcessType, name: &str, span: Span) {
        let known =
            process.locals.iter().any(|v| v.name == name) || process.channels.iter().any(|c| c.name == name);
        if known {
            self.diagnostics.push(Diagnostic::error(span, format!("`{name}` is declared twice")));
        }
    }

    fn location(&mut self, process: &mut ProcessType, body: &mut Body) -> Read<()> {
        let mut location = Location::default();
        let mut atomic = false;
        while let Token::Word(word) = self.peek() {
            let flag = match word.as_str() {
                "end" => &mut location.end,
                "progress" => &mut location.progress,
                "accept" => &mut location.accept,
                "urgent" => &mut location.committed,
                "atomic" => &mut atomic,
                _ => break,
            };
            *flag = true;
            self.advance();
        }
        if !self.take_word("location") {
            return self.expected("`location`");
        }
        (location.name, location.span) = self.name("a location's name")?;
        if process.locations.iter().any(|l| l.name == location.name) {
            let message = format!("location `{}` is declared twice", location.name);
            return self.error(location.span, message);
        }
        if atomic {
            body.atomic.push(location.name.clone());
        }
        process.locations.push(location);
        Ok(())
    }

    /// Adds the locations that transitions leave, and finds the first one.
    fn add_sources(&mut self, process: &mut ProcessType, body: &Body) {
        for &at in &body.transitions {
            let placed = &self.tokens[at];
            let (Token::Word(name) | Token::Quoted(name)) = &placed.token else { continue };
            if !process.locations.iter().any(|l| l.name == *name) {
                let location = Location { name: name.clone(), span: placed.span, ..Location::default() };
                process.locations.push(location);
            }
        }
        let Some((name, span)) = &body.start else {
            if process.locations.is_empty() {
                let message = format!("process `{}` has no location", process.name);
                self.diagnostics.push(Diagnostic::error(process.span, message));
            }
            // Without `start`, the process starts where its first transition does.
            if let Some(&first) = body.transitions.first()
                && let Token::Word(name) | Token::Quoted(name) = &self.tokens[first].token
            {
                let index = process.locations.iter().position(|l| l.name == *name);
                process.start = LocationId(index.unwrap_or(0) as u32);
            }
            return;
        };
        match process.locations.iter().position(|l| l.name == *name) {
            Some(index) => process.start = LocationId(index as u32),
            None => {
                let known: Vec<String> = process.locations.iter().map(|l| l.name.clone()).collect();
                let _: Read<()> = self.unknown(*span, "the location", name, known.iter().map(String::as_str));
            }
        }
    }

    fn pending_start(&mut self) -> Read<PendingStart> {
        let (name, span) = self.name("a process type's name")?;
        let mut start = PendingStart { name, span, arguments: Vec::new(), priority: 0, names: Vec::new() };
        self.sign("(")?;
        while !self.at_sign(")") {
            let (index, at) = (start.arguments.len(), self.span());
            let value = self.initial_value(index, &mut start.names)?;
            start.arguments.push((value, at));
            if !self.take_sign(",") {
                break;
            }
        }
        self.sign(")")?;
        if self.take_word("priority") {
            start.priority = self.number("a priority", 255)? as u8;
        }
        Ok(start)
    }

    fn resolve_start(&mut self, start: PendingStart) {
        let mut arguments: Vec<i32> = start.arguments.iter().map(|(value, _)| *value).collect();
        for (index, name, span) in &start.names {
            match self.channel_number(name, *span) {
                Ok(number) => arguments[*index] = number,
                Err(_) => return,
            }
        }
        if let Ok(process) = self.process_named(&start.name, start.span) {
            self.program.initial.push(Start {
                process,
                arguments,
                priority: start.priority,
                span: start.span,
            });
        }
    }

    /// The process type with this name.
    pub(super) fn process_named(&mut self, name: &str, span: Span) -> Read<TypeId> {
        if let Some(index) = self.program.types.iter().position(|p| p.name == name) {
            return Ok(TypeId(index as u32));
        }
        let known: Vec<String> = self.program.types.iter().map(|p| p.name.clone()).collect();
        self.unknown(span, "the process", name, known.iter().map(String::as_str))
    }
}
