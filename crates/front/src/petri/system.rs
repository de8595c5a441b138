//! A net as a transition system: each transition is a process with a single move.
//!
//! A state is the marking, place by place. A place with a capacity has a complement beside it, a place
//! that holds what still fits, so that nothing but tokens decides what can fire. A transition whose
//! result can't be represented is reported as an overflow and has no successor.

use super::formula::{Formula, Goal, Levels};
use super::marking::Width;
use super::net::Net;
use super::relations::Operations;
use mazurka_model::{Batch, Chosen, Describe, Relations, Step, System, ViolationKind};

/// What shall hold in every marking.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// As it is shown.
    pub text: String,
    /// What must not be reached.
    pub violation: Goal,
}

/// A net that can be explored.
#[derive(Debug)]
pub struct NetSystem {
    pub(super) net: Net,
    pub(super) width: Width,
    /// The places, complements included.
    pub(super) initial: Vec<u32>,
    /// What each transition needs and changes, complements included.
    pub(super) moves: Vec<Move>,
    pub(super) operations: Operations,
    /// The sums that the invariant and temporal properties compare.
    pub(super) levels: Levels,
    pub(super) invariant: Option<Invariant>,
    /// The temporal properties, as they are shown.
    pub(super) properties: Vec<String>,
    pub(super) name: String,
}

/// What a transition needs and changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Move {
    pub needs: Box<[(u32, u32)]>,
    pub changes: Box<[(u32, i64)]>,
}

impl NetSystem {
    /// The system of a net, with words that are wide enough for its initial marking.
    pub fn new(net: Net) -> NetSystem {
        let mut initial: Vec<u32> = net.places.iter().map(|place| place.initial).collect();
        let mut complement = vec![None; net.places.len()];
        for (index, place) in net.places.iter().enumerate() {
            if let Some(most) = place.capacity {
                complement[index] = Some(initial.len() as u32);
                initial.push(most.saturating_sub(place.initial));
            }
        }
        let moves: Vec<Move> = net
            .transitions
            .iter()
            .map(|transition| {
                let mut needs = transition.inputs.clone();
                let mut changes = transition.effects();
                for (place, change) in transition.effects() {
                    if let Some(complement) = complement[place as usize] {
                        changes.push((complement, -change));
                        // A change is a difference of weights, so it fits.
                        needs.extend(u32::try_from(change).ok().map(|room| (complement, room)));
                    }
                }
                Move { needs: needs.into(), changes: changes.into() }
            })
            .collect();
        let levels = Levels::default();
        let operations = Operations::new(&moves, &initial, &levels);
        let width = Width::of(initial.iter().copied().max().unwrap_or(0));
        let name = net.name.clone();
        let (invariant, properties) = (None, Vec::new());
        NetSystem { net, width, initial, moves, operations, levels, invariant, properties, name }
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// How many bytes a place takes.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The same system with words of another width, no narrower than the initial marking needs.
    pub fn with_width(mut self, width: Width) -> NetSystem {
        self.width = width.max(Width::of(self.initial.iter().copied().max().unwrap_or(0)));
        self
    }

    /// The same system, in which every marking shall meet a formula, which is shown as `text`.
    pub fn with_invariant(mut self, formula: &Formula, text: impl Into<String>) -> NetSystem {
        self.levels = Levels::default();
        let violation = self.levels.goal(&self.net, formula, true);
        self.operations = Operations::new(&self.moves, &self.initial, &self.levels);
        self.invariant = Some(Invariant { text: text.into(), violation });
        self
    }

    /// The same system, whose temporal properties are shown so.
    pub fn with_properties(mut self, texts: Vec<String>) -> NetSystem {
        self.properties = texts;
        self
    }

    /// The tokens of a place in a state.
    pub fn tokens(&self, state: &[u8], place: u32) -> u32 {
        self.width.get(state, place)
    }

    pub(super) fn step_of(&self, transition: usize) -> Step {
        // Beyond what processes can be told apart there are no relations, and one process does all.
        let process = if self.reducible() { transition as u16 } else { 0 };
        Step::new(process, transition as u32)
    }

    fn reducible(&self) -> bool {
        self.moves.len() <= usize::from(u16::MAX)
    }

    #[inline]
    pub(super) fn can_fire(&self, state: &[u8], transition: usize) -> bool {
        self.moves[transition].needs.iter().all(|&(place, weight)| self.width.get(state, place) >= weight)
    }

    /// Adds what a transition, which can fire, leads to.
    #[inline]
    fn fire(&self, state: &[u8], transition: usize, out: &mut Batch) {
        let step = self.step_of(transition);
        out.cover(transition as u32);
        out.begin(step, state);
        let mut overflow = None;
        {
            let mut draft = out.draft();
            for &(place, change) in &self.moves[transition].changes {
                let tokens = i64::from(self.width.get(state, place)) + change;
                match u32::try_from(tokens) {
                    Ok(tokens) if tokens <= self.width.most() => self.width.set(&mut draft, place, tokens),
                    _ => overflow = Some(place),
                }
            }
        }
        match overflow {
            None => out.keep(false),
            Some(place) => {
                out.discard();
                out.violate(step, ViolationKind::Overflow, place);
            }
        }
    }

    /// The value of a level in a state.
    pub(super) fn level(&self, number: usize, state: &[u8]) -> i64 {
        // Coefficients and tokens have 32 bits, and there are few places, so nothing overflows; if it
        // did, comparing with what is as large as possible is right for every bound that can be given.
        self.levels.terms[number].iter().fold(0i64, |sum, &(place, times)| {
            sum.saturating_add(times.saturating_mul(self.width.get(state, place).into()))
        })
    }

    pub(super) fn is_violated(&self, state: &[u8]) -> bool {
        let violation = self.invariant.as_ref().map(|invariant| &invariant.violation);
        violation.is_some_and(|violation| violation.holds(&|number| self.level(number, state)))
    }
}

impl System for NetSystem {
    fn initial(&self, out: &mut Batch) {
        let mut state = vec![0; self.initial.len() * self.width.bytes()];
        for (place, tokens) in self.initial.iter().enumerate() {
            self.width.set(&mut state, place as u32, *tokens);
        }
        out.push(Step::default(), &state);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        match chosen {
            Chosen::All => {
                for transition in 0..self.moves.len() {
                    if self.can_fire(state, transition) {
                        self.fire(state, transition, out);
                    }
                }
            }
            Chosen::Process(process) => {
                for transition in 0..self.moves.len() {
                    if self.step_of(transition).process == process && self.can_fire(state, transition) {
                        self.fire(state, transition, out);
                    }
                }
            }
            Chosen::Steps(steps) => {
                for step in steps {
                    let transition = step.code as usize;
                    if transition < self.moves.len() && self.can_fire(state, transition) {
                        self.fire(state, transition, out);
                    }
                }
            }
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let enabled = (0..self.moves.len()).filter(|&transition| self.can_fire(state, transition));
        out.extend(enabled.map(|transition| self.step_of(transition)));
    }

    fn valid_end(&self, _state: &[u8]) -> bool {
        false
    }

    fn judge(&self, state: &[u8], out: &mut Batch) {
        if self.is_violated(state) {
            out.violate(Step::default(), ViolationKind::Assertion, 0);
        }
    }

    fn judges_states(&self) -> bool {
        self.invariant.is_some()
    }

    fn represents_all(&self) -> bool {
        false
    }

    fn regions_end(&self) -> bool {
        true
    }

    fn state_size(&self) -> Option<usize> {
        Some(self.initial.len() * self.width.bytes())
    }

    fn relations(&self) -> Option<&dyn Relations> {
        self.reducible().then_some(self)
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}
