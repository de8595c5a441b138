//! Reading automata in the HOA format.

use super::acceptance::{Condition, generalise};
use super::token::{Placed, Token, tokens};
use crate::automaton::{Automaton, Edge, MOST_SETS, Marks, State};
use crate::diagram::Label;
use crate::parse::ParseError;
use std::collections::HashMap;

/// More states than this are refused.
const MOST_STATES: u32 = 1_000_000;

/// More atoms than this can't be labelled implicitly: each state would have an edge for each letter.
const MOST_IMPLICIT_ATOMS: usize = 16;

/// How deep labels and acceptance conditions may be nested.
const DEEPEST: usize = 200;

/// Reads the automaton of a text, which has only one.
pub fn read(text: &str) -> Result<Automaton, ParseError> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        end: text.len(),
        automaton: Automaton::new(Vec::new(), 0),
        aliases: HashMap::new(),
        starts: Vec::new(),
        acceptance: None,
        once: Vec::new(),
        declared: None,
        described: Vec::new(),
        mentioned: Vec::new(),
        depth: 0,
    };
    reader.header()?;
    reader.body()?;
    reader.finish()
}

struct Reader<'a> {
    tokens: &'a [Placed],
    at: usize,
    end: usize,
    automaton: Automaton,
    aliases: HashMap<String, Label>,
    starts: Vec<State>,
    acceptance: Option<(u32, Condition)>,
    /// The headers met of those that there is one of.
    once: Vec<String>,
    /// How many states there are, if the header says so.
    declared: Option<u32>,
    /// Of each state, whether the body has an item of it.
    described: Vec<bool>,
    /// Of each state, the token that mentions it first.
    mentioned: Vec<Option<usize>>,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        match self.tokens.get(self.at) {
            Some(placed) => ParseError::new(placed.start, placed.end, message),
            None => ParseError::new(self.end, self.end, message),
        }
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), ParseError> {
        if self.sign(sign) { Ok(()) } else { Err(self.error(format!("there should be a `{sign}` here"))) }
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        match self.peek() {
            Some(Token::Number(number)) => {
                let number = *number;
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.error("there should be a number here")),
        }
    }

    fn header(&mut self) -> Result<(), ParseError> {
        if self.peek() != Some(&Token::Header("HOA".to_owned())) {
            return Err(self.error("an automaton in this format begins with `HOA: v1`"));
        }
        self.at += 1;
        if self.peek() != Some(&Token::Word("v1".to_owned())) {
            return Err(self.error("only version v1 of the format is known"));
        }
        self.at += 1;
        loop {
            let Some(token) = self.peek().cloned() else { return Err(self.error("there is no `--BODY--`")) };
            match token {
                Token::Mark("--BODY--") => {
                    self.at += 1;
                    return Ok(());
                }
                Token::Mark(_) => return Err(self.error("the automaton was given up by its writer")),
                Token::Header(name) => {
                    self.at += 1;
                    self.header_item(&name)?;
                }
                _ => return Err(self.error("there should be a header here, such as `States:`")),
            }
        }
    }

    fn header_item(&mut self, name: &str) -> Result<(), ParseError> {
        if matches!(name, "States" | "AP" | "Acceptance") {
            if self.once.iter().any(|met| met == name) {
                self.at -= 1;
                return Err(self.error(format!("there already is a header `{name}`")));
            }
            self.once.push(name.to_owned());
        }
        match name {
            "States" => {
                let count = self.number()?;
                if count > MOST_STATES {
                    self.at -= 1;
                    return Err(self.error(format!("more than {MOST_STATES} states are not read")));
                }
                self.declared = Some(count);
            }
            "Start" => {
                let start = self.state()?;
                self.starts.push(start);
            }
            "AP" => {
                let count = self.number()? as usize;
                while let Some(Token::Text(atom)) = self.peek() {
                    let atom = atom.clone();
                    if self.automaton.atoms.contains(&atom) {
                        return Err(self.error("there already is an atom of this name"));
                    }
                    self.automaton.atoms.push(atom);
                    self.at += 1;
                }
                if self.automaton.atoms.len() != count {
                    return Err(self.error(format!("there should be {count} names of atoms")));
                }
            }
            "Alias" => {
                let Some(Token::Alias(alias)) = self.peek().cloned() else {
                    return Err(self.error("there should be a name such as `@a` here"));
                };
                self.at += 1;
                let label = self.label()?;
                self.aliases.insert(alias, label);
            }
            "Acceptance" => {
                let sets = self.number()?;
                if sets >= MOST_SETS {
                    self.at -= 1;
                    return Err(self.error(format!("{MOST_SETS} acceptance sets or more are not supported")));
                }
                let condition = self.condition(sets)?;
                self.acceptance = Some((sets, condition));
            }
            "acc-name" | "tool" | "name" | "properties" => self.skip_item(),
            other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                self.at -= 1;
                return Err(self.error(format!("the header `{other}` changes the meaning, and is not known")));
            }
            _ => self.skip_item(),
        }
        Ok(())
    }

    fn skip_item(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Mark(_))) {
            self.at += 1;
        }
    }

    /// A single state; conjunctions of states are refused.
    fn state(&mut self) -> Result<State, ParseError> {
        let number = self.number()?;
        if number >= MOST_STATES {
            self.at -= 1;
            return Err(self.error(format!("more than {MOST_STATES} states are not read")));
        }
        if self.peek() == Some(&Token::Sign('&')) {
            return Err(self.error("alternating automata are not supported"));
        }
        let index = number as usize;
        while self.automaton.size() <= index {
            self.automaton.add_state();
        }
        if self.mentioned.len() <= index {
            self.mentioned.resize(index + 1, None);
            self.described.resize(index + 1, false);
        }
        self.mentioned[index].get_or_insert(self.at - 1);
        Ok(State(number))
    }

    fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.error("this is nested too deeply")) } else { Ok(()) }
    }

    fn condition(&mut self, sets: u32) -> Result<Condition, ParseError> {
        self.deeper()?;
        let mut either = Vec::new();
        loop {
            let mut all = vec![self.condition_operand(sets)?];
            while self.sign('&') {
                all.push(self.condition_operand(sets)?);
            }
            either.push(if all.len() == 1 { all.remove(0) } else { Condition::And(all) });
            if !self.sign('|') {
                break;
            }
        }
        self.depth -= 1;
        Ok(if either.len() == 1 { either.remove(0) } else { Condition::Or(either) })
    }

    fn condition_operand(&mut self, sets: u32) -> Result<Condition, ParseError> {
        if self.sign('(') {
            let inner = self.condition(sets)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let word = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => return Err(self.error("there should be `Inf`, `Fin`, `t` or `f` here")),
        };
        let often = match word.as_str() {
            "t" | "f" => {
                self.at += 1;
                return Ok(if word == "t" { Condition::True } else { Condition::False });
            }
            "Inf" => true,
            "Fin" => false,
            _ => return Err(self.error("there should be `Inf`, `Fin`, `t` or `f` here")),
        };
        self.at += 1;
        self.expect('(')?;
        let negated = self.sign('!');
        let set = self.number()?;
        if set >= sets {
            self.at -= 1;
            return Err(self.error("there is no acceptance set with this number"));
        }
        self.expect(')')?;
        Ok(if often { Condition::Inf(set, negated) } else { Condition::Fin(set, negated) })
    }

    fn label(&mut self) -> Result<Label, ParseError> {
        self.deeper()?;
        let mut either = Label::FALSE;
        loop {
            let mut all = self.label_operand()?;
            while self.sign('&') {
                let more = self.label_operand()?;
                all = self.automaton.diagrams.and(all, more);
            }
            either = self.automaton.diagrams.or(either, all);
            if !self.sign('|') {
                break;
            }
        }
        self.depth -= 1;
        Ok(either)
    }

    fn label_operand(&mut self) -> Result<Label, ParseError> {
        if self.sign('!') {
            self.deeper()?;
            let inner = self.label_operand()?;
            self.depth -= 1;
            return Ok(self.automaton.diagrams.not(inner));
        }
        if self.sign('(') {
            let inner = self.label()?;
            self.expect(')')?;
            return Ok(inner);
        }
        let label = match self.peek() {
            Some(Token::Word(word)) if word == "t" => Some(Label::TRUE),
            Some(Token::Word(word)) if word == "f" => Some(Label::FALSE),
            Some(Token::Number(atom)) => match *atom as usize {
                atom if atom < self.automaton.atoms.len() => Some(self.automaton.diagrams.variable(atom)),
                _ => return Err(self.error("there is no atom with this number")),
            },
            Some(Token::Alias(name)) => match self.aliases.get(name) {
                Some(label) => Some(*label),
                None => return Err(self.error("there is no alias of this name")),
            },
            _ => None,
        };
        let label =
            label.ok_or_else(|| self.error("there should be an atom's number, an alias, `t` or `f`"))?;
        self.at += 1;
        Ok(label)
    }

    fn bracketed_label(&mut self) -> Result<Option<Label>, ParseError> {
        if !self.sign('[') {
            return Ok(None);
        }
        let label = self.label()?;
        self.expect(']')?;
        Ok(Some(label))
    }

    fn marks(&mut self) -> Result<Marks, ParseError> {
        let mut marks = 0;
        if self.sign('{') {
            while !self.sign('}') {
                let set = self.number()?;
                if self.acceptance.as_ref().is_none_or(|(sets, _)| set >= *sets) {
                    self.at -= 1;
                    return Err(self.error("there is no acceptance set with this number"));
                }
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }

    fn body(&mut self) -> Result<(), ParseError> {
        loop {
            match self.peek() {
                Some(Token::Mark("--END--")) => return Ok(()),
                Some(Token::Mark(_)) => return Err(self.error("the automaton was given up by its writer")),
                Some(Token::Header(name)) if name == "State" => {
                    self.at += 1;
                    self.state_item()?;
                }
                Some(_) => return Err(self.error("there should be a `State:` here")),
                None => return Err(self.error("there is no `--END--`")),
            }
        }
    }

    fn state_item(&mut self) -> Result<(), ParseError> {
        let state_label = self.bracketed_label()?;
        let state = self.state()?;
        if std::mem::replace(&mut self.described[state.index()], true) {
            self.at -= 1;
            return Err(self.error("this state was described before"));
        }
        if matches!(self.peek(), Some(Token::Text(_))) {
            self.at += 1;
        }
        let state_marks = self.marks()?;
        let mut implicit = 0;
        loop {
            if !matches!(self.peek(), Some(Token::Sign('[') | Token::Number(_))) {
                // Edges that have no label stand for all letters, one after another.
                if implicit > 0 && implicit >> self.automaton.atoms.len() == 0 {
                    return Err(self.error("this state has an edge for some letters only, and no labels"));
                }
                return Ok(());
            }
            let label = match (self.bracketed_label()?, state_label) {
                (Some(label), _) => label,
                (None, Some(label)) => label,
                (None, None) => {
                    implicit += 1;
                    self.implicit_label(implicit - 1)?
                }
            };
            let target = self.state()?;
            let marks = state_marks | self.marks()?;
            self.automaton.add_edge(state, Edge { target, marks, label });
        }
    }

    /// The letter of an edge by its place: bit `i` of the place is atom `i`.
    fn implicit_label(&mut self, place: usize) -> Result<Label, ParseError> {
        let atoms = self.automaton.atoms.len();
        if atoms > MOST_IMPLICIT_ATOMS || place >> atoms != 0 {
            return Err(self.error("this edge has no label, and there is no letter left for it"));
        }
        let letter: Vec<(usize, bool)> = (0..atoms).map(|atom| (atom, place >> atom & 1 == 1)).collect();
        Ok(self.automaton.diagrams.cube(&letter))
    }

    /// A state that is mentioned but not described would be one where every run ends, and with it whatever
    /// the automaton was to accept: a number that is mistyped, or the rest of a file that was cut.
    fn check_states(&mut self) -> Result<(), ParseError> {
        let unknown = |state: &u32| {
            let beyond = self.declared.is_some_and(|count| *state >= count);
            beyond || !self.described[*state as usize]
        };
        let first = (0..self.mentioned.len() as u32)
            .filter(unknown)
            .filter_map(|state| self.mentioned[state as usize].map(|place| (place, state)))
            .min();
        if let Some((place, state)) = first {
            self.at = place;
            return Err(match self.declared {
                Some(count) if state >= count => {
                    self.error(format!("there is no state {state}: `States:` says that there are {count}"))
                }
                _ => self.error(format!("there is no state {state}: no `State:` describes it")),
            });
        }
        let described = |state: u32| self.described.get(state as usize).is_some_and(|known| *known);
        match (0..self.declared.unwrap_or(0)).find(|state| !described(*state)) {
            Some(state) => Err(self.error(format!("no `State:` describes state {state}"))),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<Automaton, ParseError> {
        self.check_states()?;
        let Some((_, condition)) = self.acceptance.take() else {
            return Err(self.error("there is no `Acceptance:`"));
        };
        let mut automaton = self.automaton.clone();
        match self.starts.as_slice() {
            // Without an initial state nothing is accepted.
            [] => automaton.initial = automaton.add_state(),
            [one] => automaton.initial = *one,
            several => {
                let edges = several.iter().flat_map(|state| automaton.edges(*state).to_vec()).collect();
                automaton.initial = automaton.add_state();
                automaton.edges[automaton.initial.index()] = edges;
            }
        }
        let Some(mut automaton) = generalise(automaton, &condition) else {
            return Err(self.error("the acceptance condition is too large"));
        };
        automaton.tidy();
        Ok(automaton)
    }
}
