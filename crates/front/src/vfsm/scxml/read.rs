//! Reads SCXML into trees of states.
//!
//! What can't be translated and would change the behaviour is an error with its place. What only concerns data that are not
//! evaluated is passed over: the datum is unknown then, and conditions on it are guesses.

use super::data::{Datum, bound};
use super::expression::{Expression, Scope, Value};
use super::tree::{Action, Branch, Document, Guard, Kind, Node, Transition};
use crate::petri::xml::{Open, Token, Xml};
use mazurka_model::source::{Diagnostic, SourceMap, Span};

/// Finds the text of a file that is invoked, by the name under which it is invoked.
pub type Load<'l> = dyn FnMut(&str) -> Result<String, String> + 'l;

/// Reads the documents of a file: the outermost, and those that are invoked with their content or from other files.
pub fn read(
    name: &str,
    text: &str,
    load: &mut Load<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Document> {
    let file = sources.add(name, text);
    let mut reader =
        Reader { xml: Xml::new(file, text), documents: Vec::new(), diagnostics, load, sources, files: 0 };
    if let Err(error) = reader.file(None) {
        reader.diagnostics.push(error);
    }
    reader.documents
}

/// The deepest nesting of states.
const DEEPEST: usize = 50;
/// The most states of a file.
const MOST_NODES: usize = 2000;
/// The deepest nesting of files that invoke others, and the most machines.
const DEEPEST_FILES: usize = 8;
const MOST_DOCUMENTS: usize = 64;
/// The most data of a document.
const MOST_DATA: usize = 64;

struct Reader<'t, 'd, 'l> {
    xml: Xml<'t>,
    documents: Vec<Document>,
    diagnostics: &'d mut Vec<Diagnostic>,
    load: &'d mut Load<'l>,
    sources: &'d mut SourceMap,
    /// How many files lie around this one.
    files: usize,
}

type Read<T> = Result<T, Diagnostic>;

/// By which name a machine is invoked, the number of who invokes it, and what it is told first.
struct Invoked {
    id: String,
    parent: usize,
    parameters: Vec<(String, Value)>,
}

fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The value of an expression that looks at nothing.
fn constant(text: &str) -> Value {
    let scope = Scope { active: &|_| false, value: &|_| Value::Unknown };
    let parsed = Expression::parse(text).filter(|one| !one.any(&|part| matches!(part, Expression::In(_))));
    parsed.map_or(Value::Unknown, |expression| expression.value(&scope))
}

fn guard(open: &Open) -> Option<Guard> {
    let text = open.attribute("cond")?.trim().to_owned();
    Some(Guard { parsed: Expression::parse(&text), text, span: open.span })
}

/// The name with which a location begins: `a` of `a.b[1]`.
fn root(location: &str) -> &str {
    let location = location.trim();
    let end = location.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    &location[..end.unwrap_or(location.len())]
}

impl Reader<'_, '_, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn file(&mut self, invoked: Option<Invoked>) -> Read<()> {
        loop {
            match self.xml.next()? {
                Token::Open(open) if open.name == "scxml" => return self.document(&open, invoked),
                Token::Open(open) => {
                    let message = format!("`scxml` is expected here, not `{}`", open.name);
                    return Err(Diagnostic::error(open.span, message));
                }
                Token::End => {
                    let span = Span { file: self.xml.file(), ..Span::default() };
                    return Err(Diagnostic::error(span, "there is no element `scxml`"));
                }
                Token::Close | Token::Text(..) => {}
            }
        }
    }

    fn document(&mut self, open: &Open, invoked: Option<Invoked>) -> Read<()> {
        let number = self.documents.len();
        if number >= MOST_DOCUMENTS {
            return Err(Diagnostic::error(
                open.span,
                format!("there are more than {MOST_DOCUMENTS} machines"),
            ));
        }
        let id = invoked.as_ref().map(|one| one.id.clone());
        let name =
            id.or_else(|| open.attribute("name").map(str::to_owned)).unwrap_or_else(|| "machine".to_owned());
        let root = Node { span: open.span, initial: words(open.attribute("initial")), ..Node::default() };
        let parent = invoked.as_ref().map(|one| (one.id.clone(), one.parent));
        self.documents.push(Document { name, invoked: parent, nodes: vec![root], ..Document::default() });
        self.content(number, 0, open.attribute("binding") == Some("late"))?;
        let document = &mut self.documents[number];
        for (name, value) in invoked.map(|one| one.parameters).unwrap_or_default() {
            document.data.iter_mut().filter(|datum| datum.name == name).for_each(|datum| datum.first = value);
        }
        document.data.retain(|datum| !document.unknown.contains(&datum.name));
        bound(document);
        Ok(())
    }

    /// Reads what is in a state, up to its end.
    fn content(&mut self, document: usize, node: usize, late: bool) -> Read<()> {
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "state" | "parallel" | "final" | "history" => self.state(document, node, &open, late)?,
                "initial" => {
                    let inner = self.xml.depth();
                    while self.xml.depth() >= inner {
                        if let Token::Open(open) = self.xml.next()?
                            && open.name == "transition"
                        {
                            let targets = words(open.attribute("target"));
                            let actions = self.actions(document)?;
                            let node = &mut self.documents[document].nodes[node];
                            (node.initial, node.initial_actions) = (targets, actions);
                        }
                    }
                }
                "onentry" => {
                    let mut actions = self.actions(document)?;
                    self.documents[document].nodes[node].entry.append(&mut actions);
                }
                "onexit" => {
                    let mut actions = self.actions(document)?;
                    self.documents[document].nodes[node].exit.append(&mut actions);
                }
                "transition" => {
                    let transition = Transition {
                        events: words(open.attribute("event")),
                        condition: guard(&open),
                        targets: words(open.attribute("target")),
                        internal: open.attribute("type") == Some("internal"),
                        actions: self.actions(document)?,
                        span: open.span,
                    };
                    self.documents[document].nodes[node].transitions.push(transition);
                }
                "invoke" => self.invoke(document, node, &open)?,
                "datamodel" => self.datamodel(document, node > 0 && late)?,
                "script" => {
                    // It is executed before anything else.
                    self.documents[document].nodes[0].entry.insert(0, Action::Script(open.span));
                    self.xml.skip()?;
                }
                // What belongs to other tools.
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn datamodel(&mut self, document: usize, unknown: bool) -> Read<()> {
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            let Token::Open(open) = self.xml.next()? else { continue };
            let (Some(name), "data") = (open.attribute("id"), open.name.as_str()) else {
                self.xml.skip()?;
                continue;
            };
            let (text, _) = self.xml.text()?;
            let text = open.attribute("expr").map_or(text, str::to_owned);
            let first = if open.attribute("src").is_some() { Value::Unknown } else { constant(&text) };
            let mut limit = |which: &str| {
                let stated = open.attribute(which)?;
                let number = stated.trim().parse::<i32>().ok();
                if number.is_none() {
                    self.error(open.span, format!("`{which}` must be a whole number, not `{stated}`"));
                }
                number.map(i64::from)
            };
            let stated = (limit("min"), limit("max"));
            if let Value::Number(first) = first
                && (stated.0.is_some_and(|least| first < least) || stated.1.is_some_and(|most| first > most))
            {
                self.error(open.span, format!("`{name}` begins outside its own bounds"));
            }
            let datum = Datum { name: name.to_owned(), span: open.span, first, stated, bounds: (0, 0) };
            let known = self.documents[document].data.iter().find(|known| known.name == name);
            if let Some(first) = known.map(|known| known.span) {
                let message = format!("the datum `{name}` is declared twice");
                self.diagnostics
                    .push(Diagnostic::error(open.span, message).note(first, "declared here first"));
            } else if unknown || self.documents[document].data.len() >= MOST_DATA {
                self.documents[document].unknown.push(datum.name);
            } else {
                self.documents[document].data.push(datum);
            }
        }
        Ok(())
    }

    fn state(&mut self, document: usize, parent: usize, open: &Open, late: bool) -> Read<()> {
        if self.xml.depth() > DEEPEST {
            return Err(Diagnostic::error(open.span, "states are nested too deeply"));
        }
        let nodes = &mut self.documents[document].nodes;
        let number = nodes.len();
        if number >= MOST_NODES {
            return Err(Diagnostic::error(open.span, format!("there are more than {MOST_NODES} states")));
        }
        let id = open.attribute("id").map_or_else(|| format!("state{number}"), str::to_owned);
        let known =
            nodes.iter().find(|known| known.id == id && known.parent.is_some()).map(|known| known.span);
        let kind = match open.name.as_str() {
            "parallel" => Kind::Parallel,
            "final" => Kind::Final,
            "history" => Kind::History { deep: open.attribute("type") == Some("deep") },
            _ => Kind::State,
        };
        nodes.push(Node {
            kind,
            id: id.clone(),
            span: open.span,
            parent: Some(parent),
            initial: words(open.attribute("initial")),
            ..Node::default()
        });
        match kind {
            Kind::History { .. } => nodes[parent].histories.push(number),
            _ => nodes[parent].children.push(number),
        }
        if let Some(first) = known {
            let message = format!("the state `{id}` is declared twice");
            self.diagnostics.push(Diagnostic::error(open.span, message).note(first, "declared here first"));
        }
        self.content(document, number, late)?;
        let node = &self.documents[document].nodes[number];
        if let (Kind::History { .. }, false) = (
            kind,
            node.transitions.len() == 1
                && !node.transitions[0].targets.is_empty()
                && node.children.is_empty(),
        ) {
            self.diagnostics.push(
                Diagnostic::error(open.span, "a history state needs one transition, and nothing else")
                    .help("it says what is entered if there is no history yet: <transition target=\"…\"/>"),
            );
        }
        Ok(())
    }

    fn invoke(&mut self, document: usize, node: usize, open: &Open) -> Read<()> {
        let number = self.documents.len();
        let source = open.attribute("src").map(|source| source.trim().trim_start_matches("file:").to_owned());
        let stem = source.as_deref().and_then(|source| std::path::Path::new(source).file_stem());
        let id = match (open.attribute("id"), stem) {
            (Some(id), _) => id.to_owned(),
            (None, Some(stem)) => stem.to_string_lossy().into_owned(),
            (None, None) => format!("invoked{number}"),
        };
        if open.attribute("autoforward") == Some("true") {
            self.diagnostics.push(
                Diagnostic::error(open.span, "`autoforward` is not supported")
                    .help("let the parent send what its child needs"),
            );
        }
        if let Some(name) = open.attribute("idlocation") {
            self.documents[document].unknown.push(root(name).to_owned());
        }
        let mut parameters: Vec<(String, Value)> = Vec::new();
        parameters.extend(words(open.attribute("namelist")).into_iter().map(|name| (name, Value::Unknown)));
        // The content may stand before what is told to it, so it is read at last.
        let mut place = None;
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            if let Token::Open(inner) = self.xml.next()? {
                match inner.name.as_str() {
                    "content" => {}
                    "scxml" if place.is_none() => {
                        if self.xml.depth() > DEEPEST {
                            return Err(Diagnostic::error(inner.span, "machines are nested too deeply"));
                        }
                        let at = self.documents.len();
                        place = Some(at);
                        let invoked = Invoked { id: id.clone(), parent: document, parameters: Vec::new() };
                        self.document(&inner, Some(invoked))?;
                    }
                    "param" => {
                        let name = inner.attribute("name").unwrap_or_default().to_owned();
                        parameters.push((name, inner.attribute("expr").map_or(Value::Unknown, constant)));
                        self.xml.skip()?;
                    }
                    "finalize" => {
                        for action in self.actions(document)? {
                            self.forget(document, &action);
                        }
                    }
                    _ => self.xml.skip()?,
                }
            }
        }
        match (place, source) {
            (Some(at), _) => self.tell(at, &parameters),
            (None, Some(source)) => {
                let at = self.documents.len();
                let invoked = Invoked { id, parent: document, parameters };
                if !self.another_file(&source, open, invoked)? {
                    return Ok(());
                }
                place = Some(at);
            }
            (None, None) => {
                let message = "the machine that is invoked is not here";
                self.diagnostics.push(Diagnostic::error(open.span, message).help(
                    "put it into the file: <content><scxml>…</scxml></content>, or say in which it is: src",
                ));
            }
        }
        self.documents[document].nodes[node].invokes.extend(place);
        Ok(())
    }

    /// Gives data of a document other first values.
    fn tell(&mut self, document: usize, parameters: &[(String, Value)]) {
        let document = &mut self.documents[document];
        for (name, value) in parameters {
            document
                .data
                .iter_mut()
                .filter(|datum| datum.name == *name)
                .for_each(|datum| datum.first = *value);
        }
        bound(document);
    }

    /// Reads the machine of another file; false if it could not be found, which was reported.
    fn another_file(&mut self, source: &str, open: &Open, invoked: Invoked) -> Read<bool> {
        if self.files >= DEEPEST_FILES {
            return Err(Diagnostic::error(open.span, "files invoke each other without end, or too deeply"));
        }
        let text = match (self.load)(source) {
            Ok(text) => text,
            Err(why) => {
                self.error(open.span, format!("the machine `{source}` can't be read: {why}"));
                return Ok(false);
            }
        };
        let file = self.sources.add(source, text.clone());
        let mut inner = Reader {
            xml: Xml::new(file, &text),
            documents: std::mem::take(&mut self.documents),
            diagnostics: self.diagnostics,
            load: self.load,
            sources: self.sources,
            files: self.files + 1,
        };
        let read = inner.file(Some(invoked));
        self.documents = inner.documents;
        read.map(|()| true)
    }

    /// Data that an action changes are not known any more, ever.
    fn forget(&mut self, document: usize, action: &Action) {
        match action {
            Action::Assign { location, .. } => {
                self.documents[document].unknown.push(root(location).to_owned());
            }
            Action::If(branches) => {
                let all: Vec<Action> = branches.iter().flat_map(|branch| branch.actions.clone()).collect();
                all.iter().for_each(|action| self.forget(document, action));
            }
            Action::Script(_) => {
                let names: Vec<String> =
                    self.documents[document].data.iter().map(|datum| datum.name.clone()).collect();
                self.documents[document].unknown.extend(names);
            }
            Action::Raise(..) | Action::Send { .. } | Action::Cancel(_) => {}
        }
    }

    /// Reads executable content, up to the end of the element that is open.
    fn actions(&mut self, document: usize) -> Read<Vec<Action>> {
        let mut actions = Vec::new();
        let depth = self.xml.depth();
        if depth > 2 * DEEPEST {
            let span = Span { file: self.xml.file(), ..Span::default() };
            return Err(Diagnostic::error(span, "conditions are nested too deeply"));
        }
        while self.xml.depth() >= depth {
            if let Token::Open(open) = self.xml.next()? {
                actions.extend(self.action(document, &open)?);
            }
        }
        Ok(actions)
    }

    /// Reads an element of executable content, whose opening tag was read.
    fn action(&mut self, document: usize, open: &Open) -> Read<Option<Action>> {
        let event = open.attribute("event").map(str::to_owned);
        let action = match (open.name.as_str(), event) {
            ("if", _) => return self.branches(document, open).map(Some),
            ("raise", Some(event)) => Some(Action::Raise(event, open.span)),
            ("send", Some(event)) => Some(self.send(document, open, event)),
            ("raise" | "send", None) => {
                let message = format!("`{}` needs an `event`; expressions are not evaluated", open.name);
                self.error(open.span, message);
                None
            }
            ("cancel", _) => match open.attribute("sendid") {
                Some(id) => Some(Action::Cancel(id.to_owned())),
                None => {
                    self.error(open.span, "`cancel` needs a `sendid`; expressions are not evaluated");
                    None
                }
            },
            ("assign", _) => {
                let location = open.attribute("location").unwrap_or_default().trim().to_owned();
                let (content, _) = self.xml.text()?;
                let text = open.attribute("expr").map_or(content, |text| text.trim().to_owned());
                let expression = Expression::parse(&text);
                return Ok(Some(Action::Assign { location, expression, text, span: open.span }));
            }
            ("script", _) => Some(Action::Script(open.span)),
            ("elseif" | "else", _) => {
                self.error(open.span, format!("`{}` stands outside of an `if`", open.name));
                None
            }
            ("foreach", _) => {
                self.diagnostics.push(
                    Diagnostic::error(open.span, "`foreach` is not supported: lists are not evaluated")
                        .help("use transitions with conditions instead"),
                );
                None
            }
            _ => None,
        };
        self.xml.skip()?;
        Ok(action)
    }

    fn send(&mut self, document: usize, open: &Open, event: String) -> Action {
        if open.attribute("targetexpr").is_some() || open.attribute("typeexpr").is_some() {
            self.error(
                open.span,
                "`send` needs its `target` and `type` as they are; expressions are not evaluated",
            );
        }
        if let Some(name) = open.attribute("idlocation") {
            self.documents[document].unknown.push(root(name).to_owned());
        }
        let zero = |delay: &str| {
            delay.trim().trim_start_matches('0').trim_matches(|c: char| c.is_ascii_alphabetic()).is_empty()
        };
        // What another processor of events gets leaves the system.
        let foreign =
            open.attribute("type").filter(|kind| *kind != "scxml" && !kind.ends_with("SCXMLEventProcessor"));
        Action::Send {
            event,
            target: match foreign {
                Some(kind) => format!("{kind}:{}", open.attribute("target").unwrap_or_default()),
                None => open.attribute("target").unwrap_or_default().to_owned(),
            },
            id: open.attribute("id").unwrap_or_default().to_owned(),
            delayed: open.attribute("delay").is_some_and(|delay| !zero(delay))
                || open.attribute("delayexpr").is_some(),
            span: open.span,
        }
    }

    fn branches(&mut self, document: usize, open: &Open) -> Read<Action> {
        let mut branches = vec![self.branch(open)];
        let depth = self.xml.depth();
        if depth > 2 * DEEPEST {
            return Err(Diagnostic::error(open.span, "conditions are nested too deeply"));
        }
        while self.xml.depth() >= depth {
            let Token::Open(inner) = self.xml.next()? else { continue };
            match inner.name.as_str() {
                name @ ("elseif" | "else") => {
                    let branch = match name {
                        "else" => Branch { condition: None, actions: Vec::new() },
                        _ => self.branch(&inner),
                    };
                    if branches.last().is_some_and(|last| last.condition.is_none()) {
                        self.error(inner.span, format!("`{name}` stands behind `else`"));
                    }
                    branches.push(branch);
                    self.xml.skip()?;
                }
                _ => {
                    let action = self.action(document, &inner)?;
                    if let Some(last) = branches.last_mut() {
                        last.actions.extend(action);
                    }
                }
            }
        }
        Ok(Action::If(branches))
    }

    fn branch(&mut self, open: &Open) -> Branch {
        let condition = guard(open);
        if condition.is_none() {
            self.error(open.span, format!("`{}` needs a `cond`", open.name));
        }
        Branch { condition, actions: Vec::new() }
    }
}
