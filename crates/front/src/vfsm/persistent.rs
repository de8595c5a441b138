//! The persistent sets of Godefroid, Peled and Staskauskas (1996), Figure 5.
//!
//! From each processor or timer that can move (a *unit* here), the set of units is closed under:
//!
//! - 2.a: whoever may still send to a queue in *Sensitive* of a member: those queues to which a message would change which
//!   machine of it is enabled, and those to which its enabled transition sends;
//! - 2.b: whoever *may be affected by* the enabled transition of a member: processors in which a message to one
//!   of its processes may take precedence over another machine, and running timers that are stopped or started;
//! - 2.c: of a running timer, whoever may stop it, or start it anew;
//! - 2.d: of a stopped timer, whoever may start it.
//!
//! All enabled transitions of the members are persistent; the smallest set is kept. A stopped timer that
//! may still be started counts as a sender, and the alternatives of a machine are transitions of one unit, so
//! that all of them are in the set.
//!
//! The paper assumes that no queue overflows, and keeps deadlocks alone. Here a send to a full queue is a transition
//! that goes wrong, and two conditions are added:
//!
//! - a transition whose messages do not fit now affects whoever may receive them. (If they fit now they always will:
//!   who else may send there is a member.) What it sends now is looked up, whatever the kind of information;
//! - where errors are to be kept ([`Keep::Errors`]), a transition that receives from a queue is sensitive to that queue
//!   too, unless all that may still be sent there before fits: otherwise the overflow shows only if the receive is
//!   put off. For deadlocks that is not needed: on a way to a deadlock no queue overflows, and a receive taken earlier
//!   only makes room.

use super::information::{Information, UNBOUNDED};
use super::network::{MOST_UNITS, Mask};
use super::run::Operations;
use super::system::{Activation, Source, VfsmSystem};
use mazurka_model::{ClosedSets, Keep, Step};

/// Networks with no more units than this are judged with less memory to be cleared for each state.
const FEW_UNITS: usize = 16;

/// One state, unit by unit, of which there are at most `N`.
struct Situation<'s, const N: usize> {
    system: &'s VfsmSystem,
    state: &'s [u8],
    keep: Keep,
    units: usize,
    /// Who may still send to the queue of a process.
    senders: [Mask; N],
    activations: [Option<Activation>; N],
    running: Mask,
}

impl<'s, const N: usize> Situation<'s, N> {
    fn new(
        system: &'s VfsmSystem,
        state: &'s [u8],
        keep: Keep,
        information: Information,
    ) -> Situation<'s, N> {
        let network = &system.network;
        let mut situation = Situation {
            system,
            state,
            keep,
            units: network.units(),
            senders: [0; N],
            activations: [None; N],
            running: 0,
        };
        for (number, machine) in network.machines.iter().enumerate() {
            let processor = network.processes[machine.process].processor;
            for process in bits(situation.ahead_of(number, information).sends) {
                situation.senders[process] |= 1 << processor;
            }
        }
        for processor in 0..network.processors.len() {
            situation.activations[processor] = system.activation(state, processor);
        }
        for (number, timer) in network.timers.iter().enumerate() {
            let runs = system.layout.runs(state, number);
            situation.running |= Mask::from(runs) << number;
            if runs || situation.ahead_of(timer.owner, information).starts >> number & 1 == 1 {
                let queue = network.machines[timer.owner].process;
                situation.senders[queue] |= 1 << (network.processors.len() + number);
            }
        }
        situation
    }

    fn ahead_of(&self, machine: usize, information: Information) -> Operations {
        let knowledge = &self.system.knowledge;
        match information {
            Information::PerVfsm => *knowledge.lifetime(machine),
            _ => *knowledge.ahead(machine, self.system.layout.state(self.state, machine)),
        }
    }

    /// What the enabled transition of a processor may do, and the queues to which it may send more than fits there now.
    fn next(&self, activation: Activation, information: Information) -> (Operations, Mask) {
        let system = self.system;
        let (mut all, mut full) = (Operations::default(), 0);
        system.messages(self.state, activation, |message| {
            let reaction = system.reaction(self.state, message);
            all.add(&reaction.operations);
            for (process, most) in &reaction.most {
                let queue = system.layout.low(*process);
                if *most > queue.capacity() - system.layout.len(self.state, queue) {
                    full |= 1 << process;
                }
            }
        });
        if matches!(information, Information::PerVfsm | Information::PerState) {
            all = match activation.source {
                Source::High(message) | Source::Low(message) => {
                    self.ahead_of(system.network.messages[message as usize].machine as usize, information)
                }
                Source::Free(machine) => self.ahead_of(machine, information),
                Source::Any => {
                    let processor = system.network.processes[activation.process].processor;
                    system.free_machines(processor).fold(Operations::default(), |mut all, machine| {
                        all.add(&self.ahead_of(machine, information));
                        all
                    })
                }
            };
        }
        (all, full)
    }

    /// Whoever may send to one of these queues.
    fn senders(&self, queues: Mask) -> Mask {
        bits(queues).fold(0, |all, process| all | self.senders[process])
    }

    /// The units that must come along with one, if it is in the set.
    fn company(&self, unit: usize, information: Information) -> Mask {
        match unit.checked_sub(self.system.network.processors.len()) {
            None => self.company_of_processor(unit, information),
            Some(timer) => self.company_of_timer(timer, information),
        }
    }

    fn company_of_processor(&self, processor: usize, information: Information) -> Mask {
        let network = &self.system.network;
        let processes = network.processors[processor].processes.clone();
        let Some(activation) = self.activations[processor] else {
            // Every message changes what is enabled.
            return self.senders(processes.fold(0, |all, process| all | 1 << process));
        };
        let (next, full) = self.next(activation, information);
        let mut sensitive = next.sends;
        for process in processes.start..activation.process {
            sensitive |= 1 << process;
        }
        match activation.source {
            Source::Free(_) | Source::Any => sensitive |= 1 << activation.process,
            Source::Low(_) if self.keep == Keep::Errors && self.may_fill(activation.process, processor) => {
                sensitive |= 1 << activation.process;
            }
            Source::Low(_) | Source::High(_) => {}
        }
        let mut company = self.senders(sensitive);
        for process in bits(next.sends) {
            if full >> process & 1 == 1 || self.takes_precedence(process, information) {
                company |= 1 << network.processes[process].processor;
            }
        }
        let timers = (next.starts | next.stops) & self.running;
        company | timers << network.processors.len()
    }

    fn company_of_timer(&self, timer: usize, information: Information) -> Mask {
        let network = &self.system.network;
        let owner = network.timers[timer].owner;
        let process = network.machines[owner].process;
        let processor = 1 << network.processes[process].processor;
        let operations = self.ahead_of(owner, information);
        if self.running >> timer & 1 == 0 {
            return if operations.starts >> timer & 1 == 1 { processor } else { 0 };
        }
        let mut company = self.senders(1 << process);
        let is_full = || {
            let queue = self.system.layout.low(process);
            self.system.layout.len(self.state, queue) == queue.capacity()
        };
        if (operations.starts | operations.stops) >> timer & 1 == 1
            || self.takes_precedence(process, information)
            || is_full()
        {
            company |= processor;
        }
        company
    }

    /// Whether a message to a process may disable a machine of its processor: it is not the one of lowest priority,
    /// or that one has a free machine, which may still act as far as is known.
    fn takes_precedence(&self, process: usize, information: Information) -> bool {
        let network = &self.system.network;
        let processor = network.processes[process].processor;
        let last = network.processors[processor].processes.end - 1;
        let may_act = |machine: usize| {
            let control = self.system.layout.state(self.state, machine);
            information == Information::PerVfsm || self.system.knowledge.acts(machine, control)
        };
        process != last
            || network.processes[last].free.is_some_and(may_act)
            || network.processors[processor].shared && self.system.free_machines(processor).any(may_act)
    }

    /// Whether messages of other units may fill the queue of a process beyond what it holds, before one is received.
    fn may_fill(&self, process: usize, processor: usize) -> bool {
        let system = self.system;
        let network = &system.network;
        let queue = system.layout.low(process);
        let mut room = queue.capacity() - system.layout.len(self.state, queue);
        for unit in bits(self.senders(1 << process)) {
            if unit == processor {
                continue;
            }
            let mut sends = 0usize;
            match unit.checked_sub(network.processors.len()) {
                Some(timer) => {
                    // While the owner stands still a timer expires once at most; the owner is on the processor that
                    // receives, or may start it again and again.
                    let owner = network.timers[timer].owner;
                    let runs = self.running >> timer & 1 == 1;
                    let again = network.processor_of(owner) != processor
                        && self.ahead_of(owner, Information::PerState).starts >> timer & 1 == 1;
                    if again {
                        return true;
                    }
                    sends += usize::from(runs);
                }
                None => {
                    for one in network.processors[unit].processes.clone() {
                        for machine in network.processes[one].machines.clone() {
                            let control = system.layout.state(self.state, machine);
                            let most = system.knowledge.most(machine, control, process);
                            if most == UNBOUNDED {
                                return true;
                            }
                            sends += usize::from(most);
                        }
                    }
                }
            }
            if sends > room {
                return true;
            }
            room -= sends;
        }
        false
    }

    /// Closes sets from every unit that can move; adds those that leave something out, smallest first.
    fn close(&self, enabled: &[Step], information: Information, out: &mut Vec<u128>) {
        let mut company: [Option<Mask>; N] = [None; N];
        let mut steps = [0usize; N];
        enabled.iter().for_each(|step| steps[step.process.index()] += 1);
        let mut sizes = [0usize; N];
        for start in 0..self.units {
            if steps[start] == 0 {
                continue;
            }
            let mut closed: Mask = 1 << start;
            let mut open = closed;
            while open != 0 {
                let unit = open.trailing_zeros() as usize;
                open &= open - 1;
                let with = *company[unit].get_or_insert_with(|| self.company(unit, information));
                open |= with & !closed;
                closed |= with;
            }
            let size: usize = bits(closed).map(|unit| steps[unit]).sum();
            if size < enabled.len() && !out.contains(&closed) {
                // Behind those that are as small.
                let place = sizes[..out.len()].partition_point(|known| *known <= size);
                sizes.copy_within(place..out.len(), place + 1);
                sizes[place] = size;
                out.insert(place, closed);
            }
        }
    }
}

fn bits(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

impl ClosedSets for VfsmSystem {
    fn closed_sets(&self, state: &[u8], enabled: &[Step], keep: Keep, out: &mut Vec<u128>) {
        out.clear();
        let movers = |step: &Step| 1u128 << step.process.index();
        if enabled.iter().fold(0, |all, step| all | movers(step)).count_ones() < 2 {
            return;
        }
        // What the next transition does is looked up, which costs no more than asking what lies ahead, and no other information gives
        // smaller sets.
        let information = match self.information {
            Information::Auto => Information::RunTime,
            other => other,
        };
        let most = self.network.units().max(self.network.processes.len());
        if most <= FEW_UNITS {
            Situation::<FEW_UNITS>::new(self, state, keep, information).close(enabled, information, out);
        } else {
            Situation::<MOST_UNITS>::new(self, state, keep, information).close(enabled, information, out);
        }
    }

    fn may_pause(&self) -> bool {
        self.information == Information::Auto
    }
}
