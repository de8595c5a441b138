//! The control flow of a body as SPIN builds it: elements in sequences.
//!
//! An element is a statement, or one of the points that SPIN adds: the end of an `if`, the top of a
//! `do`, where a `break` leads. Which of them are values of the program counter is decided in
//! [`super::transitions`]. The marks of atomic sequences follow SPIN's: every element inside is
//! `atomic` but the last, whose step ends the sequence; a jump out of the sequence ends it too.

use super::Lowerer;
use crate::promela::ast::{ExpressionKind, Name, Sequence, Statement, StatementKind};
use crate::promela::check::LabelKey;
use crate::promela::print;
use mazurka_model::source::Span;
use mazurka_program::ir::{Effect, Expression};
use std::collections::HashMap;

/// An element, by position.
pub(super) type ElementId = usize;

/// One step of a process, without where it starts and leads.
#[derive(Clone, Debug, Default)]
pub(super) struct Action {
    pub guard: Vec<Expression>,
    pub otherwise: bool,
    pub effects: Vec<Effect>,
    pub statement: String,
    pub span: Span,
}

/// Elements in order, linked by [`Element::next`].
#[derive(Copy, Clone, Debug)]
pub(super) struct Part {
    pub first: ElementId,
    pub last: ElementId,
    /// The last before the end of an `if` or `unless` was appended.
    pub extent: ElementId,
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A step.
    Step(Box<Action>),
    /// A jump to an element.
    Goto(Option<ElementId>),
    /// The end of an `if` or `unless`, or the top of a `do`.
    Point,
    /// Where a `break` leads.
    Break,
    /// `if` or `do`.
    Choice(Vec<Part>),
    /// A statement and its escape.
    Unless(Part, Part),
    /// Braces.
    Block(Part),
    /// `d_step`.
    Deterministic(Part),
    /// The end of the process.
    End,
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: Kind,
    pub next: Option<ElementId>,
    /// Its step does not end the atomic sequence around it.
    pub atomic: bool,
    /// It is the last of an atomic sequence.
    pub ends_atomic: bool,
    /// The escapes that are attached to it, the latest first.
    pub escapes: Vec<Part>,
    pub labels: Vec<Name>,
    /// The `d_step` around it.
    pub within: Option<ElementId>,
    pub statement: String,
    pub span: Span,
}

impl Element {
    /// Whether the source has no statement for it.
    pub fn is_implied(&self) -> bool {
        matches!(self.kind, Kind::Point | Kind::Break)
    }
}

/// The control flow of a body.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub elements: Vec<Element>,
    pub start: ElementId,
    pub labels: HashMap<LabelKey, ElementId>,
}

/// A sequence under construction.
#[derive(Default)]
pub(super) struct Open {
    pub(super) first: Option<ElementId>,
    pub(super) last: Option<ElementId>,
}

pub(super) struct Builder<'l, 'a> {
    pub(super) lowerer: &'l mut Lowerer<'a>,
    pub(super) graph: Graph,
    /// Where `break` leads in the loops around.
    pub(super) breaks: Vec<ElementId>,
    jumps: Vec<(ElementId, &'a Name)>,
}

impl<'a> Lowerer<'a> {
    /// The control flow of a body.
    pub(super) fn graph(&mut self, body: &'a Sequence) -> Graph {
        let mut builder =
            Builder { lowerer: self, graph: Graph::default(), breaks: Vec::new(), jumps: Vec::new() };
        let mut open = Open::default();
        builder.statements(body, &mut open);
        let end = builder.element(Kind::End, "-end-".into(), closing_brace(body));
        builder.append(end, &mut open);
        builder.graph.start = open.first.unwrap_or(end);
        for (jump, name) in std::mem::take(&mut builder.jumps) {
            let key =
                builder.lowerer.symbols.label(builder.lowerer.item, name, &builder.lowerer.unit.expansions);
            let target = key.and_then(|key| builder.graph.labels.get(&key).copied());
            if target.is_none() {
                builder.lowerer.error(name.place, format!("no label `{}`", name.text));
            }
            builder.graph.elements[jump].kind = Kind::Goto(target);
        }
        let mut graph = builder.graph;
        graph.link(graph.start, None);
        graph.patch();
        graph
    }
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn element(&mut self, kind: Kind, statement: String, span: Span) -> ElementId {
        self.graph.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            ends_atomic: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            within: None,
            statement,
            span,
        });
        self.graph.elements.len() - 1
    }

    pub(super) fn step(&mut self, action: Action) -> ElementId {
        let (statement, span) = (action.statement.clone(), action.span);
        self.element(Kind::Step(Box::new(action)), statement, span)
    }

    /// Appends an element. A jump with a label that says something about the state, or that other
    /// processes ask for, is preceded by a step of its own that has the label.
    pub(super) fn append(&mut self, element: ElementId, open: &mut Open) {
        let special = |name: &Name| {
            ["accept", "end", "progress"].iter().any(|word| name.text.starts_with(word))
                || self.lowerer.is_named_outside(&name.text)
        };
        let jump = &self.graph.elements[element];
        if matches!(jump.kind, Kind::Goto(_)) && jump.labels.iter().any(special) {
            let span = jump.span;
            let labels = std::mem::take(&mut self.graph.elements[element].labels);
            let skip = self.step(Action { statement: "skip".into(), span, ..Action::default() });
            self.set_labels(labels.iter(), skip);
            self.append(skip, open);
        }
        match open.last {
            None => open.first = Some(element),
            Some(last) => self.graph.elements[last].next = Some(element),
        }
        open.last = Some(element);
    }

    pub(super) fn set_labels<'n>(&mut self, labels: impl Iterator<Item = &'n Name>, element: ElementId) {
        for label in labels {
            let (item, unit) = (self.lowerer.item, self.lowerer.unit);
            if let Some(key) = self.lowerer.symbols.label(item, label, &unit.expansions) {
                self.graph.labels.insert(key, element);
            }
            self.graph.elements[element].labels.push(label.clone());
        }
    }

    pub(super) fn close(&mut self, open: Open, span: Span) -> Part {
        let mut open = open;
        if open.last.is_none() {
            let skip = self.step(Action { statement: "skip".into(), span, ..Action::default() });
            self.append(skip, &mut open);
        }
        let (first, last) = (open.first.unwrap_or(0), open.last.unwrap_or(0));
        Part { first, last, extent: last }
    }

    pub(super) fn statements(&mut self, body: &'a Sequence, open: &mut Open) {
        self.statements_except(body, &[], open);
    }

    /// An option of an `if` or a `do`.
    fn option(&mut self, body: &'a Sequence) -> Part {
        let mut open = Open::default();
        self.statements_except(body, &redundant_skips(body), &mut open);
        self.close(open, body.place.span)
    }

    fn statements_except(&mut self, body: &'a Sequence, left_out: &[usize], open: &mut Open) {
        let mut labels: Vec<&'a Name> = Vec::new();
        for (index, statement) in body.statements.iter().enumerate() {
            if left_out.contains(&index) {
                continue;
            }
            labels.extend(&statement.labels);
            match &statement.kind {
                StatementKind::Declaration(declaration) => {
                    if declaration.reinitialises {
                        for action in self.lowerer.reinitialisations(declaration) {
                            let element = self.step(action);
                            self.set_labels(labels.drain(..), element);
                            self.append(element, open);
                        }
                    }
                }
                StatementKind::Exclusive { receive, channels } => {
                    channels
                        .iter()
                        .for_each(|channel| self.lowerer.claim(*receive, channel, statement.place));
                }
                _ => {
                    let names = std::mem::take(&mut labels);
                    self.statement(statement, names, open);
                }
            }
        }
    }

    pub(super) fn sequence(&mut self, body: &'a Sequence) -> Part {
        let mut open = Open::default();
        self.statements(body, &mut open);
        self.close(open, body.place.span)
    }

    fn statement(&mut self, statement: &'a Statement, labels: Vec<&'a Name>, open: &mut Open) {
        let span = statement.place.span;
        let element = match &statement.kind {
            StatementKind::If(options) => {
                let parts = options.iter().map(|o| self.option(o)).collect();
                return self.choice(parts, labels, None, span, open);
            }
            StatementKind::Do(options) => {
                let exit = self.element(Kind::Break, "break".into(), span);
                self.breaks.push(exit);
                let parts = options.iter().map(|o| self.option(o)).collect();
                self.breaks.pop();
                return self.choice(parts, labels, Some(exit), span, open);
            }
            StatementKind::ForRange { variable, from, to, body } => {
                let from_text = print::expression(from);
                let (from, to_value) = (self.lowerer.expression(from), self.lowerer.expression(to));
                let limit = (to_value, print::expression(to));
                return self.range(variable, (from, from_text), limit, Some(body), statement, labels, open);
            }
            StatementKind::ForIn { variable, over, body } => {
                return self.for_in(variable, over, body, statement, labels, open);
            }
            StatementKind::Select { variable, from, to } => {
                return self.select(variable, from, to, statement, labels, open);
            }
            StatementKind::Atomic(body) => {
                let part = self.sequence(body);
                self.make_atomic(part);
                self.element(Kind::Block(part), "atomic".into(), span)
            }
            StatementKind::DStep(body) => {
                let part = self.sequence(body);
                self.make_atomic(part);
                let element = self.element(Kind::Deterministic(part), "d_step".into(), span);
                self.set_within(part, element);
                element
            }
            StatementKind::Block(body) => {
                let part = self.sequence(body);
                self.element(Kind::Block(part), "{ }".into(), span)
            }
            StatementKind::Unless { main, escape } => {
                return self.unless(main, escape, labels, span, open);
            }
            StatementKind::Break => {
                let target = self.breaks.last().copied();
                self.element(Kind::Goto(target), "break".into(), span)
            }
            StatementKind::Goto(label) => {
                let jump = self.element(Kind::Goto(None), format!("goto {}", label.text), span);
                self.jumps.push((jump, label));
                jump
            }
            _ => {
                let action = self.lowerer.action(statement).unwrap_or_default();
                self.step(action)
            }
        };
        self.set_labels(labels.into_iter(), element);
        self.append(element, open);
    }

    /// `if`, or `do` if there is an exit: an `else` is tried last.
    pub(super) fn choice(
        &mut self,
        mut parts: Vec<Part>,
        labels: Vec<&'a Name>,
        exit: Option<ElementId>,
        span: Span,
        open: &mut Open,
    ) {
        let is_else = |graph: &Graph, part: &Part| matches!(&graph.elements[part.first].kind, Kind::Step(action) if action.otherwise);
        parts.sort_by_key(|part| is_else(&self.graph, part));
        let point = self.element(Kind::Point, "goto".into(), span);
        for part in &mut parts {
            self.graph.elements[part.last].next = Some(point);
            part.last = point;
        }
        let word = if exit.is_some() { "do" } else { "if" };
        let element = self.element(Kind::Choice(parts), word.into(), span);
        self.set_labels(labels.into_iter(), element);
        if let Some(exit) = exit {
            self.append(point, open);
            self.append(element, open);
            self.append(exit, open);
        } else {
            self.append(element, open);
            self.append(point, open);
        }
    }

    fn unless(
        &mut self,
        main: &'a Statement,
        escape: &'a Statement,
        labels: Vec<&'a Name>,
        span: Span,
        open: &mut Open,
    ) {
        let mut escape_part = self.branch(escape);
        let braces =
            matches!(main.kind, StatementKind::Block(_) | StatementKind::Atomic(_) | StatementKind::DStep(_));
        let mut all_labels = labels;
        // A label before the braces is lifted: it names new braces around the whole.
        let lifted = braces && !main.labels.is_empty();
        let mut main_part = match &main.kind {
            StatementKind::Block(body) => self.sequence(body),
            _ => self.branch(main),
        };
        let point = self.element(Kind::Point, "goto".into(), span);
        for part in [&mut main_part, &mut escape_part] {
            self.graph.elements[part.last].next = Some(point);
            part.last = point;
        }
        self.attach(main_part, escape_part);
        let element = self.element(Kind::Unless(main_part, escape_part), "unless".into(), span);
        if lifted {
            let mut inner = Open::default();
            self.append(element, &mut inner);
            self.append(point, &mut inner);
            let part = self.close(inner, span);
            let block = self.element(Kind::Block(part), "{ }".into(), span);
            all_labels.extend(&main.labels);
            self.set_labels(all_labels.into_iter(), block);
            self.append(block, open);
        } else {
            self.set_labels(all_labels.into_iter(), element);
            self.append(element, open);
            self.append(point, open);
        }
    }

    /// One side of an `unless`.
    fn branch(&mut self, statement: &'a Statement) -> Part {
        if let StatementKind::Block(body) = &statement.kind
            && statement.labels.is_empty()
        {
            return self.sequence(body);
        }
        let mut open = Open::default();
        self.statement(statement, statement.labels.iter().collect(), &mut open);
        self.close(open, statement.place.span)
    }

    /// Attaches an escape to everything in a part.
    fn attach(&mut self, part: Part, escape: Part) {
        let mut at = Some(part.first);
        while let Some(element) = at {
            self.attach_to(element, escape);
            if element == part.extent {
                break;
            }
            at = self.graph.elements[element].next;
        }
    }

    fn attach_to(&mut self, element: ElementId, escape: Part) {
        if self.graph.elements[element].escapes.iter().any(|e| e.first == escape.first) {
            return;
        }
        for inner in self.graph.elements[element].escapes.clone() {
            self.attach(inner, escape);
        }
        self.graph.elements[element].escapes.insert(0, escape);
        match self.graph.elements[element].kind.clone() {
            Kind::Unless(main, _) => self.attach(main, escape),
            Kind::Choice(parts) => parts.into_iter().for_each(|part| self.attach(part, escape)),
            Kind::Block(part) => self.attach(part, escape),
            // Only to its guard.
            Kind::Deterministic(part) => self.attach_to(part.first, escape),
            _ => {}
        }
    }

    /// Marks an atomic sequence: all but its last step.
    fn make_atomic(&mut self, part: Part) {
        self.mark(part);
        match self.graph.elements[part.last].kind.clone() {
            Kind::Block(inner) => self.make_atomic(inner),
            Kind::Unless(main, _) => self.make_atomic(main),
            _ => {
                let last = &mut self.graph.elements[part.last];
                (last.atomic, last.ends_atomic) = (false, true);
            }
        }
    }

    fn mark(&mut self, part: Part) {
        let mut at = Some(part.first);
        while let Some(element) = at {
            self.graph.elements[element].atomic = true;
            for inner in self.graph.inner(element) {
                // A `d_step` keeps its own marks: it is one step from outside.
                if !matches!(self.graph.elements[element].kind, Kind::Deterministic(_)) {
                    self.mark(inner);
                }
            }
            if element == part.last {
                break;
            }
            at = self.graph.elements[element].next;
        }
    }

    fn set_within(&mut self, part: Part, owner: ElementId) {
        let mut at = Some(part.first);
        while let Some(element) = at {
            self.graph.elements[element].within = Some(owner);
            self.graph.inner(element).into_iter().for_each(|inner| self.set_within(inner, owner));
            if element == part.last {
                break;
            }
            at = self.graph.elements[element].next;
        }
    }
}

impl Graph {
    /// The parts inside an element.
    pub fn inner(&self, element: ElementId) -> Vec<Part> {
        match &self.elements[element].kind {
            Kind::Choice(parts) => parts.clone(),
            Kind::Unless(main, escape) => vec![*main, *escape],
            Kind::Block(part) | Kind::Deterministic(part) => vec![*part],
            _ => Vec::new(),
        }
    }

    /// Lets the last element of every block lead behind the block.
    fn link(&mut self, first: ElementId, last: Option<ElementId>) {
        let mut at = Some(first);
        while let Some(element) = at {
            let next = self.elements[element].next;
            for part in self.inner(element) {
                if matches!(self.elements[element].kind, Kind::Block(_) | Kind::Deterministic(_)) {
                    self.elements[part.last].next = next;
                }
                self.link(part.first, Some(part.last));
            }
            if Some(element) == last {
                break;
            }
            at = self.elements[element].next;
        }
    }

    /// A jump out of an atomic sequence ends it; one from the end of a sequence into another goes on.
    fn patch(&mut self) {
        for element in 0..self.elements.len() {
            let Kind::Goto(Some(target)) = self.elements[element].kind else { continue };
            let target = &self.elements[target];
            let inside = target.atomic || target.ends_atomic;
            let jump = &mut self.elements[element];
            if (jump.atomic || jump.ends_atomic) && !inside {
                (jump.atomic, jump.ends_atomic) = (false, true);
            }
            if jump.ends_atomic && inside {
                (jump.atomic, jump.ends_atomic) = (true, false);
            }
        }
    }
}

/// Where a body ends: its last character.
fn closing_brace(body: &Sequence) -> Span {
    let Span { file, start, end } = body.place.span;
    Span { file, start: end.saturating_sub(1).max(start), end }
}

/// The statements of an option that SPIN leaves out: a `skip` after a `skip` or a `printf`, without a label,
/// and neither the first nor the last.
fn redundant_skips(body: &Sequence) -> Vec<usize> {
    let is_step = |statement: &Statement| match &statement.kind {
        StatementKind::Declaration(declaration) => declaration.reinitialises,
        StatementKind::Exclusive { .. } => false,
        _ => true,
    };
    let steps: Vec<usize> = (0..body.statements.len()).filter(|&i| is_step(&body.statements[i])).collect();
    let mut redundant = Vec::new();
    let mut after_skip = false;
    for (position, &index) in steps.iter().enumerate() {
        let statement = &body.statements[index];
        let prints = matches!(statement.kind, StatementKind::Printf { .. } | StatementKind::Printm(_));
        let skips = matches!(&statement.kind, StatementKind::Expression(value) if matches!(
            value.kind,
            ExpressionKind::Skip | ExpressionKind::Boolean(true) | ExpressionKind::Number(1)
        ));
        let inside = position > 0 && position + 1 < steps.len();
        if after_skip && skips && inside && statement.labels.is_empty() {
            redundant.push(index);
        }
        after_skip = (prints || skips) && statement.labels.is_empty();
    }
    redundant
}
