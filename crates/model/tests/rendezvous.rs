//! The rendezvous channel, tested as a transition: it has no value, so its relations are compared
//! with what joint steps of a small system really do.
//!
//! Two senders and two receivers walk through their moves on two channels; one process of each
//! kind may choose between the channels at a location. Every such system is looked at in every state.

use mazurka_model::object::ObjectType;
use mazurka_model::object::rendezvous::{ACCEPT, HANDSHAKE, OFFER, Rendezvous};
use mazurka_model::{Operation, OperationKind, ProcessId};

const PROCESSES: usize = 4;
const LENGTH: u8 = 2;

/// Where each process stands.
type State = [u8; PROCESSES];

/// Per process and location: the channels on which it is ready, as bits. Processes 0 and 1 send,
/// 2 and 3 receive.
type Program = [[u8; LENGTH as usize]; PROCESSES];

/// A joint step: a sender and a receiver, each at a location, on a channel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Joint {
    sender: (usize, u8),
    receiver: (usize, u8),
    channel: u8,
}

impl Joint {
    fn fire(&self, state: &State) -> Option<State> {
        let (p, q) = (self.sender, self.receiver);
        (state[p.0] == p.1 && state[q.0] == q.1).then(|| {
            let mut next = *state;
            next[p.0] += 1;
            next[q.0] += 1;
            next
        })
    }

    fn moves(&self, process: usize) -> bool {
        self.sender.0 == process || self.receiver.0 == process
    }

    fn shares_process(&self, other: &Joint) -> bool {
        other.moves(self.sender.0) || other.moves(self.receiver.0)
    }

    fn operation(&self) -> Operation {
        Operation::new(ProcessId(self.sender.0 as u16), HANDSHAKE)
    }
}

fn joints(program: &Program) -> Vec<Joint> {
    let mut all = Vec::new();
    for sender in (0..2).flat_map(|p| (0..LENGTH).map(move |at| (p, at))) {
        for receiver in (2..4).flat_map(|p| (0..LENGTH).map(move |at| (p, at))) {
            let ready =
                program[sender.0][usize::from(sender.1)] & program[receiver.0][usize::from(receiver.1)];
            all.extend((0..2).filter(|c| ready >> c & 1 == 1).map(|channel| Joint {
                sender,
                receiver,
                channel,
            }));
        }
    }
    all
}

fn programs() -> Vec<Program> {
    let single: Vec<[u8; 2]> = (1..=2).flat_map(|x| (1..=2).map(move |y| [x, y])).collect();
    let choosing: Vec<[u8; 2]> = (1..=3).flat_map(|x| (1..=3).map(move |y| [x, y])).collect();
    let mut all = Vec::new();
    for &p in &choosing {
        for &q in &single {
            for &r in &choosing {
                all.extend(single.iter().map(|&s| [p, q, r, s]));
            }
        }
    }
    all
}

fn states() -> Vec<State> {
    let places = 0..=LENGTH;
    let mut all = Vec::new();
    for p in places.clone() {
        for q in places.clone() {
            for r in places.clone() {
                all.extend(places.clone().map(|s| [p, q, r, s]));
            }
        }
    }
    all
}

/// Definition 5 for two joint steps.
fn depends(a: &Joint, b: &Joint, state: &State) -> bool {
    let orders = (a.fire(state), b.fire(state));
    match orders {
        (None, None) => false,
        (Some(after), None) => b.fire(&after).is_some(),
        (None, Some(after)) => a.fire(&after).is_some(),
        (Some(x), Some(y)) => b.fire(&x).is_none() || b.fire(&x) != a.fire(&y),
    }
}

/// Handshakes depend on each other exactly if they share a process; those that don't never do.
#[test]
fn handshakes_of_four_processes_are_independent() {
    let (mut dependent, mut independent) = (0, 0);
    for program in programs() {
        let joints = joints(&program);
        for state in states() {
            for a in &joints {
                for b in joints.iter().filter(|b| *b != a) {
                    let same = a.channel == b.channel;
                    let declared = a.shares_process(b)
                        || same && Rendezvous.dependent(&a.operation(), &b.operation(), &[]);
                    let derived = depends(a, b, &state);
                    assert!(declared || !derived, "{a:?} {b:?} {state:?}");
                    assert!(a.shares_process(b) || !declared, "{a:?} {b:?} need not depend");
                    dependent += usize::from(derived);
                    independent +=
                        usize::from(!declared && a.fire(&state).is_some() && b.fire(&state).is_some());
                }
            }
        }
    }
    assert!(dependent > 0 && independent > 0);
}

type Interacts = fn(&Operation, &Operation) -> bool;

/// Closes {`process`}: a process that may ever do what interacts with a member's next moves joins.
fn close(program: &Program, state: &State, process: usize, interacts: Interacts) -> [bool; PROCESSES] {
    let kind = |p: usize| -> OperationKind { if p < 2 { OFFER } else { ACCEPT } };
    let mut member = [false; PROCESSES];
    member[process] = true;
    let mut pending = vec![process];
    while let Some(p) = pending.pop() {
        let next = program[p].get(usize::from(state[p])).copied().unwrap_or(0);
        for q in 0..PROCESSES {
            let future =
                program[q][usize::from(state[q].min(LENGTH))..].iter().fold(0, |all, ready| all | ready);
            let (a, b) =
                (Operation::new(ProcessId(p as u16), kind(p)), Operation::new(ProcessId(q as u16), kind(q)));
            if !member[q] && next & future != 0 && interacts(&a, &b) {
                member[q] = true;
                pending.push(q);
            }
        }
    }
    member
}

/// Definition 7: whether the enabled steps that move a member are persistent in `state`.
fn persistent(joints: &[Joint], state: &State, member: &[bool; PROCESSES]) -> bool {
    let in_set =
        |joint: &Joint| (0..PROCESSES).any(|p| member[p] && joint.moves(p)) && joint.fire(state).is_some();
    let set: Vec<&Joint> = joints.iter().filter(|joint| in_set(joint)).collect();
    let mut pending = vec![*state];
    while let Some(at) = pending.pop() {
        for joint in joints.iter().filter(|joint| !in_set(joint)) {
            let Some(next) = joint.fire(&at) else { continue };
            if set.iter().any(|chosen| chosen.shares_process(joint)) {
                return false;
            }
            pending.push(next);
        }
    }
    true
}

fn all_persistent(interacts: Interacts) -> bool {
    let states = states();
    programs().iter().all(|program| {
        let joints = joints(program);
        states.iter().all(|state| {
            (0..PROCESSES).all(|p| persistent(&joints, state, &close(program, state, p, interacts)))
        })
    })
}

/// Sets of processes that are closed under "might interact" give persistent sets.
#[test]
fn offers_and_accepts_connect_whoever_may_meet() {
    assert!(all_persistent(|a, b| Rendezvous.interacts(a, b, &[])));
}

/// Without the interaction of offers with accepts, or of accepts with offers, they don't.
#[test]
fn the_test_of_persistence_can_fail() {
    assert!(!all_persistent(|a, b| a.kind != OFFER && Rendezvous.interacts(a, b, &[])));
    assert!(!all_persistent(|a, b| a.kind != ACCEPT && Rendezvous.interacts(a, b, &[])));
}

/// A handshake may be disabled by a third process that meets one of its two: the joint step shares
/// a process, but the third process alone shows only an offer or an accept.
#[test]
fn a_handshake_interacts_with_offers_and_accepts() {
    let by = |process, kind| Operation::new(ProcessId(process), kind);
    for kind in [OFFER, ACCEPT] {
        assert!(Rendezvous.interacts(&by(0, HANDSHAKE), &by(1, kind), &[]));
        assert!(Rendezvous.interacts(&by(1, kind), &by(0, HANDSHAKE), &[]));
        assert!(Rendezvous.dependent(&by(0, HANDSHAKE), &by(1, kind), &[]));
    }
}
