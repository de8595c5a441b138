//! Which steps may decide, one after the other, whether a process that waits can move: what must not be commuted under process
//! fairness (Peled 1993, section 4.2).
//!
//! A run is fair to a process that moves infinitely often, and all runs of its trace are. One that moves finitely often comes to stand at
//! some place for good, the same in all runs of the trace; behind its last move its chances change only by steps
//! of *others* that change what decides at *this place*. So for each process and each place where it may come to stand there is a class:
//! these steps of the others, which are made dependent on each other. Its own steps don't belong to it, nor
//! need steps that matter at different places depend on each other.
//!
//! **Why that is enough.** Let a reduced graph be made of sets that are persistent by the extended dependency, and let σ be a fair run. The run σ′ of
//! the reduced graph that stands for it comes about by moving, from each state *s* on the way, the first step of the set chosen in *s* to the
//! front, over steps that are independent of it. Let *p* move only finitely often, and look at states *s* of σ′ behind its last move. No move to the front
//! exchanges two steps of the class of *p*'s place. Exchanging a step of the class with one that is not leaves the sequence of *p*'s chances,
//! before the first and behind each step of the class, as it was, because the other step does not change them. So σ
//! and σ′ have the same chances of *p* in the long run, always or again and again, and σ′ is fair to *p* if σ is.
//!
//! The argument looks at each *s* by itself: the classes need to hold for what may happen *from there on*. So they are made for a
//! state, of the places that are ahead of each process and of what each may still do (both shrink as a run goes on). Where all steps of
//! a class are of one process they depend on each other anyway, and no class is needed: a channel of two processes costs nothing.
//! Nothing is said where a process may still be created ([`Relations::standpoints`]); then whatever changes an object is one class
//! ([`super::extended`]).
//!
//! **Handshakes.** Who waits for one can move if another stands ready for it, so all steps of those who may use this
//! rendezvous belong to the class, and what decides for *them* whether they can meet, such as a variable that is sent, is looked at too.

use super::visibility::Looks;
use mazurka_model::{Access, Future, ObjectId, ProcessId, Relations, Standpoint};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Combinations of what processes have ahead that are remembered.
const MOST_KNOWN: usize = 1 << 16;

/// Steps of others that may decide whether a process that waits can move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// Who waits, and whose own steps don't count.
    owner: ProcessId,
    looks: Looks,
    /// Processes all of whose steps count, in order.
    whole: Vec<ProcessId>,
    /// The object that stands for the class.
    pub object: ObjectId,
}

impl Class {
    /// Whether steps of a process that do this belong to it.
    pub fn contains(&self, relations: &dyn Relations, process: ProcessId, accesses: &[Access]) -> bool {
        self.owner != process
            && (self.holds_all_of(process)
                || accesses.iter().any(|access| self.looks.are_changed_by(relations, access)))
    }

    /// Whether all steps of a process belong to it, whatever they do.
    pub fn holds_all_of(&self, process: ProcessId) -> bool {
        self.whole.binary_search(&process).is_ok()
    }

    /// Whether an operation on one of these objects, as bits, may belong to it.
    pub fn looks_at(&self, bits: &[u64]) -> bool {
        let contains = |object: usize| bits[object / 64] >> (object % 64) & 1 == 1;
        self.looks.accesses().iter().any(|look| contains(look.object.index()))
    }
}

/// The classes of a state.
#[derive(Debug, Default)]
pub struct Classes {
    /// What tells them from those of other states.
    pub number: u32,
    pub list: Vec<Class>,
}

/// What a process has ahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ahead {
    /// What it may do.
    does: Vec<Access>,
    /// Where it may come to stand.
    standpoints: Vec<Standpoint>,
}

/// Finds the classes of states.
pub struct Waiting<'s> {
    relations: &'s dyn Relations,
    /// The objects at which processes meet, as bits.
    meetings: Vec<u64>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The state asked about last, and what was answered.
    last: Option<(Vec<u8>, Option<Arc<Classes>>)>,
    /// By process and what its futures depend on: a number, or that nothing is known.
    numbers: HashMap<(ProcessId, Vec<u8>), Option<u32>>,
    ahead: Vec<Arc<Ahead>>,
    by_content: HashMap<Arc<Ahead>, u32>,
    /// By the numbers of all processes.
    classes: HashMap<Vec<u32>, Arc<Classes>>,
    by_list: HashMap<Vec<Class>, u32>,
}

impl<'s> Waiting<'s> {
    /// For a system in which processes meet at these objects, given as bits.
    pub fn new(relations: &'s dyn Relations, meetings: &[u64]) -> Waiting<'s> {
        Waiting { relations, meetings: meetings.to_vec(), known: Mutex::default() }
    }

    /// The classes of a state; `None` if nothing can be said.
    pub fn classes(&self, state: &[u8]) -> Option<Arc<Classes>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, classes)) = &known.last
            && last == state
        {
            return classes.clone();
        }
        let classes = self.find(&mut known, state);
        let mut kept = known.last.take().map(|(bytes, _)| bytes).unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(state);
        known.last = Some((kept, classes.clone()));
        classes
    }

    fn find(&self, known: &mut Known, state: &[u8]) -> Option<Arc<Classes>> {
        let processes = (0..self.relations.processes(state)).map(|number| ProcessId(number as u16));
        let numbers: Vec<u32> =
            processes.map(|process| self.ahead(known, state, process)).collect::<Option<_>>()?;
        if let Some(classes) = known.classes.get(&numbers) {
            return Some(classes.clone());
        }
        let ahead: Vec<Arc<Ahead>> =
            numbers.iter().map(|number| known.ahead[*number as usize].clone()).collect();
        let list = self.make(&ahead);
        let next = known.by_list.len() as u32;
        let number = *known.by_list.entry(list.clone()).or_insert(next);
        let classes = Arc::new(Classes { number, list });
        if known.classes.len() >= MOST_KNOWN {
            known.classes.clear();
        }
        known.classes.insert(numbers, classes.clone());
        Some(classes)
    }

    /// The number of what a process has ahead.
    fn ahead(&self, known: &mut Known, state: &[u8], process: ProcessId) -> Option<u32> {
        let mut standing = Vec::new();
        if !self.relations.standing(state, process, &mut standing) {
            return None;
        }
        self.relations.standpoints_depend_on(state, process, &mut standing);
        let key = (process, standing);
        if let Some(number) = known.numbers.get(&key) {
            return *number;
        }
        let number = self.look_ahead(state, process).map(|ahead| {
            let (ahead, next) = (Arc::new(ahead), known.ahead.len() as u32);
            let number = *known.by_content.entry(ahead.clone()).or_insert(next);
            if number == next {
                known.ahead.push(ahead);
            }
            number
        });
        known.numbers.insert(key, number);
        number
    }

    fn look_ahead(&self, state: &[u8], process: ProcessId) -> Option<Ahead> {
        let mut standpoints = Vec::new();
        if !self.relations.standpoints(state, process, &mut standpoints) {
            return None;
        }
        let mut futures: Vec<Future> = Vec::new();
        self.relations.futures(state, process, &mut futures);
        if futures.iter().any(|future| future.everything) {
            return None;
        }
        let mut does: Vec<Access> = futures.into_iter().flat_map(|future| future.accesses).collect();
        does.sort_unstable();
        does.dedup();
        Some(Ahead { does, standpoints })
    }

    /// The classes of processes that have this ahead.
    fn make(&self, ahead: &[Arc<Ahead>]) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for (owner, own) in ahead.iter().enumerate() {
            let others = || ahead.iter().enumerate().filter(|(other, _)| *other != owner);
            for place in own.standpoints.iter().filter(|place| !place.free) {
                let meets = |access: &Access| {
                    self.is_meeting(access.object)
                        && place.accesses.iter().any(|look| look.object == access.object)
                };
                let mut looks = place.accesses.clone();
                for theirs in others().flat_map(|(_, other)| &other.standpoints) {
                    if theirs.accesses.iter().any(meets) {
                        looks.extend_from_slice(&theirs.accesses);
                    }
                }
                let looks = Looks::new(looks);
                let named = |(other, _): (usize, &Arc<Ahead>)| ProcessId(other as u16);
                let whole: Vec<ProcessId> =
                    others().filter(|(_, other)| other.does.iter().any(meets)).map(named).collect();
                let changes =
                    |does: &[Access]| does.iter().any(|access| looks.are_changed_by(self.relations, access));
                let members = others()
                    .filter(|(other, ahead)| whole.contains(&named((*other, ahead))) || changes(&ahead.does));
                if members.count() < 2 {
                    continue;
                }
                if let Some(first) = looks.accesses().first() {
                    let (owner, object) = (ProcessId(owner as u16), first.object);
                    let class = Class { owner, looks, whole, object };
                    if !classes.contains(&class) {
                        classes.push(class);
                    }
                }
            }
        }
        classes
    }

    fn is_meeting(&self, object: ObjectId) -> bool {
        self.meetings[object.index() / 64] >> (object.index() % 64) & 1 == 1
    }
}
