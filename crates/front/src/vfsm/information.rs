//! What machines may still do, known before anything is explored (1996, section VI).
//!
//! *Per VFSM*: all operations that a machine may perform in its lifetime. *Per state*: those that it may perform from a
//! state on, over its next-state conditions, whatever holds of its register. Both are used for what lies
//! ahead, and, unless run-time information is asked for, for the transition that comes next.
//!
//! Beyond the paper there is a bound on how often a machine can still send to a queue, so that it is known where a queue
//! can't overflow. Input actions may be performed again and again in one state, so they have no bound.

use super::network::{Action, Machine, Network, State};
use super::run::{Operation, Operations};

/// Which information the persistent sets of the 1996 paper are computed from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Information {
    /// What a machine may do in its lifetime.
    PerVfsm,
    /// What a machine may do from its state on.
    PerState,
    /// What the next transition of a machine will do, and per state what lies behind it.
    RunTime,
    /// The one that gives the smallest sets, which is run-time information: what a transition does is looked up in a table, so that it costs
    /// no more than the others.
    #[default]
    Auto,
}

impl Information {
    /// All kinds by the names of the command line.
    pub const NAMES: [(&'static str, Information); 4] = [
        ("per-vfsm", Information::PerVfsm),
        ("per-state", Information::PerState),
        ("run-time", Information::RunTime),
        ("auto", Information::Auto),
    ];
}

impl std::str::FromStr for Information {
    type Err = String;
    fn from_str(text: &str) -> Result<Information, String> {
        let found = Information::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, one)| *one).ok_or_else(|| {
            let names: Vec<&str> = Information::NAMES.iter().map(|(name, _)| *name).collect();
            format!("`{text}` is unknown; choose one of {}", names.join(", "))
        })
    }
}

/// More than can be counted.
pub const UNBOUNDED: u8 = 64;

/// What is known of one machine.
#[derive(Clone, Debug, Default)]
struct OfMachine {
    lifetime: Operations,
    /// By state.
    ahead: Vec<Operations>,
    /// By state and queue: how many messages it may still send there.
    most: Vec<Vec<u8>>,
    /// By state: whether it may still act by itself.
    acts: Vec<bool>,
}

/// What is known of all machines.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    machines: Vec<OfMachine>,
}

impl Knowledge {
    /// Of a network.
    pub fn new(network: &Network) -> Knowledge {
        let of = |(number, machine)| OfMachine::new(network, number, machine);
        Knowledge { machines: network.machines.iter().enumerate().map(of).collect() }
    }

    /// What a machine may do in its lifetime.
    #[inline]
    pub fn lifetime(&self, machine: usize) -> &Operations {
        &self.machines[machine].lifetime
    }

    /// What a machine may do from a state on.
    #[inline]
    pub fn ahead(&self, machine: usize, state: u32) -> &Operations {
        &self.machines[machine].ahead[state as usize]
    }

    /// Whether a machine may act by itself in a state or behind it.
    #[inline]
    pub fn acts(&self, machine: usize, state: u32) -> bool {
        self.machines[machine].acts[state as usize]
    }

    /// How many messages a machine may send to the queue of a process from a state on; [`UNBOUNDED`] if
    /// nothing is known.
    #[inline]
    pub fn most(&self, machine: usize, state: u32, process: usize) -> u8 {
        self.machines[machine].most[state as usize][process]
    }
}

/// What outputs may do: on what they operate, and how many messages they send where.
#[derive(Clone, Default)]
struct Effects {
    operations: Operations,
    sends: Vec<u8>,
}

impl Effects {
    fn of(network: &Network, number: usize, outputs: &[u32]) -> Effects {
        let machine = &network.machines[number];
        let mut all = Effects { sends: vec![0; network.processes.len()], ..Effects::default() };
        for output in outputs {
            let mut most = vec![0u8; network.processes.len()];
            for actions in &machine.outputs[*output as usize].alternatives {
                let mut sends = vec![0u8; network.processes.len()];
                for action in actions {
                    let operation = match action {
                        Action::Send(message) => Operation::Send(*message),
                        Action::Start(timer) => Operation::Start(*timer),
                        Action::Stop(timer) => Operation::Stop(*timer),
                        Action::Feedback(_) => continue,
                    };
                    all.operations.note(network, number, operation);
                    if let Operation::Send(message) = operation {
                        let to = network.destination(message);
                        sends[to] = plus(sends[to], 1);
                    }
                }
                most.iter_mut().zip(&sends).for_each(|(most, one)| *most = (*most).max(*one));
            }
            all.sends.iter_mut().zip(&most).for_each(|(sum, one)| *sum = plus(*sum, *one));
        }
        all
    }
}

fn plus(a: u8, b: u8) -> u8 {
    (a + b).min(UNBOUNDED)
}

impl OfMachine {
    fn new(network: &Network, number: usize, machine: &Machine) -> OfMachine {
        let states = machine.states.len();
        let queues = network.processes.len();
        let of = |outputs: &[u32]| Effects::of(network, number, outputs);
        let entry: Vec<Effects> = machine.states.iter().map(|state| of(&state.entry)).collect();
        let mut ahead = Vec::new();
        let mut base: Vec<Vec<u8>> = Vec::new();
        for state in &machine.states {
            let mut operations = Operations::default();
            let mut most = vec![0; queues];
            for (_, outputs, _) in &state.actions {
                let effects = of(outputs);
                operations.add(&effects.operations);
                for (most, sent) in most.iter_mut().zip(&effects.sends) {
                    if *sent > 0 {
                        *most = UNBOUNDED;
                    }
                }
            }
            if !state.next.is_empty() {
                let exit = of(&state.exit);
                operations.add(&exit.operations);
                most.iter_mut().zip(&exit.sends).for_each(|(most, sent)| *most = plus(*most, *sent));
            }
            ahead.push(operations);
            base.push(most);
        }
        // What lies behind a state is its own: to the least fixed point, from both ends in turn, because chains of
        // states are written in either order.
        let mut most = base.clone();
        let mut acts: Vec<bool> = machine.states.iter().map(|state| !state.spontaneous.is_empty()).collect();
        let mut changed = true;
        let mut forward = false;
        while changed {
            changed = false;
            forward = !forward;
            for index in 0..states {
                let at = if forward { states - 1 - index } else { index };
                let State { next, .. } = &machine.states[at];
                for (_, to, _) in next {
                    let to = *to as usize;
                    let mut operations = ahead[at];
                    operations.add(&entry[to].operations);
                    operations.add(&ahead[to]);
                    changed |= operations != ahead[at] || acts[to] && !acts[at];
                    acts[at] |= acts[to];
                    ahead[at] = operations;
                    for queue in 0..queues {
                        let way = plus(base[at][queue], plus(entry[to].sends[queue], most[to][queue]));
                        if way > most[at][queue] {
                            most[at][queue] = way;
                            changed = true;
                        }
                    }
                }
            }
        }
        let mut lifetime = Operations::default();
        ahead.iter().for_each(|one| lifetime.add(one));
        entry.iter().for_each(|one| lifetime.add(&one.operations));
        OfMachine { lifetime, ahead, most, acts }
    }
}
