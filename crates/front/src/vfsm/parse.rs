//! From the text of a `.vfsm` file to its tree.
//!
//! The parser goes on after a mistake: it passes over what it can't read up to the next `;` or brace, so that
//! one run reports all mistakes. The grammar stands in the book.

use super::ast::{
    Action, Change, Condition, Constant, File, InputMapping, Instance, Machine, Name, Number, OutputMapping,
    Process, Processor, State, StateName, System,
};
use super::lex::{Kind, Token, lex};
use mazurka_model::source::{Diagnostic, Span};

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

    fn machine(&mut self) -> Read<Machine> {
        let mut machine = Machine::default();
        loop {
            match self.word() {
                "environment" => machine.environment = true,
                "free" => machine.free = true,
                "machine" => break,
                _ => return self.fail("`machine`"),
            }
            self.next();
        }
        self.next();
        machine.name = self.name("the name of the machine")?;
        if self.take("(") && !self.take(")") {
            machine.parameters = self.names("the name of a parameter")?;
            self.expect(")")?;
        }
        self.block(|parser| parser.part(&mut machine))?;
        Ok(machine)
    }

    fn part(&mut self, machine: &mut Machine) -> Read<()> {
        // A state may have any name, so a word of the language is one only where a brace does not follow.
        let opens = matches!(self.ahead(1).kind, Kind::Mark("{" | "["));
        match self.word() {
            "inputs" if !opens => self.declaration("an input").map(|names| machine.inputs.extend(names)),
            "outputs" if !opens => self.declaration("an output").map(|names| machine.outputs.extend(names)),
            "events" if !opens => self.declaration("an event").map(|names| machine.events.extend(names)),
            "timers" if !opens => {
                self.next();
                loop {
                    let strict = self.word() == "strict" && self.ahead(1).kind == Kind::Word;
                    if strict {
                        self.next();
                    }
                    machine.timers.push((self.name("a timer")?, strict));
                    if !self.take(",") {
                        break;
                    }
                }
                self.expect(";")
            }
            "on" if !opens => self.input_mapping().map(|one| machine.input_mapping.push(one)),
            "do" if !opens => self.output_mapping().map(|one| machine.output_mapping.push(one)),
            "" => self.fail("a declaration, a mapping or a state"),
            _ => self.state().map(|one| machine.states.push(one)),
        }
    }

    fn declaration(&mut self, what: &str) -> Read<Vec<Name>> {
        self.next();
        let names = self.names(what)?;
        self.expect(";")?;
        Ok(names)
    }

    fn input_mapping(&mut self) -> Read<InputMapping> {
        self.next();
        let event = self.name("an event")?;
        self.expect(":")?;
        let mut alternatives = vec![self.changes()?];
        while self.take("|") {
            alternatives.push(self.changes()?);
        }
        self.expect(";")?;
        Ok(InputMapping { event, alternatives })
    }

    fn changes(&mut self) -> Read<Vec<Change>> {
        let mut changes = Vec::new();
        if self.take_word("nothing") {
            return Ok(changes);
        }
        loop {
            if self.take("+") {
                changes.push(Change::Insert(self.name("an input")?));
            } else if self.take("-") {
                changes.push(match self.take("*") {
                    true => Change::DeleteAll,
                    false => Change::Delete(self.name("an input")?),
                });
            } else if changes.is_empty() {
                return self.fail("`+INPUT`, `-INPUT`, `-*` or `nothing`");
            } else {
                return Ok(changes);
            }
            self.take(",");
        }
    }

    fn output_mapping(&mut self) -> Read<OutputMapping> {
        self.next();
        let output = self.name("an output")?;
        self.expect(":")?;
        let mut alternatives = vec![self.output_actions()?];
        while self.take("|") {
            alternatives.push(self.output_actions()?);
        }
        self.expect(";")?;
        Ok(OutputMapping { output, alternatives })
    }

    fn output_actions(&mut self) -> Read<Vec<Action>> {
        if self.take_word("nothing") {
            return Ok(Vec::new());
        }
        let mut actions = Vec::new();
        loop {
            actions.push(match self.word() {
                "send" => {
                    self.next();
                    let machine = self.name("a machine")?;
                    self.expect(".")?;
                    Action::Send(machine, self.name("an event")?)
                }
                "start" => {
                    self.next();
                    Action::Start(self.name("a timer")?)
                }
                "stop" => {
                    self.next();
                    Action::Stop(self.name("a timer")?)
                }
                "feedback" => {
                    self.next();
                    Action::Feedback(self.name("an event")?)
                }
                _ => return self.fail("`send`, `start`, `stop`, `feedback` or `nothing`"),
            });
            if !self.take(",") {
                return Ok(actions);
            }
        }
    }

    fn state(&mut self) -> Read<State> {
        let mut state = State::default();
        if self.word() == "state" && self.ahead(1).kind == Kind::Word {
            self.next();
        }
        state.name = self.name("the name of a state")?;
        if self.take("[") {
            let index = self.name("the index of a family of states")?;
            if !self.take_word("in") {
                return self.fail("`in`");
            }
            let first = self.number()?;
            self.expect("..")?;
            let last = self.number()?;
            self.expect("]")?;
            state.family = Some((index, first, last));
        }
        while !self.is("{") {
            match self.word() {
                "initial" => state.initial = true,
                "end" => state.end = true,
                "progress" => state.progress = true,
                _ => return self.fail("`{`, `initial`, `end` or `progress`"),
            }
            self.next();
        }
        self.block(|parser| parser.section(&mut state))?;
        Ok(state)
    }

    fn section(&mut self, state: &mut State) -> Read<()> {
        let label = self.word().to_owned();
        if !["E", "X", "IA", "NS", "F", "D", "A"].contains(&label.as_str())
            || !matches!(self.ahead(1).kind, Kind::Mark(":"))
        {
            return self.fail("a section `E:`, `X:`, `IA:`, `NS:`, `F:`, `D:` or `A:`");
        }
        self.next();
        self.next();
        match label.as_str() {
            "E" => self.outputs(&mut state.entry),
            "X" => self.outputs(&mut state.exit),
            "D" if self.take("*") => {
                state.defers_all = true;
                self.expect(";")
            }
            "D" => {
                state.deferred.extend(self.names("an input")?);
                self.expect(";")
            }
            _ => {
                // Entries follow one another until another section begins.
                while !self.is("}") && !matches!(self.ahead(1).kind, Kind::Mark(":")) {
                    if self.peek().kind == Kind::End {
                        return self.fail("`}`");
                    }
                    let before = self.at;
                    if self.entry(&label, state).is_err() {
                        self.recover();
                    }
                    if self.at == before {
                        return Ok(());
                    }
                }
                Ok(())
            }
        }
    }

    fn outputs(&mut self, list: &mut Vec<Name>) -> Read<()> {
        list.extend(self.names("an output")?);
        self.expect(";")
    }

    fn entry(&mut self, label: &str, state: &mut State) -> Read<()> {
        let start = self.peek().span;
        self.depth = 0;
        let free = label == "F" && {
            // Events without a condition.
            let mut ahead = 0;
            while self.ahead(ahead).kind == Kind::Word
                && matches!(self.ahead(ahead + 1).kind, Kind::Mark(","))
            {
                ahead += 2;
            }
            self.ahead(ahead).kind == Kind::Word && matches!(self.ahead(ahead + 1).kind, Kind::Mark(";"))
        };
        let condition = if free { Condition::Always } else { self.condition()? };
        match label {
            "IA" => {
                self.expect("?")?;
                let outputs = self.names("an output")?;
                let span = self.since(start);
                state.actions.push((condition, outputs, span));
            }
            "F" => {
                if !free {
                    self.expect("?")?;
                }
                let events = self.names("an event")?;
                let span = self.since(start);
                state.spontaneous.push((condition, events, span));
            }
            "NS" => {
                self.expect(">")?;
                let target = self.state_name()?;
                let span = self.since(start);
                state.next.push((condition, target, span));
            }
            _ => {
                let span = self.since(start);
                state.assertions.push((condition, span));
            }
        }
        self.expect(";")
    }

    /// From `start` to the token before the present one.
    fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        Span { end: end.max(start.end), ..start }
    }

    fn state_name(&mut self) -> Read<StateName> {
        let name = self.name("a state")?;
        let mut index = None;
        let mut otherwise = None;
        if self.take("[") {
            index = Some(self.number()?);
            self.expect("]")?;
            if self.take_word("else") {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return self.fail("something less deeply nested");
                }
                otherwise = Some(Box::new(self.state_name()?));
                self.depth -= 1;
            }
        }
        Ok(StateName { name, index, otherwise })
    }

    fn condition(&mut self) -> Read<Condition> {
        let mut left = self.conjunction()?;
        let mut parts = 0;
        while self.take("|") || self.take_word("or") {
            parts = self.one_more(parts)?;
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    /// Counts the parts of a chain, which are nested in the tree.
    fn one_more(&mut self, parts: usize) -> Read<usize> {
        if parts < LONGEST { Ok(parts + 1) } else { self.fail("something shorter") }
    }

    fn conjunction(&mut self) -> Read<Condition> {
        let mut left = self.negation()?;
        let mut parts = 0;
        while self.take("&") || self.take_word("and") {
            parts = self.one_more(parts)?;
            left = Condition::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Read<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth = 0;
            return self.fail("something less deeply nested");
        }
        let inner = if self.take("!") || self.take_word("not") {
            Condition::Not(Box::new(self.negation()?))
        } else if self.take("(") {
            let inner = self.condition()?;
            self.expect(")")?;
            inner
        } else if self.take_word("always") {
            Condition::Always
        } else {
            Condition::Input(self.name("a condition")?)
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(inner)
    }

    fn system(&mut self) -> Read<System> {
        self.next();
        let mut system = System { name: self.name("the name of the system")?, ..System::default() };
        self.block(|parser| match parser.word() {
            "processor" => parser.processor().map(|one| system.processors.push(one)),
            "initially" => {
                parser.next();
                loop {
                    let machine = parser.name("a machine")?;
                    parser.expect(".")?;
                    system.messages.push((machine, parser.name("an event")?));
                    if !parser.take(",") {
                        break;
                    }
                }
                parser.expect(";")
            }
            "ltl" => {
                parser.next();
                let name = parser.name("the name of the property")?;
                parser.expect("{")?;
                let start = parser.peek().span;
                while !parser.is("}") {
                    if parser.peek().kind == Kind::End {
                        return parser.fail("`}`");
                    }
                    parser.next();
                }
                let span = Span { end: parser.peek().span.start, ..start };
                let text = parser.text[span.start as usize..span.end.max(span.start) as usize].trim();
                system.formulas.push((name, text.to_owned(), span));
                parser.next();
                Ok(())
            }
            _ => parser.fail("`processor`, `initially` or `ltl`"),
        })?;
        Ok(system)
    }

    fn processor(&mut self) -> Read<Processor> {
        self.next();
        let mut processor =
            Processor { name: self.name("the name of the processor")?, processes: Vec::new() };
        let mut own = Process { name: processor.name.clone(), ..Process::default() };
        self.capacities(&mut own)?;
        self.block(|parser| {
            let process = parser.word() == "process" && parser.ahead(1).kind == Kind::Word;
            if process {
                let one = parser.process()?;
                processor.processes.push(one);
                return Ok(());
            }
            let instance = parser.instance()?;
            own.instances.push(instance);
            Ok(())
        })?;
        if !own.instances.is_empty() || processor.processes.is_empty() {
            processor.processes.push(own);
        }
        Ok(processor)
    }

    fn capacities(&mut self, process: &mut Process) -> Read<()> {
        loop {
            match self.word() {
                "queue" => {
                    self.next();
                    process.queue = Some(self.number()?);
                }
                "internal" => {
                    self.next();
                    process.internal = Some(self.number()?);
                }
                _ => return Ok(()),
            }
        }
    }

    fn process(&mut self) -> Read<Process> {
        self.next();
        let mut process = Process { name: self.name("the name of the process")?, ..Process::default() };
        self.capacities(&mut process)?;
        self.block(|parser| {
            let instance = parser.instance()?;
            process.instances.push(instance);
            Ok(())
        })?;
        Ok(process)
    }

    fn instance(&mut self) -> Read<Instance> {
        let name = self.name("the name of a machine")?;
        self.expect(":")?;
        let machine = self.name("the definition of the machine")?;
        let mut arguments = Vec::new();
        if self.take("(") && !self.take(")") {
            arguments.push(self.number()?);
            while self.take(",") {
                arguments.push(self.number()?);
            }
            self.expect(")")?;
        }
        self.expect(";")?;
        Ok(Instance { name, machine, arguments })
    }
}
