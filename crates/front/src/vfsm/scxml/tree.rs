//! An SCXML document as a tree of states, names not yet resolved.

use super::data::Datum;
use super::expression::Expression;
use mazurka_model::source::Span;

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
    /// Stands for what was active in its parent when that was left: with everything below, if it is deep.
    History {
        /// States without children count, and not the children of the parent.
        deep: bool,
    },
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
    /// What remembers which of them were active.
    pub histories: Vec<usize>,
    /// The states entered with it, by name, if given, and what is done then.
    pub initial: Vec<String>,
    /// What is done when they are entered.
    pub initial_actions: Vec<Action>,
    /// What is done when it is entered.
    pub entry: Vec<Action>,
    /// What is done when it is left.
    pub exit: Vec<Action>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Machines that live while it is active: by number of the document.
    pub invokes: Vec<usize>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// As it is written.
    pub text: String,
    /// What it says, if that is known.
    pub parsed: Option<Expression>,
    /// Where.
    pub span: Span,
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
    /// A datum gets a value.
    Assign {
        /// Which, as it is written.
        location: String,
        /// The value, if it is known how it is computed.
        expression: Option<Expression>,
        /// The value as it is written.
        text: String,
        /// Where.
        span: Span,
    },
    /// The first branch whose condition holds is done.
    If(Vec<Branch>),
    /// Nobody knows what is done to data.
    Script(Span),
}

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its condition; none: it is done otherwise.
    pub condition: Option<Guard>,
    /// What is done.
    pub actions: Vec<Action>,
}

/// A transition.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// What it waits for; nothing: it is taken at once.
    pub events: Vec<String>,
    /// Its condition.
    pub condition: Option<Guard>,
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
    /// Its data.
    pub data: Vec<Datum>,
    /// Data that are changed in ways that are not followed.
    pub unknown: Vec<String>,
}

impl Document {
    /// All that may be done somewhere, with what stands in branches.
    pub fn actions(&self) -> Vec<&Action> {
        fn add<'a>(actions: &'a [Action], out: &mut Vec<&'a Action>) {
            for action in actions {
                out.push(action);
                if let Action::If(branches) = action {
                    branches.iter().for_each(|branch| add(&branch.actions, out));
                }
            }
        }
        let mut all = Vec::new();
        for node in &self.nodes {
            add(&node.entry, &mut all);
            add(&node.exit, &mut all);
            add(&node.initial_actions, &mut all);
            node.transitions.iter().for_each(|transition| add(&transition.actions, &mut all));
        }
        all
    }
}
