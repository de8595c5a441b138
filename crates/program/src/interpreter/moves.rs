//! Which moves a process has in a state.

use super::code::{EffectCode, PatternCode, TransitionCode};
use super::evaluate::View;
use super::execute::Flow;
use super::fault::{Fault, FaultAt};
use super::machine::{ChannelAt, Machine, ProcessAt};
use mazurka_model::{Batch, Step};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

thread_local! {
    /// Where moves are executed whose executability can't be told otherwise.
    static TRIAL: RefCell<Batch> = RefCell::new(Batch::default());
    /// What `_timeout` is taken to be while it is being found out.
    static TIMEOUT: Cell<Option<bool>> = const { Cell::new(None) };
}

/// A move that can be executed, as far as its guard and its first effect say.
#[derive(Copy, Clone, Debug)]
pub struct Move {
    /// The process that moves; of a handshake, the sender.
    pub at: ProcessAt,
    /// The index of its transition in the code.
    pub transition: usize,
    /// The receiver and the index of its transition.
    pub partner: Option<(ProcessAt, usize)>,
    /// The name of the move.
    pub code: u32,
    /// The guard or the first effect can't be computed.
    pub fault: Option<FaultAt>,
}

impl Move {
    /// The step of this move.
    pub fn step(&self) -> Step {
        Step::new(self.at.pid as u16, self.code)
    }
}

/// The code of a step: of a handshake, partner (12 bits, plus 1), the partner's alternative (10
/// bits) and the own one (10 bits); else just the own alternative (20 bits).
pub fn encode(alternative: usize, partner: Option<(usize, usize)>) -> u32 {
    match partner {
        None => alternative as u32,
        Some((pid, accepting)) => (pid as u32 + 1) << 20 | (accepting as u32) << 10 | alternative as u32,
    }
}

/// The own alternative, and the partner with its alternative.
pub fn decode(code: u32) -> (usize, Option<(usize, usize)>) {
    match (code >> 20) as usize {
        0 => (code as usize & 0xf_ffff, None),
        partner => (code as usize & 0x3ff, Some((partner - 1, (code >> 10) as usize & 0x3ff))),
    }
}

/// What the guard and the first effect of a transition say.
pub(super) enum Readiness<'a> {
    Blocked,
    Ready,
    Handshake(ChannelAt<'a>),
}

impl Machine {
    /// Passes every move of a process to `visit`, in the model's order, until it breaks.
    pub fn moves(
        &self,
        state: &[u8],
        at: ProcessAt,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let location = self.location(state, at);
        let mut executable = false;
        let (mut taken, mut escaped) = (0, 0);
        for (alternative, index) in location.transitions.indices().enumerate() {
            let transition = &self.code.transitions[index];
            if (transition.otherwise && executable)
                || (transition.group != 0 && transition.group == taken)
                || (escaped != 0 && transition.escape != escaped)
            {
                continue;
            }
            let mut some = false;
            self.alternative(state, at, alternative, index, None, &mut |found| {
                // A partner's later effects may block even where this side's can't.
                let sure = location.plain && found.partner.is_none();
                some = some || sure || self.is_executable(state, &found);
                visit(found)
            })?;
            if some {
                executable |= !transition.otherwise;
                taken = transition.group;
                escaped = transition.escape;
            }
        }
        ControlFlow::Continue(())
    }

    /// Passes the move with this code to `visit`, if the process has it.
    pub fn single(&self, state: &[u8], at: ProcessAt, code: u32, visit: &mut impl FnMut(Move)) {
        let (alternative, partner) = decode(code);
        let location = self.location(state, at);
        let Some(index) = location.transitions.indices().nth(alternative) else { return };
        let transition = &self.code.transitions[index];
        // Whether it may be executed may be for the transitions before it to say.
        let partner = if location.plain && !transition.otherwise { partner } else { None };
        let mut check = |found: Move| {
            if found.code == code {
                visit(found);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let _ = if location.plain && !transition.otherwise {
            self.alternative(state, at, alternative, index, partner, &mut check)
        } else {
            self.moves(state, at, &mut check)
        };
    }

    /// Whether no process could move if nothing waited for that.
    pub fn idle(&self, state: &[u8]) -> bool {
        match TIMEOUT.get() {
            Some(known) => known,
            None => !self.with_timeout(false, || self.processes(state).any(|at| self.can_move(state, at))),
        }
    }

    /// Evaluates with `_timeout` taken to be `value`.
    pub fn with_timeout<R>(&self, value: bool, evaluate: impl FnOnce() -> R) -> R {
        let before = TIMEOUT.replace(Some(value));
        let result = evaluate();
        TIMEOUT.set(before);
        result
    }

    /// Whether the process has a move that can be executed.
    pub fn can_move(&self, state: &[u8], at: ProcessAt) -> bool {
        self.moves(state, at, &mut |found| self.stop_if_executable(state, &found)).is_break()
    }

    fn stop_if_executable(&self, state: &[u8], found: &Move) -> ControlFlow<()> {
        if self.is_executable(state, found) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether a move that begins well can be executed to its end (or to a fault).
    pub fn is_executable(&self, state: &[u8], found: &Move) -> bool {
        let trial = self.code.transitions[found.transition].trial
            || found.partner.is_some_and(|(_, accepting)| self.code.transitions[accepting].trial);
        if !trial || found.fault.is_some() {
            return true;
        }
        // Taken, not borrowed: what is executed may ask the same question.
        let mut batch = TRIAL.take();
        batch.clear();
        batch.begin(found.step(), state);
        let ended = self.execute(state, found, &mut batch, &mut Vec::new());
        TRIAL.set(batch);
        !matches!(ended, Ok((Flow::Blocked, _) | (_, Flow::Blocked)))
    }

    /// The moves of one transition: one, or one for each partner of a handshake; only one partner
    /// if `wanted`.
    fn alternative(
        &self,
        state: &[u8],
        at: ProcessAt,
        alternative: usize,
        index: usize,
        wanted: Option<(usize, usize)>,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let transition = &self.code.transitions[index];
        let view = View { state, at };
        let code = encode(alternative, None);
        let plain = Move { at, transition: index, partner: None, code, fault: None };
        match self.readiness(view, transition) {
            Ok(Readiness::Blocked) => ControlFlow::Continue(()),
            Ok(Readiness::Ready) => visit(plain),
            Err(fault) => visit(Move { fault: Some(fault), ..plain }),
            Ok(Readiness::Handshake(channel)) => {
                if let Some((pid, _)) = wanted {
                    let Some(partner) = self.process(state, pid) else { return ControlFlow::Continue(()) };
                    return self.partners(view, alternative, index, channel, partner, visit);
                }
                for partner in self.processes(state) {
                    self.partners(view, alternative, index, channel, partner, visit)?;
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// The guard and the first effect.
    fn readiness(&self, view: View<'_>, transition: &TransitionCode) -> Result<Readiness<'_>, FaultAt> {
        let guard = &self.code.roots[transition.guard.indices()];
        let site = transition.site;
        if !self.all_hold(view, guard).map_err(|fault| FaultAt { site, fault })? {
            return Ok(Readiness::Blocked);
        }
        self.first_effect(view, transition).map_err(|fault| FaultAt { site: site + 1, fault })
    }

    /// What the first effect of a transition says.
    #[inline]
    pub(super) fn first_effect(
        &self,
        view: View<'_>,
        transition: &TransitionCode,
    ) -> Result<Readiness<'_>, Fault> {
        let Some(&effect) = self.code.effects[transition.effects.indices()].first() else {
            return Ok(Readiness::Ready);
        };
        let ready = match effect {
            EffectCode::Assign { .. }
            | EffectCode::Run { .. }
            | EffectCode::Assert(_)
            | EffectCode::Print(_)
            | EffectCode::SetPriority { .. } => true,
            EffectCode::Send { channel, fields, .. } => {
                let channel = self.channel(view, channel)?;
                if channel.shape.capacity == 0 {
                    if fields.indices().len() != channel.shape.fields.len() {
                        return Err(Fault::Fields);
                    }
                    return Ok(Readiness::Handshake(channel));
                }
                self.overflow || channel.length(view.state) < channel.shape.capacity as usize
            }
            EffectCode::Receive { channel, patterns, anywhere, .. } => {
                let channel = self.channel(view, channel)?;
                let patterns = &self.code.patterns[patterns.indices()];
                // A rendezvous holds no message, so it is not found: the sender will move.
                self.find(view, channel, patterns, anywhere)?.is_some()
            }
            EffectCode::Operate { operation, .. } => self.operate(view, operation, |_, _| ())?.is_some(),
            EffectCode::Exit => view.at.pid + 1 == self.count(view.state),
        };
        Ok(if ready { Readiness::Ready } else { Readiness::Blocked })
    }

    /// The handshakes of a sender with one process.
    fn partners(
        &self,
        view: View<'_>,
        alternative: usize,
        index: usize,
        channel: ChannelAt<'_>,
        partner: ProcessAt,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if partner.pid == view.at.pid {
            return ControlFlow::Continue(());
        }
        let location = self.location(view.state, partner);
        if !location.accepts {
            return ControlFlow::Continue(());
        }
        let mut escaped = 0;
        for (accepting, accepting_index) in location.transitions.indices().enumerate() {
            let escape = self.code.transitions[accepting_index].escape;
            if escaped != 0 && escape != escaped {
                continue;
            }
            let matches = self.accepts(view, index, channel, partner, accepting_index);
            let fault = match matches {
                Ok(false) => continue,
                Ok(true) => None,
                Err(fault) => Some(fault),
            };
            escaped = escape;
            visit(Move {
                at: view.at,
                transition: index,
                partner: Some((partner, accepting_index)),
                code: encode(alternative, Some((partner.pid, accepting))),
                fault,
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Whether the partner's transition receives what the sender's offers. A fault in the partner's
    /// guard or channel is its own, reported when it is its turn. An `otherwise` accepts nothing:
    /// whether it may could depend on whether the sender may.
    fn accepts(
        &self,
        view: View<'_>,
        offering: usize,
        channel: ChannelAt<'_>,
        partner: ProcessAt,
        accepting: usize,
    ) -> Result<bool, FaultAt> {
        let theirs = View { state: view.state, at: partner };
        let (offering, accepting) = (&self.code.transitions[offering], &self.code.transitions[accepting]);
        let first = |t: &TransitionCode| self.code.effects[t.effects.indices()].first().copied();
        let (
            Some(EffectCode::Send { fields, .. }),
            Some(EffectCode::Receive { channel: other, patterns, .. }),
        ) = (first(offering), first(accepting))
        else {
            return Ok(false);
        };
        if accepting.otherwise
            || !self.channel(theirs, other).is_ok_and(|other| other.number == channel.number)
            || !self.all_hold(theirs, &self.code.roots[accepting.guard.indices()]).unwrap_or(false)
        {
            return Ok(false);
        }
        let patterns = &self.code.patterns[patterns.indices()];
        if patterns.len() != channel.shape.fields.len() {
            return Ok(false);
        }
        let fields = &self.code.roots[fields.indices()];
        for ((pattern, field), &node) in patterns.iter().zip(&channel.shape.fields).zip(fields) {
            let sent = self.value(view, node).map_err(|fault| FaultAt { site: offering.site + 1, fault })?;
            if let PatternCode::Match(wanted) = *pattern {
                let wanted = self
                    .value(theirs, wanted)
                    .map_err(|fault| FaultAt { site: accepting.site + 1, fault })?;
                if field.ty.wrap(sent) != wanted {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
