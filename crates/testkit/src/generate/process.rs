//! Random process types: locations in a row, with transitions forwards and some backwards.

use super::Generator;
use mazurka_program::ir::{Channel, Effect, Location, LocationId, Transition, Type, Variable};

impl Generator {
    /// Parameters, locals and own channels of type `at`.
    pub(super) fn signature(&mut self, at: usize) {
        let mut locals = Vec::new();
        if self.chance(40) {
            locals.push(Variable { name: "k".into(), ty: Type::Unsigned(2), ..Variable::default() });
        }
        if self.shape.channel_values && self.chance(50) {
            locals.push(Variable { name: "c".into(), ty: Type::Channel, ..Variable::default() });
        }
        let parameters = locals.len();
        let many = self.pick(&[3, 5, 2]);
        for index in 0..many {
            let ty = self.small_type();
            locals.push(self.variable(format!("x{index}"), ty));
        }
        if self.shape.channel_values && self.chance(60) {
            let initial = vec![self.data_channel_number()];
            locals.push(Variable { name: "d".into(), ty: Type::Channel, initial, ..Variable::default() });
        }
        let mut channels = Vec::new();
        if self.shape.channel_values && self.chance(30) {
            let fields = (0..self.width).map(|_| Type::Bit).collect();
            let capacity = self.random.u16(0..=1);
            channels.push(Channel { name: "own".into(), capacity, fields, ..Channel::default() });
        }
        let process = &mut self.program.types[at];
        process.name = format!("P{at}");
        process.locals = locals;
        process.parameters = parameters;
        process.channels = channels;
    }

    /// Locations and transitions of type `at`.
    pub(super) fn process_type(&mut self, at: usize) {
        let creation = if self.shape.creation && self.chance(70) { self.creation(at) } else { None };
        let count = if self.shape.slim { self.random.usize(3..=4) } else { self.random.usize(3..=6) };
        // Creation happens at a location to which no transition leads back.
        let from = usize::from(creation.is_some());
        let total = from + count;
        let mut atomic_locations = Vec::new();
        for index in 0..total {
            let last = index + 1 == total;
            let atomic = self.shape.atomic && index > 0 && !last && self.chance(35);
            let end = if last { self.chance(75) } else { self.chance(8) };
            let name = format!("l{index}");
            atomic_locations.push(atomic);
            let location = Location { name, end, ..Location::default() };
            self.program.types[at].locations.push(location);
        }
        if let Some(run) = creation {
            let mut effects = vec![run];
            if self.chance(40) {
                let mut more = self.effects(at);
                more.retain(|e| !matches!(e, Effect::Send { .. } | Effect::Receive { .. }));
                effects.append(&mut more);
            }
            let from = LocationId(0);
            let transition = Transition { from, to: LocationId(1), effects, ..Transition::default() };
            self.program.types[at].transitions.push(transition);
        }
        for index in from..total {
            self.alternatives(at, index, from, &atomic_locations);
        }
        // A process that arrives at an atomic location goes on alone.
        for transition in &mut self.program.types[at].transitions {
            transition.atomic = atomic_locations[transition.to.index()];
        }
    }

    /// The transitions that leave a location.
    fn alternatives(&mut self, at: usize, index: usize, from: usize, atomic: &[bool]) {
        let total = atomic.len();
        let last = index + 1 == total;
        if last {
            if self.shape.creation && self.chance(50) {
                self.transition(at, index, index, vec![Effect::Exit]);
                return;
            }
            if self.chance(45) {
                return;
            }
        }
        let count = if self.shape.slim { 1 + self.pick(&[50, 42, 8]) } else { 1 + self.pick(&[35, 50, 15]) };
        for alternative in 0..count {
            let backwards = last || self.chance(if alternative == 0 { 12 } else { 40 });
            let to = if backwards {
                // Backwards, or on the spot, only to locations that are not atomic.
                let plain: Vec<usize> = (from..=index).filter(|l| !atomic[*l]).collect();
                match plain.as_slice() {
                    [] => index + 1,
                    plain => *self.one_of(plain),
                }
            } else {
                self.random.usize(index + 1..total.min(index + 3))
            };
            let effects = self.effects(at);
            self.transition(at, index, to.min(total - 1), effects);
        }
        if self.shape.otherwise && self.chance(40) {
            let to = if last { from } else { index + 1 };
            let mut effects = if self.chance(60) { self.effects(at) } else { Vec::new() };
            // An `otherwise` can't receive on a rendezvous.
            if let Some(Effect::Receive { channel, .. }) = effects.first()
                && self.is_rendezvous(at, channel)
            {
                effects.clear();
            }
            self.transition(at, index, to, effects);
            if let Some(transition) = self.program.types[at].transitions.last_mut() {
                transition.guard.clear();
                transition.otherwise = true;
            }
        }
    }

    fn transition(&mut self, at: usize, from: usize, to: usize, effects: Vec<Effect>) {
        let guards = self.pick(&[75, 21, 4]);
        let guard = (0..guards).map(|_| self.condition(at, 1)).collect();
        self.program.types[at].transitions.push(Transition {
            from: LocationId(from as u32),
            to: LocationId(to as u32),
            guard,
            effects,
            ..Transition::default()
        });
    }
}
