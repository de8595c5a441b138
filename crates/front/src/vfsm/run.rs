//! The execution of one machine: from an event to where it settles (1996, sections II and III).
//!
//! The input mapper changes the virtual input register. Then, in the present state, the input actions whose
//! conditions hold are performed in order; the first next-state condition that holds leads, by exit and entry
//! actions, to another state, where the same happens again; where none holds the machine has settled. Feedback
//! events change the register as soon as they are produced, and the conditions behind see that.
//!
//! Everything that is not determined, which change of the mapper and which actions of an output, is a choice:
//! each combination is an [`Outcome`]. A machine that comes back to a state and a register that it had in the
//! same execution never settles if it chooses likewise again; that is an outcome too, and a mistake.
//!
//! What an outcome does depends on the machine alone, so it can be kept ([`super::table`]). Whether messages fit
//! into their queues shows when it is applied.

use super::network::{Action, Change, Machine, Mask, Network, Test};

/// The most combinations of choices of one execution.
pub const MOST_OUTCOMES: usize = 1 << 10;
/// The most state changes of one execution that is followed.
const MOST_CHANGES: usize = 1 << 10;
/// The most operations of one execution.
const MOST_OPERATIONS: usize = 1 << 10;

/// An operation on what machines share.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A message is sent.
    Send(u32),
    /// A timer is started.
    Start(u32),
    /// A timer is stopped.
    Stop(u32),
}

/// What is wrong with an outcome, whatever the others do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wrong {
    /// The inputs that the event inserted are not expected in the state in which it was received.
    Unexpected,
    /// The machine may change its state for ever.
    Livelock,
    /// There are more combinations of choices than are followed.
    TooMany,
    /// This assertion is false.
    Assertion(u32),
    /// What comes can't be represented: the number of what is said then.
    Outside(u32),
}

/// One way in which a machine can react.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The state in which it settles.
    pub state: u32,
    /// Its register then.
    pub register: u64,
    /// What it does on the way, in order.
    pub operations: Vec<Operation>,
    /// What is wrong.
    pub wrongs: Vec<Wrong>,
    /// The places that it passes.
    pub places: Vec<u32>,
    /// The outputs, in order, for people.
    pub outputs: Vec<u32>,
    /// The states entered, in order, for people.
    pub states: Vec<u32>,
    /// The change that the mapper made of the event, for people.
    pub change: Change,
}

impl Outcome {
    /// Whether nothing lies behind it.
    pub fn is_fatal(&self) -> bool {
        self.wrongs.iter().any(|wrong| matches!(wrong, Wrong::Livelock | Wrong::TooMany | Wrong::Outside(_)))
    }
}

/// The queues and timers that are operated on.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// The queues of other processes to which something is sent.
    pub sends: Mask,
    /// The timers that are started.
    pub starts: Mask,
    /// The timers that are stopped.
    pub stops: Mask,
}

impl Operations {
    /// Adds others.
    pub fn add(&mut self, other: &Operations) {
        self.sends |= other.sends;
        self.starts |= other.starts;
        self.stops |= other.stops;
    }

    /// Adds what one operation of a machine touches.
    pub fn note(&mut self, network: &Network, machine: usize, operation: Operation) {
        match operation {
            Operation::Send(message) => {
                let process = network.destination(message);
                if process != network.machines[machine].process {
                    self.sends |= 1 << process;
                }
            }
            Operation::Start(timer) => self.starts |= 1 << timer,
            Operation::Stop(timer) => self.stops |= 1 << timer,
        }
    }
}

/// Adds an outcome; of those that come to the same the first is kept, with the places of all.
fn keep(all: &mut Vec<Outcome>, mut outcome: Outcome) {
    let same = |one: &&mut Outcome| {
        (one.state, one.register) == (outcome.state, outcome.register)
            && one.operations == outcome.operations
            && one.wrongs == outcome.wrongs
    };
    let known = all.iter_mut().find(same);
    let places = match known {
        Some(known) => {
            known.places.append(&mut outcome.places);
            &mut known.places
        }
        None => {
            all.push(outcome);
            let last = all.len() - 1;
            &mut all[last].places
        }
    };
    places.sort_unstable();
    places.dedup();
}

/// Everything that `machine` can do in a state, with a register, when it gets an event. Never empty. Adds to `work`
/// how much was done to find it out.
pub fn outcomes(machine: &Machine, state: u32, register: u64, event: u32, work: &mut usize) -> Vec<Outcome> {
    let mut all: Vec<Outcome> = Vec::new();
    // What was chosen so far, and among how many.
    let mut script: Vec<(usize, usize)> = Vec::new();
    // Different choices often come to the same, so the work is limited, not only what comes of it.
    for _ in 0..MOST_OUTCOMES {
        let mut execution =
            Execution { machine, script: &mut script, at: 0, outcome: Outcome::default(), met: Vec::new() };
        execution.run(state, register, event);
        *work += execution.met.len() + execution.outcome.outputs.len() + all.len();
        keep(&mut all, execution.outcome);
        // On to the next combination.
        loop {
            match script.last_mut() {
                None => return all,
                Some((chosen, count)) if *chosen + 1 < *count => {
                    *chosen += 1;
                    break;
                }
                Some(_) => drop(script.pop()),
            }
        }
    }
    let wrongs = vec![Wrong::TooMany];
    all.push(Outcome { state, register, wrongs, ..Outcome::default() });
    all
}

struct Execution<'m> {
    machine: &'m Machine,
    script: &'m mut Vec<(usize, usize)>,
    at: usize,
    outcome: Outcome,
    /// States and registers at which a look for the next state began.
    met: Vec<(u32, u64)>,
}

impl Execution<'_> {
    /// Chooses among so many: as the script says, and the first where it says nothing.
    fn choose(&mut self, count: usize) -> usize {
        if count == 1 {
            return 0;
        }
        if self.at == self.script.len() {
            self.script.push((0, count));
        }
        self.at += 1;
        self.script[self.at - 1].0
    }

    fn map(&mut self, event: u32) -> Change {
        let machine = self.machine;
        let alternatives = &machine.events[event as usize].alternatives;
        let change = alternatives[self.choose(alternatives.len())];
        self.outcome.register = self.outcome.register & !change.delete | change.insert;
        change
    }

    fn produce(&mut self, outputs: &[u32]) {
        let machine = self.machine;
        for output in outputs {
            self.outcome.outputs.push(*output);
            let alternatives = &machine.outputs[*output as usize].alternatives;
            for action in &alternatives[self.choose(alternatives.len())] {
                match action {
                    Action::Send(message) => self.outcome.operations.push(Operation::Send(*message)),
                    Action::Start(timer) => self.outcome.operations.push(Operation::Start(*timer)),
                    Action::Stop(timer) => self.outcome.operations.push(Operation::Stop(*timer)),
                    Action::Feedback(event) => drop(self.map(*event)),
                }
            }
        }
    }

    fn run(&mut self, state: u32, register: u64, event: u32) {
        let machine = self.machine;
        (self.outcome.state, self.outcome.register) = (state, register);
        self.outcome.places.push(machine.states[state as usize].place);
        let change = self.map(event);
        self.outcome.change = change;
        if change.insert != 0 && change.insert & machine.states[state as usize].expected == 0 {
            self.outcome.wrongs.push(Wrong::Unexpected);
        }
        loop {
            let here = &machine.states[self.outcome.state as usize];
            self.met.push((self.outcome.state, self.outcome.register));
            for (test, outputs, place) in &here.actions {
                if test.holds(self.outcome.register) {
                    self.outcome.places.push(*place);
                    self.produce(outputs);
                }
            }
            let register = self.outcome.register;
            let Some((_, to, place)) = here.next.iter().find(|(test, _, _)| Test::holds(test, register))
            else {
                break;
            };
            self.outcome.places.push(*place);
            self.produce(&here.exit);
            let there = &machine.states[*to as usize];
            self.outcome.state = *to;
            self.outcome.states.push(*to);
            self.outcome.places.push(there.place);
            if let Some(outside) = there.outside {
                self.outcome.wrongs.push(Wrong::Outside(outside));
                return;
            }
            self.produce(&there.entry);
            if self.met.contains(&(self.outcome.state, self.outcome.register))
                || self.met.len() > MOST_CHANGES
                || self.outcome.operations.len() > MOST_OPERATIONS
            {
                self.outcome.wrongs.push(Wrong::Livelock);
                return;
            }
        }
        for (test, number) in &machine.states[self.outcome.state as usize].assertions {
            if !test.holds(self.outcome.register) {
                self.outcome.wrongs.push(Wrong::Assertion(*number));
            }
        }
    }
}
