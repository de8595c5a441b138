//! A document as a machine: every situation that can be reached is a state.
//!
//! A situation is the set of active states, the values of data, and what history states remember. A transition goes over a state of
//! its own, whose entry actions are what is done on the way: exit actions of what is left, actions of the transition, entry
//! actions of what is entered ([`super::execute`]). What is known of conditions is known in every situation; any other
//! condition is a guess, so both answers are tried.

use super::execute::{Deed, Doing, Outside, Script};
use super::expression::Value;
use super::tree::{Action, Document, Guard, Kind, Node, Transition};
use mazurka_model::source::Span;
use std::collections::BTreeMap;

/// The most ways that are gone, combinations of guesses counted.
const MOST_GONE: usize = 200_000;

/// The active states, ascending.
pub type Configuration = Vec<usize>;

/// What decides how a document goes on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Situation {
    /// The active states.
    pub active: Configuration,
    /// The values of data.
    pub data: Vec<Value>,
    /// What history states remember, by their number among them; nothing: their parent was not left yet.
    pub history: Vec<Configuration>,
}

/// Where a way leads.
#[derive(Clone, Debug)]
pub enum Goal {
    /// To a situation.
    Situation(Situation),
    /// Back to before the beginning.
    Start,
    /// Nowhere: a datum leaves its bounds.
    Outside(Outside),
}

/// A way from one situation to another.
#[derive(Clone, Debug)]
pub struct Way {
    /// The answers that are guessed: number of the guess, and its answer.
    pub guesses: Vec<(usize, bool)>,
    /// Where it leads.
    pub to: Goal,
    /// What is done on the way.
    pub actions: Vec<Deed>,
    /// Where the first of the transitions taken stands.
    pub span: Span,
}

/// A document and its conditions.
pub struct Chart<'d> {
    document: &'d Document,
    by_name: BTreeMap<&'d str, usize>,
    /// History states, by number.
    histories: Vec<usize>,
    /// What is guessed, by name.
    pub guessed: Vec<String>,
    /// What is not evaluated, by place.
    pub notes: BTreeMap<Span, String>,
    /// How many ways were gone so far.
    gone: usize,
}

/// What is entered besides the targets of transitions, by default.
#[derive(Default)]
struct Defaults<'d> {
    /// Nodes whose first states were entered.
    initial: Vec<usize>,
    /// What is done behind the entry actions of a node, because one of its history states remembers nothing.
    history: Vec<(usize, &'d [Action])>,
}

impl<'d> Chart<'d> {
    /// Of a document.
    pub fn new(document: &'d Document) -> Chart<'d> {
        let nodes = document.nodes.iter().enumerate().skip(1);
        let by_name = nodes.clone().map(|(number, node)| (node.id.as_str(), number)).collect();
        let histories = nodes.filter(|(_, node)| matches!(node.kind, Kind::History { .. }));
        let histories = histories.map(|(number, _)| number).collect();
        Chart { document, by_name, histories, guessed: Vec::new(), notes: BTreeMap::new(), gone: 0 }
    }

    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    fn node(&self, number: usize) -> &'d Node {
        &self.document.nodes[number]
    }

    /// A state by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The number of a guess by its name, for a condition that is told about.
    pub fn guess(&mut self, name: &str, guard: &Guard) -> usize {
        let message = format!("the condition `{}` is not evaluated: both answers are tried", guard.text);
        self.note(guard.span, message);
        let known = self.guessed.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.guessed.push(name.to_owned());
            self.guessed.len() - 1
        })
    }

    /// Whether so many ways were gone that no more are.
    pub fn is_exhausted(&self) -> bool {
        self.gone > MOST_GONE
    }

    /// Something is not evaluated.
    pub fn note(&mut self, span: Span, message: String) {
        self.notes.entry(span).or_insert(message);
    }

    fn ancestors(&self, number: usize) -> impl Iterator<Item = usize> + use<'_, 'd> {
        std::iter::successors(self.node(number).parent, |&at| self.node(at).parent)
    }

    fn is_within(&self, number: usize, above: usize) -> bool {
        self.ancestors(number).any(|one| one == above)
    }

    /// The states that a target stands for: itself, or what a history state remembers, else its default.
    fn effective(
        &self,
        target: usize,
        history: &[Configuration],
        defaults: &mut Defaults<'d>,
        out: &mut Configuration,
    ) {
        let Some(number) = self.histories.iter().position(|&one| one == target) else {
            return out.push(target);
        };
        if !history[number].is_empty() {
            return out.extend(&history[number]);
        }
        let node = self.node(target);
        for transition in &node.transitions {
            if let Some(parent) = node.parent {
                defaults.history.push((parent, &transition.actions));
            }
            // One history state can't stand for another.
            let targets = transition.targets.iter().filter_map(|name| self.find(name));
            out.extend(targets.filter(|one| !matches!(self.node(*one).kind, Kind::History { .. })));
        }
    }

    fn targets(
        &self,
        names: &[String],
        history: &[Configuration],
        defaults: &mut Defaults<'d>,
    ) -> Configuration {
        let mut all = Vec::new();
        for target in names.iter().filter_map(|name| self.find(name)) {
            self.effective(target, history, defaults, &mut all);
        }
        all
    }

    /// Adds a state with what is above it, up to `top`.
    fn enter(&self, number: usize, top: usize, out: &mut Configuration) {
        out.extend(self.ancestors(number).take_while(|&at| at != top));
        out.push(number);
    }

    /// Completes a set of entered states downwards: children of what is active.
    fn complete(&self, history: &[Configuration], defaults: &mut Defaults<'d>, out: &mut Configuration) {
        out.sort_unstable();
        out.dedup();
        let mut at = 0;
        while at < out.len() {
            let number = out[at];
            at += 1;
            let node = self.node(number);
            let mut more = Vec::new();
            match node.kind {
                Kind::Parallel => more.extend(&node.children),
                Kind::State if !node.children.is_empty() => {
                    if !node.children.iter().any(|child| out.contains(child)) {
                        defaults.initial.push(number);
                        let named = self.targets(&node.initial, history, defaults);
                        match named.is_empty() {
                            true => more.push(node.children[0]),
                            false => named.iter().for_each(|&one| self.enter(one, number, &mut more)),
                        }
                    }
                }
                Kind::State | Kind::Final | Kind::History { .. } => {}
            }
            for one in more {
                if !out.contains(&one) {
                    out.push(one);
                }
            }
        }
        out.sort_unstable();
    }

    /// The ways to the first situations.
    pub fn first(&mut self) -> Option<Vec<Way>> {
        let nothing = Situation {
            active: Vec::new(),
            data: self.document.data.iter().map(|datum| datum.first).collect(),
            history: vec![Vec::new(); self.histories.len()],
        };
        let span = self.node(0).span;
        self.all(&nothing, |doing| {
            let mut defaults = Defaults::default();
            let mut entered = vec![0];
            doing.chart().complete(&nothing.history, &mut defaults, &mut entered);
            doing.enter_all(&entered, &entered, &defaults);
            Some((Some((entered, nothing.history.clone())), span))
        })
    }

    /// The ways on which all of a situation is left.
    pub fn leaving(&mut self, situation: &Situation) -> Option<Vec<Way>> {
        let span = self.node(0).span;
        self.all(situation, |doing| {
            // What is finished was left when it finished.
            if !doing.chart().is_finished(&situation.active) {
                doing.leave_all(&situation.active);
                doing.deeds.push(Deed::Silence);
            }
            Some((None, span))
        })
    }

    /// The ways that an event may take in a situation, or that need none; `None` if there are too many guesses.
    pub fn ways(&mut self, situation: &Situation, event: Option<&str>) -> Option<Vec<Way>> {
        let candidates = self.candidates(&situation.active, event);
        self.all(situation, |doing| {
            let mut taken: Vec<(usize, usize)> = Vec::new();
            for of_leaf in &candidates {
                let first = of_leaf.iter().find(|(node, which)| {
                    let document = doing.chart().document;
                    doing.allows(document.nodes[*node].transitions[*which].condition.as_ref())
                });
                if let Some(first) = first
                    && !taken.contains(first)
                {
                    taken.push(*first);
                }
            }
            let taken = doing.chart().without_conflicts(situation, taken);
            let &(node, which) = taken.first()?;
            let span = doing.chart().node(node).transitions[which].span;
            Some((Some(doing.take(situation, &taken)), span))
        })
    }

    /// Goes through all answers to what is guessed. A way that is `None` is none; where no situation comes of one it leads back to the start.
    #[allow(clippy::type_complexity)]
    fn all(
        &mut self,
        from: &Situation,
        go: impl Fn(&mut Doing<'_, 'd>) -> Option<(Option<(Configuration, Vec<Configuration>)>, Span)>,
    ) -> Option<Vec<Way>> {
        let mut script = Script::default();
        let mut ways = Vec::new();
        loop {
            script.rewind();
            self.gone += 1;
            let mut doing = Doing::new(self, &mut script, from.active.clone(), from.data.clone());
            let gone = go(&mut doing);
            let (data, actions, outside) = (doing.data, doing.deeds, doing.outside);
            if script.too_long || self.is_exhausted() {
                return None;
            }
            if let Some((to, span)) = gone {
                let to = match (outside, to) {
                    (Some(outside), _) => Goal::Outside(outside),
                    (None, None) => Goal::Start,
                    (None, Some((active, history))) => Goal::Situation(Situation { active, data, history }),
                };
                ways.push(Way { guesses: script.answers.clone(), to, actions, span });
            }
            if !script.advance() {
                return Some(ways);
            }
        }
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
            Kind::History { .. } => false,
        }
    }

    /// Whether the document is done.
    pub fn is_finished(&self, configuration: &Configuration) -> bool {
        self.is_done(0, configuration)
    }

    /// The name of a configuration: its states without children.
    pub fn configuration_name(&self, configuration: &Configuration) -> String {
        let leaves = configuration.iter().filter(|&&one| self.node(one).children.is_empty());
        let names: Vec<&str> = leaves.map(|&one| self.node(one).id.as_str()).collect();
        if names.is_empty() { "empty".to_owned() } else { names.join("+") }
    }

    /// The name of a situation: also the values of data, and what is remembered.
    pub fn name(&self, situation: &Situation) -> String {
        let mut name = self.configuration_name(&situation.active);
        let data = self.document.data.iter().zip(&situation.data);
        let values: Vec<String> = data.map(|(datum, value)| format!("{}={value}", datum.name)).collect();
        if !values.is_empty() {
            name += &format!(" ({})", values.join(", "));
        }
        for (&history, remembered) in self.histories.iter().zip(&situation.history) {
            if !remembered.is_empty() {
                let names: Vec<&str> = remembered.iter().map(|&one| self.node(one).id.as_str()).collect();
                name += &format!(" [{}: {}]", self.node(history).id, names.join("+"));
            }
        }
        name
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

    /// The state within which a transition leaves and enters; none if it leaves nothing.
    fn domain(&self, source: usize, transition: &Transition, history: &[Configuration]) -> Option<usize> {
        let targets = self.targets(&transition.targets, history, &mut Defaults::default());
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

    fn left(&self, situation: &Situation, source: usize, transition: &Transition) -> Vec<usize> {
        let Some(domain) = self.domain(source, transition, &situation.history) else { return Vec::new() };
        situation.active.iter().copied().filter(|&one| self.is_within(one, domain)).collect()
    }

    /// Of transitions that leave the same state the inner one is taken, else the first.
    fn without_conflicts(&self, situation: &Situation, all: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for one in all {
            let left = self.left(situation, one.0, &self.node(one.0).transitions[one.1]);
            let conflicts = |other: &(usize, usize)| {
                let others = self.left(situation, other.0, &self.node(other.0).transitions[other.1]);
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

    /// What history states remember when these states, of those that are active, are left.
    fn remember(&self, situation: &Situation, left: &[usize]) -> Vec<Configuration> {
        let mut history = situation.history.clone();
        for (number, &one) in self.histories.iter().enumerate() {
            let node = self.node(one);
            let Some(parent) = node.parent.filter(|parent| left.contains(parent)) else { continue };
            let deep = node.kind == Kind::History { deep: true };
            let remembered = situation.active.iter().copied().filter(|&state| match deep {
                true => self.is_within(state, parent) && self.node(state).children.is_empty(),
                false => self.node(state).parent == Some(parent),
            });
            history[number] = remembered.collect();
        }
        history
    }
}

impl<'d> Doing<'_, 'd> {
    /// Leaves active states, children first.
    fn leave_all(&mut self, left: &[usize]) {
        for &number in left.iter().rev() {
            let node = self.chart().node(number);
            self.perform(&node.exit);
            self.deeds.extend(node.invokes.iter().map(|&one| Deed::Quit(one)));
            self.active.retain(|one| *one != number);
        }
    }

    /// Enters states, parents first, so that `after` is active.
    fn enter_all(&mut self, entered: &[usize], after: &Configuration, defaults: &Defaults<'d>) {
        for &number in entered {
            let node = self.chart().node(number);
            self.active.push(number);
            self.perform(&node.entry);
            if defaults.initial.contains(&number) {
                self.perform(&node.initial_actions);
            }
            for (_, actions) in defaults.history.iter().filter(|(parent, _)| *parent == number) {
                self.perform(actions);
            }
            self.deeds.extend(node.invokes.iter().map(|&one| Deed::Invoke(one)));
            if node.kind == Kind::Final {
                // Everything above that is done by it.
                let above: Vec<usize> = self.chart().ancestors(number).collect();
                for above in above {
                    if !self.chart().is_done(above, after) {
                        break;
                    }
                    match self.chart().node(above).parent {
                        Some(_) => self.deeds.push(Deed::Done(self.chart().node(above).id.clone())),
                        None => {
                            // The end of the document: what is active is left, and nothing is sent any more.
                            self.perform(&node.exit);
                            self.deeds.extend([Deed::Silence, Deed::Finished]);
                        }
                    }
                }
            }
        }
    }

    /// Takes transitions; what is active and remembered then.
    fn take(&mut self, from: &Situation, taken: &[(usize, usize)]) -> (Configuration, Vec<Configuration>) {
        let chart = self.chart();
        let mut left: Vec<usize> = Vec::new();
        for &(source, which) in taken {
            left.extend(chart.left(from, source, &chart.node(source).transitions[which]));
        }
        left.sort_unstable();
        left.dedup();
        // What is left now is what a history state stands for.
        let history = chart.remember(from, &left);
        let mut defaults = Defaults::default();
        let mut entered: Configuration = Vec::new();
        for &(source, which) in taken {
            let transition = &chart.node(source).transitions[which];
            if let Some(domain) = chart.domain(source, transition, &from.history) {
                for target in chart.targets(&transition.targets, &history, &mut defaults) {
                    chart.enter(target, domain, &mut entered);
                }
            }
        }
        let stays: Configuration = from.active.iter().copied().filter(|one| !left.contains(one)).collect();
        let mut after: Configuration = stays.iter().copied().chain(entered).collect();
        chart.complete(&history, &mut defaults, &mut after);
        let entered: Vec<usize> = after.iter().copied().filter(|one| !stays.contains(one)).collect();
        let actions: Vec<&'d [Action]> =
            taken.iter().map(|&(source, which)| &chart.node(source).transitions[which].actions[..]).collect();
        self.leave_all(&left);
        actions.into_iter().for_each(|actions| self.perform(actions));
        self.enter_all(&entered, &after, &defaults);
        (after, history)
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
