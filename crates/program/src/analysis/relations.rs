//! The answers to what the reductions ask, in a state.

use super::emit::Moment;
use super::objects::ObjectRole;
use super::rest;
use super::summary::Touched;
use super::uses::{Use, UseChannel};
use crate::interpreter::Interpreter;
use crate::interpreter::code::NodeId;
use crate::interpreter::evaluate::View;
use crate::interpreter::layout;
use crate::interpreter::machine::{ChannelAt, ProcessAt};
use crate::interpreter::moves::decode;
use mazurka_model::object::{ObjectType, fifo};
use mazurka_model::{
    Access, Footprint, Frame, Future, Lasting, ObjectId, Obstacles, Operand, ProcessId, Relations,
    Standpoint, Step,
};

/// The value of a channel: its messages. One of several fields is given as the position of the first
/// message that equals it, so that messages are equal exactly if their numbers are.
fn messages(state: &[u8], channel: ChannelAt<'_>, out: &mut Vec<i64>) {
    let fields = channel.shape.fields.as_slice();
    let read = |message: usize, field: &layout::Slot| {
        layout::read(state, channel.message(message) + field.offset as usize, field.ty)
    };
    for index in 0..channel.length(state) {
        out.push(match fields {
            [single] => read(index, single).into(),
            several => {
                let equal = |other: &usize| several.iter().all(|f| read(*other, f) == read(index, f));
                (0..index).find(equal).unwrap_or(index) as i64
            }
        });
    }
}

impl Interpreter {
    fn add_bits(&self, view: View<'_>, touched: &Touched, out: &mut Vec<u64>) {
        out.clear();
        out.extend_from_slice(&touched.bits);
        let objects = &self.analysis.objects;
        let mut insert = |object: ObjectId| out[object.index() / 64] |= 1 << (object.index() % 64);
        for index in bits(touched.own) {
            insert(objects.owned(view.at.pid, view.at.kind, index));
        }
        for index in bits(touched.computed) {
            let (node, among) = self.analysis.types[view.at.kind].channels[index];
            match self.channel_object(view, node) {
                Some(object) => insert(object),
                None => objects.points_to.objects(among).iter().for_each(|object| insert(*object)),
            }
        }
    }

    /// The number of the transition that an alternative of a process is.
    fn number_of(&self, state: &[u8], process: ProcessId, alternative: usize) -> Option<usize> {
        let at = self.machine.process(state, process.index())?;
        let index = self.machine.location(state, at).transitions.indices().nth(alternative)?;
        Some(self.machine.code.transitions[index].number as usize)
    }

    /// Appends the values of operands, and which channels others are.
    pub(super) fn add_values(
        &self,
        view: View<'_>,
        operands: &[NodeId],
        channels: &[NodeId],
        out: &mut Vec<u8>,
    ) {
        for &node in operands {
            // What can't be computed is unlike any 32-bit number.
            let value = self.machine.value(view, node).map_or(i64::MAX, i64::from);
            out.extend_from_slice(&value.to_le_bytes());
        }
        for &node in channels {
            let object = self.channel_object(view, node);
            out.extend_from_slice(&object.map_or(u32::MAX, |o| o.0).to_le_bytes());
        }
    }

    fn located(&self, state: &[u8], process: ProcessId) -> Option<(ProcessAt, usize)> {
        let at = self.machine.process(state, process.index())?;
        Some((at, self.machine.location_index(state, at)))
    }
}

/// The positions of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}

impl Relations for Interpreter {
    fn comes_to_rest(&self, state: &[u8], process: ProcessId, deserted: &dyn Fn(ObjectId) -> bool) -> bool {
        // Who may create others has more than its own steps.
        self.analysis.objects.is_static
            && self.located(state, process).is_none_or(|(at, location)| {
                let channel = |index: usize| deserted(self.analysis.objects.channel(index));
                rest::comes_to_rest(self.program(), at.kind, location, &channel)
            })
    }

    fn processes(&self, state: &[u8]) -> usize {
        self.machine.count(state)
    }

    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.analysis.objects.objects
    }

    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        out.clear();
        let layout = &self.machine.layout;
        match self.analysis.objects.roles[object.index()] {
            ObjectRole::Global(index) => {
                let slot = layout.globals[index];
                for element in 0..self.program().globals[index].values() {
                    let at = slot.offset as usize + element * slot.ty.size();
                    out.push(layout::read(state, at, slot.ty).into());
                }
            }
            ObjectRole::Declared(index) => layout::load_object(layout.objects[index], state, out),
            ObjectRole::Channel(index) => {
                let place = layout.channels[index];
                let shape = &layout.shapes[place.shape as usize];
                messages(state, ChannelAt { number: 0, offset: place.offset as usize, shape }, out);
            }
            ObjectRole::ProcessTable => out.push(self.machine.count(state) as i64),
            ObjectRole::Owned { slot, kind, index } => {
                if let Some(at) = self.machine.process(state, slot).filter(|at| at.kind == kind) {
                    let place = layout.frames[kind].channels[index];
                    let shape = &layout.shapes[place.shape as usize];
                    let offset = at.frame + place.offset as usize;
                    messages(state, ChannelAt { number: 0, offset, shape }, out);
                }
            }
            // Of these nothing looks at the value.
            ObjectRole::Watched | ObjectRole::Asked => {}
            // Which priorities there are is not followed: what is written is never known.
            ObjectRole::Priorities => out.push(0),
        }
    }

    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        out.clear();
        out.processes.push(step.process);
        let (alternative, partner) = decode(step.code);
        let mut add = |pid: usize, alternative: usize| {
            let Some(at) = self.machine.process(state, pid) else {
                out.everything = true;
                return;
            };
            match self.machine.location(state, at).transitions.indices().nth(alternative) {
                Some(index) => self.add_transition(View { state, at }, index, Moment::Step, out),
                None => out.everything = true,
            }
        };
        add(step.process.index(), alternative);
        if let Some((pid, accepting)) = partner {
            add(pid, accepting);
            out.processes.push(ProcessId(pid as u16));
        }
    }

    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        let Some(at) = self.machine.process(state, process.index()) else { return };
        for index in self.machine.location(state, at).transitions.indices() {
            if !self.uses_of(index).last_resort {
                self.add_transition(View { state, at }, index, Moment::Next, out);
            }
        }
    }

    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool {
        self.located(state, process)
            .is_some_and(|(at, location)| self.analysis.types[at.kind].local[location])
    }

    fn may_be_alone(&self, state: &[u8], process: ProcessId) -> bool {
        self.located(state, process)
            .is_some_and(|(at, location)| self.analysis.types[at.kind].queued[location])
    }

    fn next_candidate(&self, state: &[u8], from: usize) -> Option<(ProcessId, bool)> {
        self.machine.processes(state).skip(from).find_map(|at| {
            let of_type = &self.analysis.types[at.kind];
            let location = self.machine.location_index(state, at);
            let is_local = of_type.local[location];
            (is_local || of_type.queued[location]).then_some((ProcessId(at.pid as u16), is_local))
        })
    }

    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>) {
        let Some((at, location)) = self.located(state, process) else {
            out.clear();
            return out.resize(self.analysis.objects.words(), 0);
        };
        let summary = &self.analysis.types[at.kind];
        let touched = if located { &summary.support[location] } else { &summary.whole };
        self.add_bits(View { state, at }, touched, out);
        // Who looks at everything may be reached by a change of any object.
        if touched.everything {
            fill(self.analysis.objects.objects.len(), out);
        }
    }

    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        let Some((at, location)) = self.located(state, process) else {
            out.clear();
            out.resize(self.analysis.objects.words(), 0);
            return true;
        };
        let touched = &self.analysis.types[at.kind].next[location];
        self.add_bits(View { state, at }, touched, out);
        !touched.everything
    }

    fn tells_moves_apart(&self) -> bool {
        true
    }

    fn alternatives(&self, step: Step, _footprint: &Footprint, out: &mut Vec<(ProcessId, usize)>) {
        self.takes(step, out);
    }

    fn takes(&self, step: Step, out: &mut Vec<(ProcessId, usize)>) -> bool {
        out.clear();
        let (alternative, partner) = decode(step.code);
        out.push((step.process, alternative));
        out.extend(partner.map(|(pid, accepting)| (ProcessId(pid as u16), accepting)));
        true
    }

    fn frames(&self, state: &[u8], out: &mut Vec<Frame>) -> bool {
        out.clear();
        out.extend(self.machine.processes(state).map(|at| Frame {
            from: at.frame as u32,
            size: self.machine.layout.frames[at.kind].size,
            kind: at.kind as u32,
        }));
        true
    }

    fn frames_stay(&self) -> bool {
        self.machine.layout.fixed.is_some()
    }

    fn lasts(&self, state: &[u8], step: Step) -> bool {
        let (alternative, partner) = decode(step.code);
        partner.is_none()
            && self
                .number_of(state, step.process, alternative)
                .is_some_and(|number| self.analysis.lasting[number])
    }

    fn obstacles_last(&self, state: &[u8], process: ProcessId, alternative: usize) -> Lasting {
        let Some(at) = self.machine.process(state, process.index()) else { return Lasting::Never };
        let mut indices = self.machine.location(state, at).transitions.indices();
        let Some(index) = indices.nth(alternative) else { return Lasting::Never };
        let number = self.machine.code.transitions[index].number as usize;
        let uses = &self.analysis.transitions[number];
        if !self.analysis.lasting_obstacles[number] {
            return Lasting::Never;
        }
        if uses.entangled || uses.conditions.is_empty() {
            return Lasting::Always;
        }
        // Which of its conditions are false is for others to change.
        let view = View { state, at };
        let is_false = |(node, _): &(NodeId, _)| u64::from(self.machine.value(view, *node) == Ok(0));
        Lasting::With(uses.conditions.iter().fold(0, |all, condition| all << 1 | is_false(condition)))
    }

    fn standing(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) -> bool {
        out.clear();
        let Some((at, location)) = self.located(state, process) else { return true };
        let futures = &self.analysis.futures[at.kind];
        out.extend_from_slice(&(at.kind as u16).to_le_bytes());
        out.extend_from_slice(&(location as u32).to_le_bytes());
        self.add_values(View { state, at }, &futures.operands, &futures.channels, out);
        true
    }

    fn standpoints(&self, state: &[u8], process: ProcessId, out: &mut Vec<Standpoint>) -> bool {
        out.clear();
        self.located(state, process)
            .is_none_or(|(at, location)| self.standpoints_from(state, at, location, out))
    }

    fn standpoints_depend_on(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) {
        if let Some(at) = self.machine.process(state, process.index()) {
            Interpreter::standpoints_depend_on(self, state, at, out);
        }
    }

    fn futures(&self, state: &[u8], process: ProcessId, out: &mut Vec<Future>) {
        out.clear();
        let Some((at, location)) = self.located(state, process) else { return };
        let view = View { state, at };
        let mut footprint = Footprint::default();
        for future in &self.analysis.futures[at.kind].locations[location] {
            footprint.clear();
            future.uses.iter().for_each(|used| self.emit(view, used, Moment::Future, &mut footprint));
            let accesses = std::mem::take(&mut footprint.accesses);
            out.push(Future { accesses, everything: future.everything });
        }
    }

    fn obstacles(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Obstacles) {
        out.clear();
        let Some(at) = self.machine.process(state, process.index()) else { return };
        let Some(index) = self.machine.location(state, at).transitions.indices().nth(alternative) else {
            return;
        };
        let uses = self.uses_of(index);
        // A process that has ended takes part in nothing, so nothing has to be done to let it go.
        if uses.last_resort || self.is_end(index) {
            return;
        }
        let view = View { state, at };
        let kept_back = self.kept_back(view, out);
        if !uses.entangled {
            let mut found = kept_back;
            for (node, looks) in &uses.conditions {
                if self.machine.value(view, *node) == Ok(0) {
                    found = true;
                    out.gather(uses.everything, |footprint| {
                        looks.iter().for_each(|used| self.emit(view, used, Moment::Step, footprint));
                    });
                }
            }
            if found {
                return;
            }
            if !uses.handshake && !uses.definedness.is_empty() {
                return out.gather(uses.everything, |footprint| {
                    uses.definedness.iter().for_each(|used| self.emit(view, used, Moment::Step, footprint));
                    for access in &mut footprint.accesses {
                        // It waits for another first message than there is, so for one without a number yet.
                        let wanted = &mut access.operation.operands[0];
                        let unknown = access.operation.kind == fifo::HEAD_IS && *wanted == Operand::Any;
                        if unknown && self.holds_several_fields(access.object) {
                            *wanted = Operand::Is(-1);
                        }
                    }
                });
            }
        }
        if kept_back {
            return;
        }
        out.gather(uses.everything || !uses.entangled && !uses.handshake, |footprint| {
            uses.uses.iter().for_each(|used| self.emit(view, used, Moment::Next, footprint));
        });
    }

    fn demands(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Vec<Access>) {
        out.clear();
        let Some(at) = self.machine.process(state, process.index()) else { return };
        let mut indices = self.machine.location(state, at).transitions.indices();
        let Some(index) = indices.nth(alternative) else { return };
        let view = View { state, at };
        let mut footprint = Footprint::default();
        for used in &self.uses_of(index).demands {
            // Which channel it will be must be known, not only which it may be.
            let known = match used {
                Use::Channel { channel: UseChannel::Computed { node, level, .. }, .. } => {
                    *level <= Moment::Next.lasting() && self.channel_object(view, *node).is_some()
                }
                Use::Channel { channel: UseChannel::New { .. }, .. } => false,
                _ => true,
            };
            if known {
                footprint.clear();
                self.emit(view, used, Moment::Next, &mut footprint);
                if let [access] = footprint.accesses[..] {
                    out.push(access);
                }
            }
        }
    }

    fn is_last_resort(&self, state: &[u8], step: Step) -> bool {
        self.some_last_resort(state, &[step])
    }

    fn some_last_resort(&self, state: &[u8], steps: &[Step]) -> bool {
        if !self.analysis.last_resorts {
            return false;
        }
        self.machine.processes(state).any(|at| {
            let location = self.machine.location_index(state, at);
            self.analysis.types[at.kind].waits[location] && {
                let transitions = &self.machine.code.locations[at.kind][location].transitions;
                // Of a handshake, either of the two may wait.
                steps.iter().any(|step| {
                    let (alternative, partner) = decode(step.code);
                    let own = (step.process.index() == at.pid).then_some(alternative);
                    let theirs = partner.filter(|(pid, _)| *pid == at.pid).map(|(_, accepting)| accepting);
                    let found = own.or(theirs).and_then(|alternative| transitions.indices().nth(alternative));
                    found.is_some_and(|index| self.uses_of(index).last_resort)
                })
            }
        })
    }

    fn is_removal(&self, state: &[u8], step: Step) -> bool {
        if self.analysis.objects.numbered || self.analysis.objects.is_static {
            return false;
        }
        let Some(at) = self.machine.process(state, step.process.index()) else { return false };
        self.machine.location(state, at).transitions.indices().any(|index| self.is_end(index))
    }

    fn likeness(&self, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        if self.analysis.objects.numbered || self.analysis.objects.is_static {
            return out.extend_from_slice(state);
        }
        self.likeness_of(state, out);
    }
}

/// Sets the first `count` bits.
fn fill(count: usize, out: &mut [u64]) {
    for (word, bits) in out.iter_mut().enumerate() {
        let here = count.saturating_sub(word * 64).min(64);
        *bits = if here == 64 { u64::MAX } else { (1 << here) - 1 };
    }
}
