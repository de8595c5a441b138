//! Where the numbers of processes don't count.
//!
//! Processes get numbers when they are created, and in Promela only the youngest is ever removed. So the order in which processes are
//! created and removed leaves different states, even if no process can tell: creation and removal depend on each other. Where a system
//! says that nobody can tell ([`System::relations_up_to_numbers`]), searches for deadlocks, false assertions and faults
//! take them as independent. Why that is sound:
//!
//! **Alike.** Two states are alike if their processes that have not ended can be paired so that paired ones agree in all but their
//! numbers, and everything shared agrees. The system promises:
//!
//! 1. Of states that are alike, each step of the one that is no removal is a step of the other, by the paired process;
//!    the same goes wrong in both, and they lead to states that are alike. What a step creates is paired.
//! 2. A removal leads to a state that is like the one before it. It is the only step of a process that has ended, and the end is a valid
//!    one.
//! 3. No run creates infinitely many processes.
//! 4. Steps that it takes for independent are so (1993, Definition 5), where states that are alike count as one and removals are left out.
//!
//! So the states up to likeness, without removals, are a transition system of their own, the *quotient*. A state is a deadlock there if and only if
//! removals, of which there are finitely many, lead from it to a deadlock, and whether that is a proper end is the same for all that are alike.
//! Every error of the system is one of the quotient, and the other way round. The sets that are chosen are persistent in the
//! quotient, apart from removals: those are in no sequence that it has.
//!
//! **What a search does is the same as ever, with single states.** States that are alike are stored each for itself. Steps are named by
//! the processes of the state at hand, and so are those of a sequence of the quotient that starts there; a process
//! keeps its number as long as it lives. So no pairing has to be remembered: what is proved goes from one state to the next.
//!
//! *Deadlocks.* Let a sequence of the quotient lead from a visited state to a deadlock. If the chosen set has a step of it, the first such step
//! can go first, and a shorter sequence is left behind it. Otherwise the set consists of removals, for any other of its
//! steps would still be enabled in the deadlock. Behind a removal the same sequence is possible, and there are fewer processes. So the search
//! comes to a deadlock that is like the one in question; the very one may be left out.
//!
//! *Assertions and faults* ([the argument](crate::search)). Steps of a set that has no step of the sequence leave the sequence possible, and
//! so does a removal. A path of explored edges leads to a state that is expanded fully, where the first step of the sequence is
//! explored. The provisos speak of the explored graph of single states, on which that path lies, so they need not know of the quotient: a cycle of
//! the quotient that is none of single states would need a creation, and there are finitely many.
//!
//! *Sleep sets.* A step that sleeps, and all that happened since it was explored, commute in the quotient. It is a step of a process that has not ended, so
//! its name means the same until that process moves, and then it is awake; numbers are used again only behind a removal, and who is removed has no
//! other step. A removal itself never falls asleep: it is part of no sequence, so it can't stand for one, and a creation may disable
//! it. So all steps that sleep are enabled, as ever.
//!
//! **Where it does not hold**, numbers count: whether the removal of a process is ever executed (unreached places) depends on who is older; conditions on states
//! and temporal properties look at states, of which fewer are visited; and a search that chooses nothing promises to visit all states, whatever sleeps.

use crate::config::{Config, Method, Properties};
use mazurka_model::{Relations, System};

/// What reductions ask of a system under a configuration that is resolved.
pub fn relations<'s>(system: &'s dyn System, config: &Config) -> Option<&'s dyn Relations> {
    if forgets(system, config) { system.relations_up_to_numbers() } else { system.relations() }
}

/// Whether states count only up to the numbers of processes, if the system has a notion of that.
pub fn forgets(system: &dyn System, config: &Config) -> bool {
    let Properties { unreached, reception, .. } = config.properties;
    config.reduction.method != Method::None && !unreached && !reception && !system.judges_states()
}
