//! Definitions of machines: declarations and mappings.

use super::{Parser, Read};
use crate::vfsm::ast::{Action, Change, InputMapping, Machine, Name, OutputMapping};
use crate::vfsm::lex::Kind;

impl Parser<'_> {
    pub(super) fn machine(&mut self) -> Read<Machine> {
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

    pub(super) fn part(&mut self, machine: &mut Machine) -> Read<()> {
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

    pub(super) fn declaration(&mut self, what: &str) -> Read<Vec<Name>> {
        self.next();
        let names = self.names(what)?;
        self.expect(";")?;
        Ok(names)
    }

    pub(super) fn input_mapping(&mut self) -> Read<InputMapping> {
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

    pub(super) fn changes(&mut self) -> Read<Vec<Change>> {
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

    pub(super) fn output_mapping(&mut self) -> Read<OutputMapping> {
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

    pub(super) fn output_actions(&mut self) -> Read<Vec<Action>> {
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
}
