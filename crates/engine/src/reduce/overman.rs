//! Overman's method (Holzmann, Godefroid, Pirottin 1992, section 5): persistent sets from which
//! process can access which object.
//!
//! From a process P the set {P} is closed: the objects that the next moves of its members touch,
//! enabled or not, are added to V; a process whose support meets V becomes a member. What remains
//! outside never touches V, so nothing it does depends on the members' next moves. The enabled steps
//! of the closed set with the fewest of them are taken.
//!
//! The paper starts from each object; starting from each process that can move is never worse,
//! because every closed set with an enabled step contains such a process and therefore its closure.
//!
//! The *support* of a process is what its whole code accesses, or, refined, what it can still access
//! from its present location; processes that it may create are included.

use super::Reducer;
use mazurka_model::{ProcessId, Relations, Step};

/// Proposes the smallest closed set of processes.
pub struct Overman<'s> {
    relations: &'s dyn Relations,
    located: bool,
    /// Per process: its support, and what its next moves touch.
    support: Vec<Vec<u64>>,
    next: Vec<Vec<u64>>,
    /// Per process: some next move may do anything to every object.
    everything: Vec<bool>,
    touched: Vec<u64>,
    member: Vec<bool>,
    members: Vec<usize>,
    candidate: Vec<usize>,
}

impl<'s> Overman<'s> {
    /// Overman's method; `located` refines the supports by location.
    pub fn new(relations: &'s dyn Relations, located: bool) -> Overman<'s> {
        Overman {
            relations,
            located,
            support: Vec::new(),
            next: Vec::new(),
            everything: Vec::new(),
            touched: Vec::new(),
            member: Vec::new(),
            members: Vec::new(),
            candidate: Vec::new(),
        }
    }

    fn load(&mut self, state: &[u8]) {
        let processes = self.relations.processes(state);
        self.support.resize_with(processes, Vec::new);
        self.next.resize_with(processes, Vec::new);
        self.everything.clear();
        for p in 0..processes {
            let process = ProcessId(p as u16);
            self.relations.support(state, process, self.located, &mut self.support[p]);
            self.everything.push(!self.relations.next_objects(state, process, &mut self.next[p]));
        }
    }

    /// Closes {`process`} into `self.members`; false if that is every process.
    fn close(&mut self, process: usize) -> bool {
        let processes = self.next.len();
        self.member.clear();
        self.member.resize(processes, false);
        self.member[process] = true;
        self.members.clear();
        self.members.push(process);
        self.touched.clear();
        let mut at = 0;
        while let Some(&p) = self.members.get(at) {
            at += 1;
            if self.everything[p] {
                return false;
            }
            if !add(&mut self.touched, &self.next[p]) {
                continue;
            }
            for q in 0..processes {
                if !self.member[q] && meets(&self.support[q], &self.touched) {
                    self.member[q] = true;
                    self.members.push(q);
                }
            }
        }
        self.members.len() < processes
    }
}

impl Reducer for Overman<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if attempt > 0 || enabled.len() < 2 {
            return false;
        }
        self.load(state);
        let mut best = enabled.len();
        let mut last = None;
        for step in enabled {
            let process = step.process;
            if last == Some(process) {
                continue;
            }
            last = Some(process);
            if !self.close(process.index()) {
                continue;
            }
            let member = &self.member;
            self.candidate.clear();
            self.candidate.extend(
                enabled.iter().enumerate().filter(|(_, s)| member[s.process.index()]).map(|(index, _)| index),
            );
            if self.candidate.len() < best {
                best = self.candidate.len();
                std::mem::swap(set, &mut self.candidate);
                if best == 1 {
                    break;
                }
            }
        }
        best < enabled.len()
    }
}

/// Adds the bits of `more` to `bits`; whether any was new.
fn add(bits: &mut Vec<u64>, more: &[u64]) -> bool {
    if bits.len() < more.len() {
        bits.resize(more.len(), 0);
    }
    let mut new = false;
    for (b, m) in bits.iter_mut().zip(more) {
        new |= m & !*b != 0;
        *b |= m;
    }
    new
}

fn meets(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}
