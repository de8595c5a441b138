//! Conditions on states of a network, for temporal properties.
//!
//! - `machine@STATE`: the machine rests in that state; of a state chart: that state is active;
//! - `machine.INPUT`: the input is in the machine's register;
//! - `machine.TIMER`: the timer runs;
//! - `np_`: no machine rests in a state that is declared as progress.

use super::system::VfsmSystem;
use mazurka_model::atoms::MOST_ATOMS;
use mazurka_model::{Access, Atoms, Operation, OperationKind, ProcessId};

/// A condition on states.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A machine rests in a state.
    At(usize, u32),
    /// A state of a state chart is active: one of those, by number, that are active in this state of the machine.
    Active(usize, u32, u32),
    /// A machine's register has an input: its bit.
    Input(usize, u64),
    /// A timer runs.
    Runs(usize),
    /// No machine rests in a state that is declared as progress.
    NonProgress,
}

impl VfsmSystem {
    /// Reads a condition; what is wrong with it is told in words.
    pub fn condition(&self, text: &str) -> Result<Condition, String> {
        let text: String = text.split_whitespace().collect();
        if text == "np_" {
            return Ok(Condition::NonProgress);
        }
        let Some(sign) = text.find(['@', '.']) else {
            return Err(format!(
                "`{text}` is no condition of a network: write machine@STATE, machine.INPUT, machine.TIMER or np_"
            ));
        };
        let (machine, name) = (&text[..sign], &text[sign + 1..]);
        let Some(number) = self.network.machines.iter().position(|one| one.name == machine) else {
            return Err(format!("there is no machine `{machine}`"));
        };
        let of = &self.network.machines[number];
        if text[sign..].starts_with('@') {
            let found = of.states.iter().position(|state| state.name == name);
            let active = of.states.iter().enumerate().find_map(|(state, one)| {
                let which = one.active.iter().position(|active| active == name)?;
                Some(Condition::Active(number, state as u32, which as u32))
            });
            return match (active, found) {
                (Some(condition), _) => Ok(condition),
                (None, Some(state)) => Ok(Condition::At(number, state as u32)),
                (None, None) => Err(format!("the machine `{machine}` has no state `{name}`")),
            };
        }
        if let Some(input) = of.inputs.iter().position(|input| input == name) {
            return Ok(Condition::Input(number, 1 << input));
        }
        let timer = self.network.timers.iter().position(|timer| timer.owner == number && timer.name == name);
        match timer {
            Some(timer) => Ok(Condition::Runs(timer)),
            None => Err(format!("the machine `{machine}` has no input or timer `{name}`")),
        }
    }

    /// The conditions as atoms; at most [`MOST_ATOMS`] count.
    pub fn atoms<'a>(&'a self, conditions: &'a [Condition]) -> NetworkAtoms<'a> {
        NetworkAtoms { system: self, conditions: &conditions[..conditions.len().min(MOST_ATOMS)] }
    }

    fn holds(&self, state: &[u8], condition: Condition) -> bool {
        match condition {
            Condition::At(machine, control) => self.layout.state(state, machine) == control,
            Condition::Active(machine, example, which) => {
                let states = &self.network.machines[machine].states;
                let name = &states[example as usize].active[which as usize];
                states[self.layout.state(state, machine) as usize].active.contains(name)
            }
            Condition::Input(machine, bit) => self.layout.register(state, machine) & bit != 0,
            Condition::Runs(timer) => self.layout.runs(state, timer),
            Condition::NonProgress => {
                !self.network.machines.iter().enumerate().any(|(number, machine)| {
                    machine.states[self.layout.state(state, number) as usize].progress
                })
            }
        }
    }
}

/// Conditions of a network.
pub struct NetworkAtoms<'a> {
    system: &'a VfsmSystem,
    conditions: &'a [Condition],
}

impl Atoms for NetworkAtoms<'_> {
    fn count(&self) -> usize {
        self.conditions.len()
    }

    fn letter(&self, state: &[u8]) -> u64 {
        let holds =
            |(bit, condition): (usize, &Condition)| u64::from(self.system.holds(state, *condition)) << bit;
        self.conditions.iter().enumerate().map(holds).fold(0, |letter, bit| letter | bit)
    }

    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool {
        let objects = &self.system.objects;
        let mut look = |object| {
            out.push(Access { object, operation: Operation::new(ProcessId(u16::MAX), OperationKind::ANY) });
        };
        match self.conditions[atom] {
            Condition::At(machine, _) | Condition::Active(machine, ..) | Condition::Input(machine, _) => {
                look(objects.machine(machine))
            }
            Condition::Runs(timer) => look(objects.timer(timer)),
            Condition::NonProgress => {
                for (number, machine) in self.system.network.machines.iter().enumerate() {
                    if machine.states.iter().any(|state| state.progress) {
                        look(objects.machine(number));
                    }
                }
            }
        }
        true
    }
}
