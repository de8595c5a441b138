//! Reads a place/transition net in PNML (ISO/IEC 15909-2), in one pass.
//!
//! Pages are taken together and reference nodes stand for what they refer to. Graphics and what belongs
//! to other tools are passed over. What would change the meaning of the net if it were passed over is
//! an error: coloured nets, arcs of other types (inhibitors, resets), weights that are no numbers.
//! Capacities, which the standard does not have but older files do, are kept.

use super::net::{Net, Place, Transition, gather};
use super::xml::{Open, Token, Xml};
use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};
use std::collections::HashMap;

/// What came of a file.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The net, unless there is an error.
    pub net: Option<Net>,
    /// What is wrong with the file, or odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The file.
    pub sources: SourceMap,
}

/// The most places or transitions that a net may have.
const MOST_NODES: usize = 1 << 24;

/// Reads a net from the text of a file.
pub fn parse(name: &str, text: &str) -> Parsed {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut reading = Reading::new(file, text);
    if let Err(error) = reading.document() {
        reading.diagnostics.push(error);
    }
    let net = reading.resolve();
    let mut diagnostics = reading.diagnostics;
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    diagnostics.sort_by_key(|d| d.span);
    let net = (!failed).then(|| Net { sources: sources.clone(), ..net });
    Parsed { net, diagnostics, sources }
}

/// What an identifier stands for.
#[derive(Clone, Debug)]
enum Node {
    Place(u32),
    Transition(u32),
    Reference(String),
}

struct Arc {
    source: String,
    target: String,
    weight: u32,
    span: Span,
}

struct Reading<'t> {
    xml: Xml<'t>,
    net: Net,
    nodes: HashMap<String, (Node, Span)>,
    arcs: Vec<Arc>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Reading<'t> {
    fn new(file: u16, text: &'t str) -> Reading<'t> {
        Reading {
            xml: Xml::new(file, text),
            net: Net::default(),
            nodes: HashMap::new(),
            arcs: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn document(&mut self) -> Result<(), Diagnostic> {
        let mut nets = 0;
        loop {
            match self.xml.next()? {
                Token::Open(open) if open.name == "pnml" => {}
                Token::Open(open) if open.name == "net" => {
                    nets += 1;
                    if nets > 1 {
                        self.diagnostics.push(Diagnostic::warning(
                            open.span,
                            "this net is not read: only the first of a file is",
                        ));
                        self.xml.skip()?;
                        continue;
                    }
                    self.net(&open)?;
                }
                Token::Open(open) if self.xml.depth() == 1 => {
                    let message = format!("this is `{}`, not a net in PNML", open.name);
                    return Err(Diagnostic::error(open.span, message).help("the root of PNML is <pnml>"));
                }
                Token::Open(_) => self.xml.skip()?,
                Token::Close | Token::Text(..) => {}
                Token::End => break,
            }
        }
        if nets == 0 {
            self.error(Span::default(), "there is no net in this file");
        }
        Ok(())
    }

    fn net(&mut self, open: &Open) -> Result<(), Diagnostic> {
        let kind = open.attribute("type").unwrap_or("");
        let last = kind.trim_end_matches('/').rsplit('/').next().unwrap_or("").to_lowercase();
        let coloured = ["symmetricnet", "highlevelnet", "hlcore", "pt-hlpng", "hlpng", "corecolours"];
        if coloured.iter().any(|one| last.starts_with(one)) {
            let error = Diagnostic::error(open.span, format!("`{kind}` is a coloured net"))
                .help("only place/transition nets are supported: unfold it with another tool first");
            return Err(error);
        }
        let here = self.xml.depth();
        self.net.name = open.attribute("id").unwrap_or("net").to_owned();
        while self.xml.depth() >= here {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "page" => {}
                "name" if self.xml.depth() == here + 1 => {
                    let (name, _) = self.xml.label()?;
                    if !name.is_empty() {
                        self.net.name = name;
                    }
                }
                "place" => self.place(&open)?,
                "transition" => self.transition(&open)?,
                "arc" => self.arc(&open)?,
                "referencePlace" | "referenceTransition" => {
                    let to = open.attribute("ref").map(str::to_owned);
                    match (self.id(&open), to) {
                        (Some(id), Some(to)) => self.declare(id, Node::Reference(to), open.span),
                        (_, None) => self.error(open.span, "a reference needs an attribute `ref`"),
                        _ => {}
                    }
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn id(&mut self, open: &Open) -> Option<String> {
        let id = open.attribute("id").map(str::to_owned);
        if id.is_none() {
            self.error(open.span, format!("this {} has no attribute `id`", open.name));
        }
        id
    }

    fn declare(&mut self, id: String, node: Node, span: Span) {
        if let Some((_, first)) = self.nodes.get(&id) {
            let error = Diagnostic::error(span, format!("the identifier `{id}` is used twice"));
            self.diagnostics.push(error.note(*first, "it stands here first"));
            return;
        }
        self.nodes.insert(id, (node, span));
    }

    /// Adds a number of tokens that a label gives.
    fn number(&mut self, (text, span): (String, Span), what: &str) -> Option<u32> {
        // Some tools write the marking of the only colour of an uncoloured net as `Default,3`.
        let text = text.strip_prefix("Default,").unwrap_or(&text).trim().to_owned();
        match text.parse::<u32>() {
            Ok(number) => Some(number),
            Err(_) => {
                self.error(span, format!("{what} must be a number from 0 to {}, not `{text}`", u32::MAX));
                None
            }
        }
    }

    fn place(&mut self, open: &Open) -> Result<(), Diagnostic> {
        let here = self.xml.depth();
        let id = self.id(open);
        let (mut name, mut initial, mut capacity) = (String::new(), 0, None);
        while self.xml.depth() >= here {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "name" => name = self.xml.label()?.0,
                "initialMarking" => {
                    let label = self.xml.label()?;
                    if !label.0.is_empty() {
                        initial = self.number(label, "a marking").unwrap_or(0);
                    }
                }
                "capacity" => {
                    let label = self.xml.label()?;
                    // In old files 0 stands for no capacity.
                    if !label.0.is_empty() {
                        capacity = self.number(label, "a capacity").filter(|&tokens| tokens > 0);
                    }
                }
                "hlinitialMarking" | "type" => {
                    self.error(open.span, "this place belongs to a coloured net");
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        let Some(id) = id else { return Ok(()) };
        if self.net.places.len() >= MOST_NODES {
            return Err(Diagnostic::error(open.span, "the net has too many places"));
        }
        if capacity.is_some_and(|most| initial > most) {
            self.error(open.span, format!("the place `{id}` holds more tokens at first than its capacity"));
        }
        self.declare(id.clone(), Node::Place(self.net.places.len() as u32), open.span);
        self.net.places.push(Place { id, name, initial, capacity, span: open.span });
        Ok(())
    }

    fn transition(&mut self, open: &Open) -> Result<(), Diagnostic> {
        let here = self.xml.depth();
        let id = self.id(open);
        let mut name = String::new();
        while self.xml.depth() >= here {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "name" => name = self.xml.label()?.0,
                "condition" => {
                    self.error(open.span, "this transition belongs to a coloured net");
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        let Some(id) = id else { return Ok(()) };
        if self.net.transitions.len() >= MOST_NODES {
            return Err(Diagnostic::error(open.span, "the net has too many transitions"));
        }
        self.declare(id.clone(), Node::Transition(self.net.transitions.len() as u32), open.span);
        let (inputs, outputs) = (Vec::new(), Vec::new());
        self.net.transitions.push(Transition { id, name, inputs, outputs, span: open.span });
        Ok(())
    }

    fn arc(&mut self, open: &Open) -> Result<(), Diagnostic> {
        let here = self.xml.depth();
        let mut weight = Some(1);
        while self.xml.depth() >= here {
            let Token::Open(inner) = self.xml.next()? else { continue };
            match inner.name.as_str() {
                "inscription" => {
                    let label = self.xml.label()?;
                    if !label.0.is_empty() {
                        weight = self.number(label, "the weight of an arc");
                    }
                }
                "type" => {
                    let kind = inner.attribute("value").unwrap_or("normal").to_owned();
                    let text = self.xml.text()?.0;
                    let kind = if text.is_empty() { kind } else { text };
                    if kind != "normal" {
                        let message = format!("an arc of type `{kind}` is not supported");
                        self.diagnostics.push(
                            Diagnostic::error(inner.span, message)
                                .help("only arcs that take and give tokens are; a test is a pair of them"),
                        );
                    }
                }
                "hlinscription" => {
                    self.error(inner.span, "this arc belongs to a coloured net");
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        let end = |name: &str| open.attribute(name).map(str::to_owned);
        let (Some(source), Some(target)) = (end("source"), end("target")) else {
            self.error(open.span, "an arc needs the attributes `source` and `target`");
            return Ok(());
        };
        if let Some(weight) = weight.filter(|&weight| weight > 0) {
            self.arcs.push(Arc { source, target, weight, span: open.span });
        }
        Ok(())
    }

    /// What an identifier stands for, references followed.
    fn node(&self, id: &str) -> Result<Node, String> {
        let mut id = id;
        for _ in 0..=self.nodes.len() {
            match self.nodes.get(id) {
                None => return Err(format!("there is no place or transition `{id}`")),
                Some((Node::Reference(to), _)) => id = to,
                Some((node, _)) => return Ok(node.clone()),
            }
        }
        Err(format!("the reference `{id}` leads back to itself"))
    }

    /// Gives the arcs to their transitions.
    fn resolve(&mut self) -> Net {
        let mut net = std::mem::take(&mut self.net);
        for arc in std::mem::take(&mut self.arcs) {
            match (self.node(&arc.source), self.node(&arc.target)) {
                (Ok(Node::Place(place)), Ok(Node::Transition(transition))) => {
                    net.transitions[transition as usize].inputs.push((place, arc.weight));
                }
                (Ok(Node::Transition(transition)), Ok(Node::Place(place))) => {
                    net.transitions[transition as usize].outputs.push((place, arc.weight));
                }
                (Ok(_), Ok(_)) => self.error(arc.span, "an arc leads from a place to a transition, or back"),
                (Err(message), _) | (_, Err(message)) => self.error(arc.span, message),
            }
        }
        let mut overflowing = Vec::new();
        for transition in &mut net.transitions {
            for arcs in [&mut transition.inputs, &mut transition.outputs] {
                let total: u64 = arcs.iter().map(|(_, weight)| u64::from(*weight)).sum();
                if total > u64::from(u32::MAX) {
                    overflowing.push(transition.span);
                }
                gather(arcs, u32::saturating_add);
            }
        }
        for span in overflowing {
            self.error(span, "the weights of the arcs of this transition are too large");
        }
        net.sort_transitions();
        name_apart(net.places.iter_mut().map(|p| (p.id.as_str(), &mut p.name)));
        name_apart(net.transitions.iter_mut().map(|t| (t.id.as_str(), &mut t.name)));
        net
    }
}

/// Names are shown if they tell things apart, else identifiers are.
fn name_apart<'a>(all: impl Iterator<Item = (&'a str, &'a mut String)>) {
    let all: Vec<(&str, &mut String)> = all.collect();
    let mut names: Vec<&str> = all.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    let unique = names.windows(2).all(|pair| pair[0] != pair[1]) && names.first() != Some(&"");
    if !unique {
        all.into_iter().for_each(|(id, name)| id.clone_into(name));
    }
}
