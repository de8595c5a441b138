//! From the control flow to locations and transitions.
//!
//! A location is an element at which a step can end: jumps and the points that SPIN adds are passed,
//! except where an atomic sequence ends in between, because there the jump is a step of its own. The
//! transitions of an `if`, a `do` and of braces are those of the first statements inside. A `d_step`
//! becomes a chain of locations where the first executable alternative is taken. Escapes stand before
//! what they escape from, those of the outermost `unless` first.

use super::Lowerer;
use super::graph::{Action, Element, ElementId, Graph, Kind, Part};
use mazurka_program::ir::{
    DeadStatement, Effect, Expression, Location, LocationId, Target, Transition, VariableRef,
};
use std::collections::{HashMap, HashSet};

/// How deep escapes of escapes are followed.
const DEEPEST_ESCAPES: u32 = 16;

/// What the labels of an element say of the state.
#[derive(Copy, Clone, Default)]
struct Flags {
    end: bool,
    progress: bool,
    accept: bool,
}

impl Flags {
    fn unite(&mut self, other: Flags) {
        self.end |= other.end;
        self.progress |= other.progress;
        self.accept |= other.accept;
    }
}

/// Where a step inside a `d_step` leads.
enum Inside {
    Within(ElementId),
    Out(ElementId),
}

struct Emitter<'l, 'a> {
    lowerer: &'l mut Lowerer<'a>,
    graph: Graph,
    provided: Option<Expression>,
    locations: HashMap<ElementId, LocationId>,
    /// The names of the locations.
    names: HashSet<String>,
    pending: Vec<ElementId>,
    /// The elements that have a transition.
    emitted: HashSet<ElementId>,
}

/// A transition before its locations are known to the process.
#[derive(Clone)]
struct Leaf {
    element: ElementId,
    transition: Transition,
    target: Flags,
}

impl<'a> Lowerer<'a> {
    /// Adds the locations and transitions of a body to the process.
    pub(super) fn transitions(&mut self, graph: Graph, provided: Option<Expression>) {
        let mut emitter = Emitter {
            lowerer: self,
            graph,
            provided,
            locations: HashMap::new(),
            names: HashSet::new(),
            pending: Vec::new(),
            emitted: HashSet::new(),
        };
        let start = emitter.graph.start;
        let start = emitter.hunt(start, emitter.graph.elements[start].atomic);
        emitter.lowerer.process.start = emitter.location(start);
        while let Some(element) = emitter.pending.pop() {
            emitter.leave(element);
        }
        let Emitter { graph, mut locations, emitted, .. } = emitter;
        self.process.dead = graph.dead(&emitted);
        if self.variables.survey.counters {
            self.order_locations(&mut locations);
        }
        let place = |element: &ElementId| locations.get(element).copied();
        self.locate_labels(graph.labels.iter().map(|(key, element)| (key, place(element))));
    }
}

impl Lowerer<'_> {
    /// Numbers the locations in the order of the text, for who asks for the number of one.
    fn order_locations(&mut self, locations: &mut HashMap<ElementId, LocationId>) {
        let mut order: Vec<(ElementId, LocationId)> = locations.iter().map(|(e, l)| (*e, *l)).collect();
        order.sort_unstable();
        let process = &mut self.process;
        let mut new = vec![LocationId(0); process.locations.len()];
        let mut sorted = Vec::new();
        for (position, (element, old)) in order.into_iter().enumerate() {
            new[old.index()] = LocationId(position as u32);
            sorted.push(process.locations[old.index()].clone());
            locations.insert(element, LocationId(position as u32));
        }
        process.locations = sorted;
        process.start = new[process.start.index()];
        for transition in &mut process.transitions {
            transition.from = new[transition.from.index()];
            transition.to = new[transition.to.index()];
        }
    }
}

impl Graph {
    /// The statements that no path leads to. Jumps take no step, so they are not missed.
    fn dead(&self, emitted: &HashSet<ElementId>) -> Vec<DeadStatement> {
        let is_step = |element: &Element| matches!(element.kind, Kind::Step(_) | Kind::End);
        let elements = self.elements.iter().enumerate();
        elements
            .filter(|(id, element)| is_step(element) && !emitted.contains(id))
            .map(|(_, Element { statement, span, .. })| DeadStatement {
                statement: statement.clone(),
                span: *span,
            })
            .collect()
    }

    /// Where a sequence really begins.
    fn begin(&self, mut element: ElementId) -> ElementId {
        for _ in 0..self.elements.len() {
            match (&self.elements[element].kind, self.elements[element].next) {
                (Kind::Point, Some(next)) => element = next,
                (Kind::Unless(main, _), _) => element = main.first,
                _ => break,
            }
        }
        element
    }

    /// The elements whose steps leave an element, with those on the way to each.
    fn leaves(&self, element: ElementId, inside: bool) -> Vec<(ElementId, Vec<ElementId>)> {
        let mut out = Vec::new();
        self.collect_leaves(element, inside, &mut Vec::new(), &mut out);
        out
    }

    fn collect_leaves(
        &self,
        element: ElementId,
        inside: bool,
        way: &mut Vec<ElementId>,
        out: &mut Vec<(ElementId, Vec<ElementId>)>,
    ) {
        let parts: Vec<Part> = match &self.elements[element].kind {
            Kind::Choice(parts) => parts.clone(),
            Kind::Block(part) => vec![*part],
            Kind::Deterministic(part) if inside => vec![*part],
            _ => return out.push((element, way.clone())),
        };
        if way.contains(&element) {
            return;
        }
        way.push(element);
        for part in parts {
            self.collect_leaves(self.begin(part.first), inside, way, out);
        }
        way.pop();
    }

    fn flags(&self, element: ElementId) -> Flags {
        let starts = |word: &str| self.elements[element].labels.iter().any(|l| l.text.starts_with(word));
        let end = matches!(self.elements[element].kind, Kind::End);
        Flags { end: end || starts("end"), progress: starts("progress"), accept: starts("accept") }
    }
}

impl Emitter<'_, '_> {
    /// The element at which a step that leads to `element` ends.
    fn hunt(&mut self, element: ElementId, atomic: bool) -> ElementId {
        let mut at = element;
        for _ in 0..=self.graph.elements.len() {
            let here = &self.graph.elements[at];
            let next = match &here.kind {
                Kind::Goto(target) => *target,
                Kind::Point | Kind::Break => here.next,
                Kind::Unless(main, _) => Some(main.first),
                _ => None,
            };
            match next {
                Some(next) if !atomic || self.graph.elements[next].atomic => at = next,
                _ => return at,
            }
        }
        let span = self.graph.elements[element].span;
        let message = "this jump leads in a circle without a step";
        self.lowerer.diagnostics.push(mazurka_model::source::Diagnostic::error(span, message));
        at
    }

    fn location(&mut self, element: ElementId) -> LocationId {
        if let Some(&id) = self.locations.get(&element) {
            return id;
        }
        let locations = &mut self.lowerer.process.locations;
        let label = self.graph.elements[element].labels.first().map(|l| l.text.to_string());
        let mut name = label.unwrap_or_else(|| format!("s{}", locations.len()));
        if self.names.contains(&name) {
            name = format!("s{}", locations.len());
        }
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        let Flags { end, progress, accept } = self.graph.flags(element);
        let committed = self.graph.elements[element].within.is_some();
        let span = self.graph.elements[element].span;
        locations.push(Location { name, end, progress, accept, committed, span });
        let id = LocationId(locations.len() as u32 - 1);
        self.locations.insert(element, id);
        self.pending.push(element);
        id
    }

    /// Adds the transitions that leave an element.
    fn leave(&mut self, element: ElementId) {
        let from = self.location(element);
        let mut leaves = match self.graph.elements[element].within {
            Some(owner) => self.inside(element, owner, 1),
            None => {
                let base = self.base(element);
                self.with_escapes(element, base, 0)
            }
        };
        for leaf in &mut leaves {
            leaf.transition.from = from;
            let to = &mut self.lowerer.process.locations[leaf.transition.to.index()];
            to.end |= leaf.target.end;
            to.progress |= leaf.target.progress;
            to.accept |= leaf.target.accept;
        }
        self.lowerer.process.transitions.extend(leaves.into_iter().map(|leaf| leaf.transition));
    }

    /// The transitions of an element without its escapes.
    fn base(&mut self, element: ElementId) -> Vec<Leaf> {
        let mut out = Vec::new();
        for (leaf, way) in self.graph.leaves(element, false) {
            // What is said of a place that is passed holds where the step ends.
            let mut target = Flags::default();
            if leaf != element {
                way.iter().skip(1).chain([&leaf]).for_each(|e| target.unite(self.graph.flags(*e)));
            }
            let here = self.graph.elements[leaf].clone();
            if let Kind::Deterministic(part) = here.kind {
                let begin = self.graph.begin(part.first);
                let group = leaf as u32 + 1;
                for mut inner in self.inside(begin, leaf, group) {
                    self.guard(&mut inner.transition);
                    inner.element = leaf;
                    out.push(inner);
                }
                continue;
            }
            self.emitted.insert(leaf);
            let implied = here.is_implied();
            let next = match here.kind {
                Kind::Goto(target) => target,
                _ => here.next,
            };
            let to = match next {
                Some(next) => {
                    let next = self.hunt(next, here.atomic);
                    self.location(next)
                }
                None => self.location(leaf),
            };
            let action = match here.kind {
                Kind::Step(action) => *action,
                Kind::End => Action {
                    effects: vec![Effect::Exit],
                    statement: here.statement,
                    span: here.span,
                    ..Action::default()
                },
                _ => Action { statement: here.statement, span: here.span, ..Action::default() },
            };
            let mut transition = self.transition(action, to);
            transition.atomic = here.atomic;
            transition.implied = implied;
            self.guard(&mut transition);
            out.push(Leaf { element: leaf, transition, target });
        }
        out
    }

    /// Puts the escapes of each transition before all of them.
    ///
    /// SPIN goes through its states in the order of the text. A choice, or braces with a label, come after
    /// the escapes inside them, which by then have got escapes of their own; all of them then count as one.
    fn with_escapes(&mut self, element: ElementId, base: Vec<Leaf>, depth: u32) -> Vec<Leaf> {
        // The later an escape is found, the further to the front it stands.
        let mut before: Vec<Vec<Leaf>> = Vec::new();
        let mut present: HashSet<ElementId> = base.iter().map(|leaf| leaf.element).collect();
        for leaf in &base {
            let here = self.graph.elements[leaf.element].clone();
            if matches!(here.kind, Kind::Point) {
                continue;
            }
            for escape in here.escapes.iter().rev() {
                let first = self.hunt(escape.first, here.atomic);
                let own = &self.graph.elements[element].escapes;
                let comes_later = own.iter().all(|other| other.first != escape.first);
                let mut added = self.base(first);
                if comes_later && depth < DEEPEST_ESCAPES {
                    added = self.with_escapes(first, added, depth + 1);
                }
                added.retain(|leaf| !present.contains(&leaf.element));
                present.extend(added.iter().map(|leaf| leaf.element));
                for mut leaf in added {
                    leaf.transition.escape = first as u32 + 1;
                    // The alternatives of a `d_step` stay together and in their order.
                    match before.last_mut().filter(|others| others[0].element == leaf.element) {
                        Some(others) => others.push(leaf),
                        None => before.push(vec![leaf]),
                    }
                }
            }
        }
        before.into_iter().rev().flatten().chain(base).collect()
    }

    /// The transitions of an element inside a `d_step`, or into it.
    fn inside(&mut self, element: ElementId, owner: ElementId, group: u32) -> Vec<Leaf> {
        let mut out = Vec::new();
        for (leaf, _) in self.graph.leaves(element, true) {
            self.emitted.insert(leaf);
            let here = self.graph.elements[leaf].clone();
            let implied = here.is_implied();
            let next = match here.kind {
                Kind::Goto(target) => target,
                _ => here.next,
            };
            let Some(next) = next else { continue };
            let (to, atomic, done) = match self.hunt_inside(next, owner) {
                Inside::Within(element) => (self.location(element), true, false),
                Inside::Out(element) => {
                    let atomic = self.graph.elements[owner].atomic;
                    let element = self.hunt(element, atomic);
                    (self.location(element), atomic, true)
                }
            };
            let mut action = match here.kind {
                Kind::Step(action) => *action,
                _ => Action { statement: here.statement, span: here.span, ..Action::default() },
            };
            // The last of its group is tried only if no other can be executed.
            action.otherwise = false;
            // Who moved last changes when the whole is done.
            let mut transition = match done {
                true => self.transition(action, to),
                false => plain(action, to),
            };
            transition.atomic = atomic;
            transition.implied = implied;
            transition.group = group;
            out.push(Leaf { element: leaf, transition, target: Flags::default() });
        }
        out
    }

    fn hunt_inside(&self, element: ElementId, owner: ElementId) -> Inside {
        let mut at = element;
        for _ in 0..=self.graph.elements.len() {
            let here = &self.graph.elements[at];
            if here.within != Some(owner) {
                return Inside::Out(at);
            }
            let next = match &here.kind {
                Kind::Goto(target) => *target,
                Kind::Point | Kind::Break => here.next,
                Kind::Unless(main, _) => Some(main.first),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        Inside::Within(at)
    }

    fn transition(&mut self, action: Action, to: LocationId) -> Transition {
        let mut action = action;
        let effects = &mut action.effects;
        if let Some(last) = self.lowerer.last {
            let target = Target::Variable(VariableRef::Global(last));
            let position = effects.len() - usize::from(effects.last() == Some(&Effect::Exit));
            effects.insert(position, Effect::Assign { target, value: Expression::Pid });
        }
        plain(action, to)
    }

    fn guard(&self, transition: &mut Transition) {
        if let Some(provided) = &self.provided {
            transition.guard.insert(0, provided.clone());
        }
    }
}

/// The transition of an action, and nothing else.
fn plain(action: Action, to: LocationId) -> Transition {
    let Action { guard, otherwise, effects, statement, span } = action;
    Transition { to, guard, otherwise, effects, statement, span, ..Transition::default() }
}
