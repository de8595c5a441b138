//! Execution of effects, in place, in a successor under construction.

use super::code::{Base, EffectCode, PatternCode, TargetCode, TransitionCode};
use super::evaluate::{View, element};
use super::fault::{Fault, FaultAt, assertion_place};
use super::layout;
use super::machine::{ChannelAt, Machine, ProcessAt};
use super::moves::Move;
use mazurka_model::Batch;

/// How the execution of some effects ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// All were executed.
    Done,
    /// One is not executable.
    Blocked,
    /// All were executed, and the process is no more.
    Exited,
}

impl Machine {
    /// Stores a value.
    fn store(&self, state: &mut [u8], at: ProcessAt, target: TargetCode, value: i32) -> Result<(), Fault> {
        let (base, offset, ty) = match target {
            TargetCode::Variable(base, slot) => (base, slot.offset as usize, slot.ty),
            TargetCode::Element { base, slot, length, index } => {
                let index = self.value(View { state, at }, index)?;
                (base, element(at, base, slot, length, index)?, slot.ty)
            }
        };
        let base = match base {
            Base::State => 0,
            Base::Frame => at.frame,
        };
        layout::write(state, base + offset, ty, value);
        Ok(())
    }

    /// Executes an effect that doesn't change the number of processes.
    pub(super) fn effect(&self, state: &mut [u8], at: ProcessAt, effect: EffectCode) -> Result<bool, Fault> {
        match effect {
            EffectCode::Assign { target, value } => {
                let value = self.value(View { state, at }, value)?;
                self.store(state, at, target, value)?;
            }
            EffectCode::Send { channel, fields, sorted } => {
                let channel = self.channel(View { state, at }, channel)?;
                return self.send(state, at, channel, &self.code.roots[fields.indices()], sorted);
            }
            EffectCode::Receive { channel, patterns, anywhere, keep } => {
                let channel = self.channel(View { state, at }, channel)?;
                let patterns = &self.code.patterns[patterns.indices()];
                return self.receive(state, at, channel, patterns, anywhere, keep);
            }
            EffectCode::Operate { operation, target } => {
                let place = self.layout.objects[operation.object as usize];
                let mut copy = [0; 64];
                let mut long = Vec::new();
                let done = self.operate(View { state, at }, operation, |next, output| {
                    match copy.get_mut(..next.len()) {
                        Some(copy) => copy.copy_from_slice(next),
                        None => long = next.to_vec(),
                    }
                    (next.len(), output)
                })?;
                let Some((length, output)) = done else { return Ok(false) };
                let next = if long.is_empty() { &copy[..length] } else { &long };
                if !layout::store_object(place, state, next) {
                    return Err(Fault::Object);
                }
                if let Some(target) = target {
                    self.store(state, at, target, output as i32)?;
                }
            }
            EffectCode::SetPriority { process, priority } => {
                let view = View { state, at };
                let (process, priority) = (self.value(view, process)?, self.value(view, priority)?);
                self.set_priority(state, process, priority)?;
            }
            EffectCode::Assert(_) | EffectCode::Run { .. } | EffectCode::Print(_) | EffectCode::Exit => {}
        }
        Ok(true)
    }

    fn send(
        &self,
        state: &mut [u8],
        at: ProcessAt,
        channel: ChannelAt<'_>,
        fields: &[u32],
        sorted: bool,
    ) -> Result<bool, Fault> {
        if channel.shape.capacity == 0 {
            return Err(Fault::Rendezvous);
        }
        if fields.len() != channel.shape.fields.len() {
            return Err(Fault::Fields);
        }
        let length = channel.length(state);
        if length == channel.shape.capacity as usize {
            return Ok(self.overflow);
        }
        // The slot behind the last message is not yet visible, so the fields can be computed while
        // it is being filled.
        let slot = channel.message(length);
        for (&node, field) in fields.iter().zip(&channel.shape.fields) {
            let value = self.value(View { state, at }, node)?;
            layout::write(state, slot + field.offset as usize, field.ty, value);
        }
        if sorted {
            let key = |state: &[u8], message: usize, i: usize| {
                let field = channel.shape.fields[i];
                layout::read(state, channel.message(message) + field.offset as usize, field.ty)
            };
            let count = channel.shape.fields.len();
            let greater = (0..length).find(|&m| {
                let order = (0..count).map(|i| key(state, m, i).cmp(&key(state, length, i)));
                order.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).is_gt()
            });
            if let Some(first) = greater {
                let range = channel.message(first)..channel.message(length + 1);
                state[range].rotate_right(channel.shape.message as usize);
            }
        }
        channel.set_length(state, length + 1);
        Ok(true)
    }

    fn receive(
        &self,
        state: &mut [u8],
        at: ProcessAt,
        channel: ChannelAt<'_>,
        patterns: &[PatternCode],
        anywhere: bool,
        keep: bool,
    ) -> Result<bool, Fault> {
        if channel.shape.capacity == 0 {
            return Err(Fault::Rendezvous);
        }
        let Some(found) = self.find(View { state, at }, channel, patterns, anywhere)? else {
            return Ok(false);
        };
        let message = channel.message(found);
        for (pattern, field) in patterns.iter().zip(&channel.shape.fields) {
            if let PatternCode::Bind(target) = *pattern {
                let value = layout::read(state, message + field.offset as usize, field.ty);
                self.store(state, at, target, value)?;
            }
        }
        if !keep {
            let length = channel.length(state);
            let end = channel.message(length);
            state.copy_within(channel.message(found + 1)..end, message);
            state[channel.message(length - 1)..end].fill(0);
            channel.set_length(state, length - 1);
        }
        Ok(true)
    }

    /// Stores what a new process begins with.
    pub fn prologue(&self, state: &mut [u8], created: ProcessAt) -> Result<(), Fault> {
        for &(target, value) in &self.code.prologues[created.kind] {
            let value = self.value(View { state, at: created }, value)?;
            self.store(state, created, target, value)?;
        }
        Ok(())
    }

    fn run(
        &self,
        batch: &mut Batch,
        at: ProcessAt,
        kind: u32,
        arguments: &[u32],
        target: Option<TargetCode>,
    ) -> Result<(), Fault> {
        let mut draft = batch.draft();
        let count = self.count(&draft);
        if count >= self.process_limit {
            return Err(Fault::Processes);
        }
        let frame = &self.layout.frames[kind as usize];
        let channels = || self.layout.channels.len() + self.owned_before(&draft, count) as usize;
        if !frame.channels.is_empty() && channels() + frame.channels.len() > self.channel_limit {
            return Err(Fault::Channels);
        }
        let offset = draft.len();
        draft.extend(&frame.template);
        // The number of processes changes last, so the arguments see the state without the new one.
        for (&argument, slot) in arguments.iter().zip(&frame.locals) {
            let value = self.value(View { state: &draft, at }, argument)?;
            layout::write(&mut draft, offset + slot.offset as usize, slot.ty, value);
        }
        self.layout.count.write(&mut draft, 0, count + 1);
        let created = ProcessAt { pid: count, frame: offset, kind: kind as usize };
        self.prologue(&mut draft, created)?;
        self.compare_claims(&draft, created);
        if let Some(target) = target {
            self.store(&mut draft, at, target, count as i32)?;
        }
        Ok(())
    }

    /// Executes one effect in the batch's draft.
    #[inline(always)]
    pub fn one_effect(
        &self,
        batch: &mut Batch,
        at: ProcessAt,
        site: u32,
        effect: EffectCode,
        failed: &mut Vec<u32>,
    ) -> Result<Flow, FaultAt> {
        let fail = |fault| FaultAt { site, fault };
        match effect {
            EffectCode::Assert(node) => {
                if self.value(View { state: &batch.draft(), at }, node).map_err(fail)? == 0 {
                    failed.push(assertion_place(site));
                }
            }
            EffectCode::Run { process, arguments, target } => {
                let arguments = &self.code.roots[arguments.indices()];
                self.run(batch, at, process, arguments, target).map_err(fail)?;
            }
            EffectCode::Exit => {
                let mut draft = batch.draft();
                let count = self.count(&draft);
                if at.pid + 1 != count {
                    return Ok(Flow::Blocked);
                }
                draft.truncate(at.frame);
                self.layout.count.write(&mut draft, 0, count - 1);
                return Ok(Flow::Exited);
            }
            other => {
                if !self.effect(&mut batch.draft(), at, other).map_err(fail)? {
                    return Ok(Flow::Blocked);
                }
            }
        }
        Ok(Flow::Done)
    }

    /// Executes the effects of a transition from number `first` on in the batch's draft, and moves
    /// the process to its new location.
    fn effects(
        &self,
        batch: &mut Batch,
        at: ProcessAt,
        transition: &TransitionCode,
        first: usize,
        failed: &mut Vec<u32>,
    ) -> Result<Flow, FaultAt> {
        let effects = &self.code.effects[transition.effects.indices()];
        for (index, effect) in effects.iter().enumerate().skip(first) {
            let flow = self.one_effect(batch, at, transition.site + 1 + index as u32, *effect, failed)?;
            if flow != Flow::Done {
                return Ok(flow);
            }
        }
        let location = self.layout.frames[at.kind].location;
        let mut draft = batch.draft();
        location.write(&mut draft, at.frame, transition.to as usize);
        for &(slot, value) in &self.code.resets[transition.resets.indices()] {
            layout::write(&mut draft, at.frame + slot.offset as usize, slot.ty, value);
        }
        Ok(Flow::Done)
    }

    /// Executes a move in the batch's draft, which is a copy of `state`. The flows are those of the
    /// process that moves and of its partner.
    pub fn execute(
        &self,
        state: &[u8],
        moved: &Move,
        batch: &mut Batch,
        failed: &mut Vec<u32>,
    ) -> Result<(Flow, Flow), FaultAt> {
        let transition = &self.code.transitions[moved.transition];
        let Some((partner, accepting)) = moved.partner else {
            return Ok((self.effects(batch, moved.at, transition, 0, failed)?, Flow::Done));
        };
        let accepting = &self.code.transitions[accepting];
        self.hand_over(state, moved.at, transition, partner, accepting, &mut batch.draft())?;
        let offered = self.effects(batch, moved.at, transition, 1, failed)?;
        if offered == Flow::Blocked {
            return Ok((offered, Flow::Done));
        }
        Ok((offered, self.effects(batch, partner, accepting, 1, failed)?))
    }

    /// Stores the message of a handshake, computed in `state`, in the draft.
    pub fn hand_over(
        &self,
        state: &[u8],
        at: ProcessAt,
        offering: &TransitionCode,
        partner: ProcessAt,
        accepting: &TransitionCode,
        draft: &mut [u8],
    ) -> Result<(), FaultAt> {
        let effect = |t: &TransitionCode| self.code.effects[t.effects.start as usize];
        let (EffectCode::Send { channel, fields, .. }, EffectCode::Receive { patterns, .. }) =
            (effect(offering), effect(accepting))
        else {
            return Ok(());
        };
        let view = View { state, at };
        let fail = |fault| FaultAt { site: offering.site + 1, fault };
        let channel = self.channel(view, channel).map_err(fail)?;
        let patterns = &self.code.patterns[patterns.indices()];
        let fields = &self.code.roots[fields.indices()];
        for ((pattern, field), &node) in patterns.iter().zip(&channel.shape.fields).zip(fields) {
            if let PatternCode::Bind(target) = *pattern {
                let value = field.ty.wrap(self.value(view, node).map_err(fail)?);
                self.store(draft, partner, target, value)
                    .map_err(|fault| FaultAt { site: accepting.site + 1, fault })?;
            }
        }
        Ok(())
    }
}
