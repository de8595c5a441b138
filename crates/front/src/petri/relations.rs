//! What a net says of its transitions: the operations on places, and what each waits for.
//!
//! A transition is a process with one move, so a set of processes is a set of transitions, and the engine's
//! closed sets of moves are the stubborn sets of Valmari (1989): with one that can fire come all that
//! compete for its tokens, with one that can't all that produce for *one* place that lacks tokens.
//!
//! Taking `w` and giving `v` tokens of one place is a test for `w` followed by the difference, which is the
//! same and leaves tests to commute. Each sum that an invariant or a temporal property compares is an object as well, to which
//! a transition adds its net effect: what must happen before the invariant breaks is found just like what
//! a transition waits for.

use super::formula::{Goal, Levels};
use super::system::{Move, NetSystem};
use mazurka_model::object::ObjectType;
use mazurka_model::object::level::{ADD, AT_LEAST, AT_MOST, Level};
use mazurka_model::object::place::{CONSUME, PRODUCE, Place, TEST};
use mazurka_model::{
    Access, Footprint, Future, ObjectId, Obstacles, Operation, OperationKind, ProcessId, Relations, Step,
};

/// The objects of a net and what its transitions do to them.
#[derive(Debug, Default)]
pub(super) struct Operations {
    objects: Vec<Box<dyn ObjectType>>,
    /// How many of them are places.
    places: usize,
    /// By transition.
    accesses: Vec<Vec<Access>>,
    /// By level: how many transitions raise it, and how many lower it.
    changers: Vec<(usize, usize)>,
}

impl Operations {
    pub fn new(moves: &[Move], initial: &[u32], levels: &Levels) -> Operations {
        let place = |&tokens: &u32| -> Box<dyn ObjectType> { Box::new(Place { initial: tokens.into() }) };
        let mut objects: Vec<Box<dyn ObjectType>> = initial.iter().map(place).collect();
        let terms = &levels.terms;
        objects.extend(terms.iter().map(|_| -> Box<dyn ObjectType> { Box::new(Level) }));
        // By place: the levels in which it counts.
        let mut counts: Vec<Vec<(usize, i64)>> = vec![Vec::new(); initial.len()];
        for (number, terms) in terms.iter().enumerate() {
            terms.iter().for_each(|&(place, times)| counts[place as usize].push((number, times)));
        }
        let mut changers = vec![(0, 0); terms.len()];
        let accesses = moves.iter().enumerate().map(|(index, one)| {
            let process = ProcessId(index as u16);
            let mut accesses = on_places(one, process);
            let mut changes: Vec<(usize, i64)> = Vec::new();
            for &(place, change) in &one.changes {
                changes.extend(
                    counts[place as usize].iter().map(|&(l, times)| (l, times.saturating_mul(change))),
                );
            }
            changes.sort_unstable();
            for of_one in changes.chunk_by(|a, b| a.0 == b.0) {
                let level = of_one[0].0;
                let change = of_one.iter().fold(0i64, |sum, (_, change)| sum.saturating_add(*change));
                if change != 0 {
                    let changer: &mut (usize, usize) = &mut changers[level];
                    *(if change > 0 { &mut changer.0 } else { &mut changer.1 }) += 1;
                    accesses.push(access(initial.len() + level, process, ADD, change));
                }
            }
            accesses
        });
        let accesses = accesses.collect();
        Operations { objects, places: initial.len(), accesses, changers }
    }
}

fn access(object: usize, process: ProcessId, kind: OperationKind, input: i64) -> Access {
    Access { object: ObjectId(object as u32), operation: Operation::with(process, kind, input) }
}

/// The operations of a transition on places: a test stands before a change of the same place.
fn on_places(one: &Move, process: ProcessId) -> Vec<Access> {
    let mut accesses = Vec::new();
    for &(place, weight) in &one.needs {
        let change =
            one.changes.iter().find(|(changed, _)| *changed == place).map_or(0, |(_, change)| *change);
        let (place, weight) = (place as usize, i64::from(weight));
        if change == -weight {
            accesses.push(access(place, process, CONSUME, weight));
            continue;
        }
        accesses.push(access(place, process, TEST, weight));
        match change {
            0 => {}
            1.. => accesses.push(access(place, process, PRODUCE, change)),
            _ => accesses.push(access(place, process, CONSUME, -change)),
        }
    }
    for &(place, change) in &one.changes {
        if !one.needs.iter().any(|(needed, _)| *needed == place) {
            accesses.push(access(place as usize, process, PRODUCE, change));
        }
    }
    accesses
}

/// The operation that compares a level, if a goal does nothing else.
pub(super) fn observation(operations: &Operations, goal: &Goal) -> Option<Access> {
    // It is evaluated by no transition; no relation asks which process that is.
    let observer = ProcessId(u16::MAX);
    let (level, kind, bound) = match goal {
        Goal::AtLeast(level, bound) => (level, AT_LEAST, bound),
        Goal::AtMost(level, bound) => (level, AT_MOST, bound),
        Goal::Constant(_) | Goal::All(_) | Goal::Any(_) => return None,
    };
    Some(access(operations.places + level, observer, kind, *bound))
}

impl NetSystem {
    fn accesses(&self, process: ProcessId) -> &[Access] {
        self.operations.accesses.get(process.index()).map_or(&[], Vec::as_slice)
    }

    fn footprint(&self, process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        let accesses = self.accesses(process);
        out.accesses.extend_from_slice(accesses);
        out.ordered = accesses.len();
    }

    fn bits(&self, process: ProcessId, out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.operations.objects.len().div_ceil(64), 0);
        for access in self.accesses(process) {
            out[access.object.index() / 64] |= 1 << (access.object.index() % 64);
        }
    }

    /// Adds operations one of which must become possible before a goal that is not met can be.
    fn await_goal(&self, goal: &Goal, state: &[u8], out: &mut Obstacles) {
        match goal {
            Goal::Constant(_) => {}
            Goal::AtLeast(..) | Goal::AtMost(..) => {
                observation(&self.operations, goal).into_iter().for_each(|access| out.access(access));
            }
            Goal::Any(parts) => parts.iter().for_each(|part| self.await_goal(part, state, out)),
            Goal::All(parts) => {
                let open = parts.iter().filter(|part| !part.holds(&|l| self.level(l, state)));
                if let Some(part) = open.min_by_key(|part| self.helpers(part)) {
                    self.await_goal(part, state, out);
                }
            }
        }
    }

    /// About how many transitions may bring a goal nearer.
    fn helpers(&self, goal: &Goal) -> usize {
        match goal {
            Goal::Constant(_) => 0,
            Goal::AtLeast(level, _) => self.operations.changers[*level].0,
            Goal::AtMost(level, _) => self.operations.changers[*level].1,
            Goal::Any(parts) => parts.iter().map(|part| self.helpers(part)).sum(),
            Goal::All(parts) => parts.iter().map(|part| self.helpers(part)).min().unwrap_or(0),
        }
    }
}

impl Relations for NetSystem {
    fn processes(&self, _state: &[u8]) -> usize {
        self.operations.accesses.len()
    }

    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.operations.objects
    }

    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        out.clear();
        let index = object.index();
        out.push(match index.checked_sub(self.operations.places) {
            Some(number) => self.level(number, state),
            None => self.tokens(state, object.0).into(),
        });
    }

    fn step(&self, _state: &[u8], step: Step, out: &mut Footprint) {
        self.footprint(step.process, out);
    }

    fn next(&self, _state: &[u8], process: ProcessId, out: &mut Footprint) {
        self.footprint(process, out);
    }

    fn next_is_local(&self, _state: &[u8], process: ProcessId) -> bool {
        self.accesses(process).is_empty()
    }

    fn support(&self, _state: &[u8], process: ProcessId, _located: bool, out: &mut Vec<u64>) {
        self.bits(process, out);
    }

    fn next_objects(&self, _state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        self.bits(process, out);
        true
    }

    fn tells_moves_apart(&self) -> bool {
        true
    }

    fn standing(&self, _state: &[u8], _process: ProcessId, out: &mut Vec<u8>) -> bool {
        out.clear();
        true
    }

    fn futures(&self, _state: &[u8], process: ProcessId, out: &mut Vec<Future>) {
        out.clear();
        out.push(Future { accesses: self.accesses(process).to_vec(), everything: false });
    }

    fn guards(&self, process: ProcessId, out: &mut Vec<Access>) -> bool {
        let needs = self.moves.get(process.index()).map_or(&[][..], |one| &one.needs);
        let test = |&(place, weight): &(u32, u32)| access(place as usize, process, TEST, weight.into());
        out.extend(needs.iter().map(test));
        true
    }

    fn futures_are_constant(&self) -> bool {
        true
    }

    fn obstacles(&self, state: &[u8], process: ProcessId, _alternative: usize, out: &mut Obstacles) {
        out.clear();
        for access in self.accesses(process) {
            let Operation { kind, operands, .. } = access.operation;
            let needs = access.object.index() < self.operations.places && kind != PRODUCE;
            let tokens = |object: ObjectId| i64::from(self.tokens(state, object.0));
            if needs && operands[0].known().is_some_and(|weight| tokens(access.object) < weight) {
                out.access(*access);
                out.end(false);
            }
        }
    }

    fn aims_at_violations(&self) -> bool {
        true
    }

    fn before_violation(&self, state: &[u8], out: &mut Obstacles) -> bool {
        out.clear();
        let Some(invariant) = &self.invariant else { return false };
        let goal = &invariant.violation;
        let holds = |goal: &Goal| goal.holds(&|number| self.level(number, state));
        if holds(goal) {
            return false;
        }
        match goal {
            // Each part that is not met is a reason of its own.
            Goal::All(parts) => {
                for part in parts.iter().filter(|part| !holds(part)) {
                    self.await_goal(part, state, out);
                    out.end(false);
                }
            }
            other => {
                self.await_goal(other, state, out);
                out.end(false);
            }
        }
        true
    }
}
