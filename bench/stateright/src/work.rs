//! The pieces of work: which tool, on which model, in which order.

use crate::peer::{ForStateright, Peer};
use crate::philosophers::{Forks, Table};
use crate::two_phase_commit::{State, TwoPhaseCommit};
use mazurka::{Method, SearchKind};
use serde::{Deserialize, Serialize};
use stateright::{Checker, Model as _};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    Mazurka,
    Stateright,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// Seven resource managers: shallow, nine transitions a state.
    TwoPhaseCommit,
    /// Thirteen philosophers: a depth-first path is a million steps long.
    Philosophers,
    /// Nine philosophers: a path of some thousand steps.
    FewPhilosophers,
}

impl Subject {
    pub fn name(self) -> &'static str {
        match self {
            Subject::TwoPhaseCommit => "two-phase commit, 7 managers",
            Subject::Philosophers => "13 dining philosophers",
            Subject::FewPhilosophers => "9 dining philosophers",
        }
    }

    /// The states that both tools must find.
    pub fn states(self) -> u64 {
        match self {
            Subject::TwoPhaseCommit => 296_448,
            Subject::Philosophers => 1_594_322,
            Subject::FewPhilosophers => 19_682,
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    Bfs,
    Dfs,
}

/// One measurement's worth.
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
pub struct Work {
    pub tool: Tool,
    pub subject: Subject,
    pub search: Search,
}

/// What a tool counted.
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    /// What the tool itself says that it stored, if it says.
    pub store_bytes: Option<u64>,
    pub stack_bytes: Option<u64>,
}

impl Work {
    pub fn run(self) -> Counts {
        match self.subject {
            Subject::TwoPhaseCommit => self.on(TwoPhaseCommit { managers: 7 }),
            Subject::Philosophers => self.on(Table { philosophers: 13 }),
            Subject::FewPhilosophers => self.on(Table { philosophers: 9 }),
        }
    }

    fn on<M: Peer>(self, model: M) -> Counts {
        match self.tool {
            Tool::Mazurka => mazurka(&model, self.search),
            Tool::Stateright => stateright(model, self.search),
        }
    }
}

/// Deadlocks and assertions are both checked, and the search goes on past the errors.
fn mazurka<M: Peer>(model: &M, search: Search) -> Counts {
    let search = match search {
        Search::Bfs => SearchKind::Bfs,
        Search::Dfs => SearchKind::Dfs,
    };
    let report = mazurka::Checker::new(model).search(search).reduce(Method::None).all_errors().run();
    Counts {
        states: report.states(),
        transitions: report.transitions(),
        depth: report.statistics().depth,
        store_bytes: Some(report.statistics().store_bytes),
        stack_bytes: Some(report.statistics().stack_bytes),
    }
}

fn stateright<M: Peer>(model: M, search: Search) -> Counts {
    let builder = ForStateright(model).checker().threads(1);
    fn counts<M: Peer>(checker: impl Checker<ForStateright<M>>) -> Counts {
        let checker = checker.join();
        Counts {
            states: checker.unique_state_count() as u64,
            transitions: checker.state_count() as u64,
            depth: checker.max_depth() as u64,
            store_bytes: None,
            stack_bytes: None,
        }
    }
    match search {
        Search::Bfs => counts(builder.spawn_bfs()),
        Search::Dfs => counts(builder.spawn_dfs()),
    }
}

impl Peer for TwoPhaseCommit {
    fn invariant(&self, state: &State) -> bool {
        state.is_consistent()
    }
}

impl Peer for Table {
    fn invariant(&self, _state: &Forks) -> bool {
        true
    }
}
