//! An SCXML document as a tree of states.
//!
//! What can't be translated and would change the behaviour is an error with its place; what only concerns data is passed
//! over, because conditions on data are not evaluated either.

use crate::petri::xml::{Open, Token, Xml};
use mazurka_model::source::{Diagnostic, Span};

/// What a node is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The document, or a state: one of its children is active, if it has any.
    #[default]
    State,
    /// All children are active.
    Parallel,
    /// What is above is done when it is active.
    Final,
}

/// A state.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub span: Span,
    /// Its parent; none for the document.
    pub parent: Option<usize>,
    /// Its children, in order.
    pub children: Vec<usize>,
    /// The states entered with it, by name, if given.
    pub initial: Vec<String>,
    /// What is done when it is entered.
    pub entry: Vec<Action>,
    /// What is done when it is left.
    pub exit: Vec<Action>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Machines that live while it is active: by number of the document.
    pub invokes: Vec<usize>,
}

/// Something that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// An event is put before those from outside.
    Raise(String, Span),
    /// An event is sent: to whom, with which name of its own, and whether after some time.
    Send {
        /// The event.
        event: String,
        /// The target as it is written.
        target: String,
        /// The name by which it can be cancelled.
        id: String,
        /// It comes later.
        delayed: bool,
        /// Where.
        span: Span,
    },
    /// An event that was to come later does not.
    Cancel(String),
}

/// A transition.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// What it waits for; nothing: it is taken at once.
    pub events: Vec<String>,
    /// Its condition.
    pub condition: Option<String>,
    /// Where it leads; nowhere: nothing is left or entered.
    pub targets: Vec<String>,
    /// It does not leave its own state if its targets lie within.
    pub internal: bool,
    /// What is done.
    pub actions: Vec<Action>,
    /// Where it stands.
    pub span: Span,
}

/// A document: its states, the first of which is the document itself.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// By which name its parent invokes it, and the parent's number.
    pub invoked: Option<(String, usize)>,
    /// The states, parents before children.
    pub nodes: Vec<Node>,
}

/// Reads the documents of a file: the outermost, and those that are invoked with their content.
pub fn read(file: u16, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Document> {
    let mut reader = Reader { xml: Xml::new(file, text), documents: Vec::new(), diagnostics };
    if let Err(error) = reader.file() {
        reader.diagnostics.push(error);
    }
    reader.documents
}

/// The deepest nesting of states.
const DEEPEST: usize = 50;
/// The most states of a file.
const MOST_NODES: usize = 2000;

struct Reader<'t, 'd> {
    xml: Xml<'t>,
    documents: Vec<Document>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

type Read<T> = Result<T, Diagnostic>;

fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

impl Reader<'_, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn file(&mut self) -> Read<()> {
        loop {
            match self.xml.next()? {
                Token::Open(open) if open.name == "scxml" => return self.document(&open, None),
                Token::Open(open) => {
                    let message = format!("`scxml` is expected here, not `{}`", open.name);
                    return Err(Diagnostic::error(open.span, message));
                }
                Token::End => {
                    return Err(Diagnostic::error(Span::default(), "there is no element `scxml`"));
                }
                Token::Close | Token::Text(..) => {}
            }
        }
    }

    fn document(&mut self, open: &Open, invoked: Option<(String, usize)>) -> Read<()> {
        let number = self.documents.len();
        let id = invoked.as_ref().map(|(id, _)| id.clone());
        let name =
            id.or_else(|| open.attribute("name").map(str::to_owned)).unwrap_or_else(|| "machine".to_owned());
        let root = Node { span: open.span, initial: words(open.attribute("initial")), ..Node::default() };
        self.documents.push(Document { name, invoked, nodes: vec![root] });
        self.content(number, 0)
    }

    /// Reads what is in a state, up to its end.
    fn content(&mut self, document: usize, node: usize) -> Read<()> {
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "state" | "parallel" | "final" => self.state(document, node, &open)?,
                "initial" => {
                    let inner = self.xml.depth();
                    while self.xml.depth() >= inner {
                        if let Token::Open(open) = self.xml.next()?
                            && open.name == "transition"
                        {
                            let targets = words(open.attribute("target"));
                            self.documents[document].nodes[node].initial = targets;
                        }
                    }
                }
                "onentry" => {
                    let mut actions = self.actions()?;
                    self.documents[document].nodes[node].entry.append(&mut actions);
                }
                "onexit" => {
                    let mut actions = self.actions()?;
                    self.documents[document].nodes[node].exit.append(&mut actions);
                }
                "transition" => {
                    let transition = Transition {
                        events: words(open.attribute("event")),
                        condition: open.attribute("cond").map(|text| text.trim().to_owned()),
                        targets: words(open.attribute("target")),
                        internal: open.attribute("type") == Some("internal"),
                        actions: self.actions()?,
                        span: open.span,
                    };
                    self.documents[document].nodes[node].transitions.push(transition);
                }
                "invoke" => self.invoke(document, node, &open)?,
                "history" => {
                    self.error(open.span, "history states are not supported");
                    self.xml.skip()?;
                }
                // Data, scripts and what belongs to other tools.
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn state(&mut self, document: usize, parent: usize, open: &Open) -> Read<()> {
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
        nodes[parent].children.push(number);
        if let Some(first) = known {
            let message = format!("the state `{id}` is declared twice");
            self.diagnostics.push(Diagnostic::error(open.span, message).note(first, "declared here first"));
        }
        self.content(document, number)
    }

    fn invoke(&mut self, document: usize, node: usize, open: &Open) -> Read<()> {
        let number = self.documents.len();
        let id = open.attribute("id").map_or_else(|| format!("invoked{number}"), str::to_owned);
        let mut found = false;
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            if let Token::Open(inner) = self.xml.next()? {
                match inner.name.as_str() {
                    "content" => {}
                    "scxml" if !found => {
                        if self.xml.depth() > DEEPEST {
                            return Err(Diagnostic::error(inner.span, "machines are nested too deeply"));
                        }
                        found = true;
                        let at = self.documents.len();
                        self.document(&inner, Some((id.clone(), document)))?;
                        self.documents[document].nodes[node].invokes.push(at);
                    }
                    _ => self.xml.skip()?,
                }
            }
        }
        if !found {
            let message = "the machine that is invoked is not here";
            self.diagnostics.push(
                Diagnostic::error(open.span, message)
                    .help("put it into the file: <content><scxml>…</scxml></content>"),
            );
        }
        Ok(())
    }

    /// Reads executable content, up to the end of the element that is open.
    fn actions(&mut self) -> Read<Vec<Action>> {
        let mut actions = Vec::new();
        let depth = self.xml.depth();
        while self.xml.depth() >= depth {
            let Token::Open(open) = self.xml.next()? else { continue };
            let event = open.attribute("event").map(str::to_owned);
            match (open.name.as_str(), event) {
                ("raise", Some(event)) => actions.push(Action::Raise(event, open.span)),
                ("send", Some(event)) => actions.push(Action::Send {
                    event,
                    target: open.attribute("target").unwrap_or_default().to_owned(),
                    id: open.attribute("id").unwrap_or_default().to_owned(),
                    delayed: open.attribute("delay").is_some_and(|delay| {
                        !delay
                            .trim_start_matches('0')
                            .trim_matches(|c: char| c.is_ascii_alphabetic())
                            .is_empty()
                    }) || open.attribute("delayexpr").is_some(),
                    span: open.span,
                }),
                ("raise" | "send", None) => {
                    self.error(
                        open.span,
                        format!("`{}` needs an `event`; expressions are not evaluated", open.name),
                    );
                }
                ("cancel", _) => match open.attribute("sendid") {
                    Some(id) => actions.push(Action::Cancel(id.to_owned())),
                    None => self.error(open.span, "`cancel` needs a `sendid`; expressions are not evaluated"),
                },
                ("if" | "foreach", _) => {
                    let message = format!("`{}` is not supported: data are not evaluated", open.name);
                    self.diagnostics.push(
                        Diagnostic::error(open.span, message).help("use transitions with conditions instead"),
                    );
                }
                _ => {}
            }
            self.xml.skip()?;
        }
        Ok(actions)
    }
}
