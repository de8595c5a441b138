//! A document as a machine: every configuration that can be reached is a state.
//!
//! A configuration is the set of active states. A transition goes over a state of its own, whose entry actions are what is
//! done on the way: exit actions of what is left, actions of the transition, entry actions of what is entered. `In()` is
//! known in every configuration; any other condition is a guess ([`super::condition`]), so both answers are tried.

use super::condition::{self, Truth};
use super::tree::{Action, Document, Kind, Node, Transition};
use std::collections::BTreeMap;

/// The active states, ascending.
pub type Configuration = Vec<usize>;

/// The most guesses of one event in one configuration.
pub const MOST_GUESSES: usize = 6;

/// A way from one configuration to another.
#[derive(Clone, Debug)]
pub struct Way {
    /// The answers that are guessed: number of the condition, and its answer.
    pub guesses: Vec<(usize, bool)>,
    /// Where it leads.
    pub to: Configuration,
    /// What is done on the way.
    pub actions: Vec<Deed>,
    /// The first of the transitions taken: state, and which.
    pub by: (usize, usize),
}

/// What is done on a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An action of the document.
    Action(Action),
    /// A machine begins.
    Invoke(usize),
    /// A machine is ended.
    Quit(usize),
    /// A state is done.
    Done(String),
    /// The document is done.
    Finished,
}

/// A document and its conditions.
pub struct Chart<'d> {
    document: &'d Document,
    by_name: BTreeMap<&'d str, usize>,
    /// Conditions that are guessed, by text.
    pub guessed: Vec<String>,
}

impl<'d> Chart<'d> {
    /// Of a document.
    pub fn new(document: &'d Document) -> Chart<'d> {
        let nodes = document.nodes.iter().enumerate().skip(1);
        let by_name = nodes.map(|(number, node)| (node.id.as_str(), number)).collect();
        Chart { document, by_name, guessed: Vec::new() }
    }

    fn node(&self, number: usize) -> &'d Node {
        &self.document.nodes[number]
    }

    /// A state by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn ancestors(&self, number: usize) -> impl Iterator<Item = usize> + use<'_, 'd> {
        std::iter::successors(self.node(number).parent, |&at| self.node(at).parent)
    }

    fn is_within(&self, number: usize, above: usize) -> bool {
        self.ancestors(number).any(|one| one == above)
    }

    /// Adds a state with what is above it, up to `top`, and below it.
    fn enter(&self, number: usize, top: usize, out: &mut Configuration) {
        let above: Vec<usize> = self.ancestors(number).take_while(|&at| at != top).collect();
        out.extend(&above);
        out.push(number);
    }

    /// Completes a set of entered states downwards: children of what is active.
    fn complete(&self, out: &mut Configuration) {
        let mut at = 0;
        out.sort_unstable();
        out.dedup();
        while at < out.len() {
            let number = out[at];
            at += 1;
            let node = self.node(number);
            let has = |out: &Configuration| node.children.iter().any(|child| out.contains(child));
            match node.kind {
                Kind::Parallel => {
                    let missing = node.children.iter().filter(|child| !out.contains(child));
                    let missing: Vec<usize> = missing.copied().collect();
                    out.extend(missing);
                }
                Kind::State if !node.children.is_empty() && !has(out) => {
                    let named: Vec<usize> = node.initial.iter().filter_map(|name| self.find(name)).collect();
                    match named.is_empty() {
                        true => out.push(node.children[0]),
                        false => named.iter().for_each(|&one| self.enter(one, number, out)),
                    }
                }
                Kind::State | Kind::Final => {}
            }
            // Names may lead to states that were entered already.
            let mut seen = Vec::new();
            out.retain(|one| {
                !seen.contains(one) && {
                    seen.push(*one);
                    true
                }
            });
        }
        out.sort_unstable();
    }

    /// The first configuration, and what is done to get there.
    pub fn first(&self) -> (Configuration, Vec<Deed>) {
        let mut entered = vec![0];
        self.complete(&mut entered);
        let deeds = self.entering(&entered, &entered);
        (entered, deeds)
    }

    /// What is done when all of a configuration is left.
    pub fn leaving(&self, configuration: &Configuration) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for &number in configuration.iter().rev() {
            deeds.extend(self.node(number).exit.iter().cloned().map(Deed::Action));
            deeds.extend(self.node(number).invokes.iter().map(|&one| Deed::Quit(one)));
        }
        deeds
    }

    fn entering(&self, entered: &[usize], after: &Configuration) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for &number in entered {
            let node = self.node(number);
            deeds.extend(node.entry.iter().cloned().map(Deed::Action));
            deeds.extend(node.invokes.iter().map(|&one| Deed::Invoke(one)));
            if node.kind == Kind::Final {
                // Everything above that is done by it.
                for above in self.ancestors(number) {
                    if !self.is_done(above, after) {
                        break;
                    }
                    deeds.push(match self.node(above).parent {
                        Some(_) => Deed::Done(self.node(above).id.clone()),
                        None => Deed::Finished,
                    });
                }
            }
        }
        deeds
    }

    fn is_done(&self, number: usize, configuration: &Configuration) -> bool {
        let node = self.node(number);
        match node.kind {
            Kind::Final => true,
            Kind::Parallel => node.children.iter().all(|&child| self.is_done(child, configuration)),
            Kind::State => node
                .children
                .iter()
                .any(|child| configuration.contains(child) && self.node(*child).kind == Kind::Final),
        }
    }

    /// Whether the document is done.
    pub fn is_finished(&self, configuration: &Configuration) -> bool {
        self.is_done(0, configuration)
    }

    /// The name of a configuration: its states without children.
    pub fn name(&self, configuration: &Configuration) -> String {
        let leaves = configuration.iter().filter(|&&one| self.node(one).children.is_empty());
        let names: Vec<&str> = leaves.map(|&one| self.node(one).id.as_str()).collect();
        if names.is_empty() { "empty".to_owned() } else { names.join("+") }
    }

    /// The transitions that an event may take in a configuration, or that need none: innermost first. Whether their
    /// conditions hold remains to be seen.
    fn candidates(&self, configuration: &Configuration, event: Option<&str>) -> Vec<Vec<(usize, usize)>> {
        let leaves = configuration
            .iter()
            .filter(|&&one| !self.node(one).children.iter().any(|child| configuration.contains(child)));
        let of_leaf = |&leaf: &usize| {
            let way = std::iter::once(leaf).chain(self.ancestors(leaf));
            way.flat_map(|at| {
                let transitions = self.node(at).transitions.iter().enumerate();
                transitions.filter(move |(_, one)| takes(one, event)).map(move |(which, _)| (at, which))
            })
            .collect()
        };
        leaves.map(of_leaf).collect()
    }

    /// The ways that an event may take in a configuration, or that need none; `None` if there are too many guesses.
    pub fn ways(&mut self, configuration: &Configuration, event: Option<&str>) -> Option<Vec<Way>> {
        let candidates = self.candidates(configuration, event);
        let mut open: Vec<usize> = Vec::new();
        let mut truths: BTreeMap<(usize, usize), Truth> = BTreeMap::new();
        for &(node, which) in candidates.iter().flatten() {
            let text = self.node(node).transitions[which].condition.as_deref();
            let active = |name: &str| self.find(name).is_some_and(|one| configuration.contains(&one));
            let truth = condition::evaluate(text, &active);
            if let Truth::Unknown = truth {
                let number = self.guess(text.unwrap_or_default());
                if !open.contains(&number) {
                    open.push(number);
                }
            }
            truths.insert((node, which), truth);
        }
        if open.len() > MOST_GUESSES {
            return None;
        }
        let mut ways = Vec::new();
        for answers in 0..1usize << open.len() {
            let guesses: Vec<(usize, bool)> =
                open.iter().enumerate().map(|(bit, &number)| (number, answers >> bit & 1 == 1)).collect();
            let holds = |&(node, which): &(usize, usize)| match truths[&(node, which)] {
                Truth::Known(holds) => holds,
                Truth::Unknown => {
                    let text = self.node(node).transitions[which].condition.as_deref().unwrap_or_default();
                    let number = self.guessed.iter().position(|known| known == text);
                    guesses.iter().any(|(known, answer)| Some(*known) == number && *answer)
                }
            };
            let mut taken: Vec<(usize, usize)> = Vec::new();
            for of_leaf in &candidates {
                if let Some(first) = of_leaf.iter().find(|one| holds(one))
                    && !taken.contains(first)
                {
                    taken.push(*first);
                }
            }
            let taken = self.without_conflicts(configuration, taken);
            if let Some(&by) = taken.first() {
                let (to, actions) = self.take(configuration, &taken);
                ways.push(Way { guesses, to, actions, by });
            }
        }
        Some(ways)
    }

    fn guess(&mut self, text: &str) -> usize {
        let known = self.guessed.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.guessed.push(text.to_owned());
            self.guessed.len() - 1
        })
    }

    /// The state within which a transition leaves and enters; none if it leaves nothing.
    fn domain(&self, source: usize, transition: &Transition) -> Option<usize> {
        let targets: Vec<usize> = transition.targets.iter().filter_map(|name| self.find(name)).collect();
        if targets.is_empty() {
            return None;
        }
        let within = |above: usize| targets.iter().all(|&target| self.is_within(target, above));
        let compound = |at: usize| self.node(at).kind == Kind::State && !self.node(at).children.is_empty();
        if transition.internal && compound(source) && within(source) {
            return Some(source);
        }
        self.ancestors(source).find(|&at| (compound(at) || at == 0) && within(at)).or(Some(0))
    }

    fn left(&self, configuration: &Configuration, source: usize, transition: &Transition) -> Vec<usize> {
        let Some(domain) = self.domain(source, transition) else { return Vec::new() };
        configuration.iter().copied().filter(|&one| self.is_within(one, domain)).collect()
    }

    /// Of transitions that leave the same state the inner one is taken, else the first.
    fn without_conflicts(
        &self,
        configuration: &Configuration,
        all: Vec<(usize, usize)>,
    ) -> Vec<(usize, usize)> {
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for one in all {
            let left = self.left(configuration, one.0, &self.node(one.0).transitions[one.1]);
            let conflicts = |other: &(usize, usize)| {
                let others = self.left(configuration, other.0, &self.node(other.0).transitions[other.1]);
                left.iter().any(|state| others.contains(state))
            };
            let rivals: Vec<(usize, usize)> = kept.iter().copied().filter(conflicts).collect();
            if rivals.iter().all(|rival| self.is_within(one.0, rival.0)) {
                kept.retain(|other| !rivals.contains(other));
                kept.push(one);
            }
        }
        kept
    }

    fn take(&self, configuration: &Configuration, taken: &[(usize, usize)]) -> (Configuration, Vec<Deed>) {
        let mut left: Vec<usize> = Vec::new();
        let mut entered: Configuration = Vec::new();
        let mut deeds = Vec::new();
        for &(source, which) in taken {
            let transition = &self.node(source).transitions[which];
            left.extend(self.left(configuration, source, transition));
            if let Some(domain) = self.domain(source, transition) {
                for target in transition.targets.iter().filter_map(|name| self.find(name)) {
                    self.enter(target, domain, &mut entered);
                }
            }
        }
        left.sort_unstable();
        left.dedup();
        for &number in left.iter().rev() {
            deeds.extend(self.node(number).exit.iter().cloned().map(Deed::Action));
            deeds.extend(self.node(number).invokes.iter().map(|&one| Deed::Quit(one)));
        }
        for &(source, which) in taken {
            let transition = &self.node(source).transitions[which];
            deeds.extend(transition.actions.iter().cloned().map(Deed::Action));
        }
        let stays: Configuration = configuration.iter().copied().filter(|one| !left.contains(one)).collect();
        let mut after: Configuration = stays.iter().copied().chain(entered).collect();
        self.complete(&mut after);
        let entered: Vec<usize> = after.iter().copied().filter(|one| !stays.contains(one)).collect();
        deeds.extend(self.entering(&entered, &after));
        (after, deeds)
    }
}

/// Whether a transition waits for an event; without one, whether it waits for none.
fn takes(transition: &Transition, event: Option<&str>) -> bool {
    match event {
        None => transition.events.is_empty(),
        Some(event) => transition.events.iter().any(|wanted| matches(wanted, event)),
    }
}

/// Whether an event has the name that a transition waits for, or one that continues it behind a dot.
pub fn matches(wanted: &str, event: &str) -> bool {
    let wanted = wanted.trim_end_matches('*').trim_end_matches('.');
    wanted.is_empty()
        || event.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
