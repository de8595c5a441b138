//! Graphs for people: state graphs and the automata of processes, as DOT or as SVG.
//!
//! The SVG is drawn by a simple layered layout of our own (after Sugiyama, Tagawa and Toda 1981), so
//! that nothing has to be installed; for large graphs the tools that read DOT do better.

mod dot;
mod labels;
mod layout;
mod svg;

pub use dot::write_dot;
pub use svg::write_svg;

/// A graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The nodes, the initial ones first.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// What has to be said about the whole.
    pub notes: Vec<String>,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What is written in it, line by line.
    pub label: Vec<String>,
    /// What is shown when asked for more.
    pub more: String,
    /// Everything starts here.
    pub initial: bool,
    /// It is a proper end.
    pub end: bool,
    /// It is an error: a deadlock, or where a fault leads.
    pub bad: bool,
    /// It is not really there: a reduction leaves it out.
    pub faint: bool,
    /// A mark beside it, such as `accept`.
    pub marks: Vec<String>,
    /// It is drawn round, as a place of a net is.
    pub round: bool,
}

/// An edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// From this node.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// What is written beside it.
    pub label: String,
    /// What is done there is wrong.
    pub bad: bool,
    /// It is not really there: a reduction leaves it out.
    pub faint: bool,
    /// What comes behind it follows without a pause.
    pub atomic: bool,
}
