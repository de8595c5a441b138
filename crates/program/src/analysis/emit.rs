//! How what a transition uses becomes operations on objects, in a state.

use super::Analysis;
use super::level::Level;
use super::objects::ObjectRole;
use super::owned_channel::{EXISTS, LIFE};
use super::uses::{ChannelAction, TransitionUses, Use, UseChannel, UseOperand};
use crate::interpreter::Interpreter;
use crate::interpreter::code::NodeId;
use crate::interpreter::evaluate::View;
use crate::interpreter::machine::Machine;
use crate::ir::Type;
use mazurka_model::object::{fifo, rendezvous};
use mazurka_model::{Footprint, ObjectId, Operand, Operation, OperationKind, ProcessId};

/// For what moment uses are translated into operations.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Moment {
    /// The step at hand.
    Step,
    /// Whenever the process moves next.
    Next,
    /// Whenever the process comes to it.
    Future,
}

impl Moment {
    /// The shortest-lived values that can be computed in the state at hand.
    pub(super) fn lasting(self) -> Level {
        match self {
            Moment::Step => Level::Now,
            Moment::Next => Level::Local,
            Moment::Future => Level::Stable,
        }
    }
}

impl Machine {
    #[inline]
    pub(super) fn operand(&self, view: View<'_>, operand: UseOperand, lasting: Level) -> Operand {
        match operand {
            UseOperand::Any => Operand::Any,
            UseOperand::Is(value) => Operand::Is(value),
            UseOperand::Computed { level, .. } if level > lasting => Operand::Any,
            UseOperand::Computed { node, wrap, .. } => match self.value(view, node) {
                Ok(value) => Operand::Is(wrap.map_or(value, |ty| ty.wrap(value)).into()),
                Err(_) => Operand::Any,
            },
        }
    }

    fn numbered_object(&self, analysis: &Analysis, state: &[u8], number: i32) -> Option<ObjectId> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        if index < self.layout.channels.len() {
            return Some(analysis.objects.channel(index));
        }
        let (slot, at, own) = self.owner(state, number as u32)?;
        Some(analysis.objects.owned(slot, at.kind, own))
    }
}

impl Interpreter {
    /// The type of the only field of a channel's messages, if that is known.
    fn field_type(&self, object: ObjectId) -> Option<Type> {
        let layout = &self.machine.layout;
        let place = match self.analysis.objects.roles[object.index()] {
            ObjectRole::Channel(index) => layout.channels[index],
            ObjectRole::Owned { kind, index, .. } => layout.frames[kind].channels[index],
            _ => return None,
        };
        match layout.shapes[place.shape as usize].fields.as_slice() {
            [single] => Some(single.ty),
            _ => None,
        }
    }

    /// Whether an object is a channel whose messages have several fields.
    pub(super) fn holds_several_fields(&self, object: ObjectId) -> bool {
        let role = self.analysis.objects.roles[object.index()];
        matches!(role, ObjectRole::Channel(_) | ObjectRole::Owned { .. }) && self.field_type(object).is_none()
    }

    fn use_channel(
        &self,
        view: View<'_>,
        object: ObjectId,
        action: ChannelAction,
        message: Operand,
        moment: Moment,
        out: &mut Footprint,
    ) {
        let process = ProcessId(view.at.pid as u16);
        if action == ChannelAction::Life {
            let kind = if self.analysis.objects.is_static { OperationKind::ANY } else { LIFE };
            return out.access(object, Operation::new(process, kind));
        }
        if self.analysis.objects.rendezvous[object.index()] {
            let kind = match (action, moment) {
                // The joint step is one operation, the sender's.
                (ChannelAction::Send | ChannelAction::SendSorted, Moment::Step) => rendezvous::HANDSHAKE,
                (ChannelAction::Send | ChannelAction::SendSorted, _) => rendezvous::OFFER,
                (
                    ChannelAction::Receive
                    | ChannelAction::ReceiveIs
                    | ChannelAction::ReceiveAnywhere
                    | ChannelAction::Meet,
                    Moment::Next | Moment::Future,
                ) => rendezvous::ACCEPT,
                // A rendezvous holds nothing that could be looked at, but it is a fault if it is not there.
                _ if self.is_owned(object) => EXISTS,
                _ => return,
            };
            return out.access(object, Operation::new(process, kind));
        }
        let with = |kind: OperationKind, message: Operand| Operation {
            process,
            kind,
            operands: [message, Operand::Any],
        };
        let field = self.field_type(object);
        // Messages of several fields are not followed.
        let compared = if field.is_some() { message } else { Operand::Any };
        match action {
            ChannelAction::Send => {
                let sent = match (field, message) {
                    (Some(ty), Operand::Is(value)) => Operand::Is(ty.wrap(value as i32).into()),
                    _ => Operand::Any,
                };
                out.access(object, with(fifo::SEND, sent));
            }
            // The two operations together depend on everything that changes or sees the channel.
            ChannelAction::SendSorted => {
                out.access(object, with(fifo::SEND, Operand::Any));
                out.access(object, with(fifo::RECEIVE, Operand::Any));
            }
            ChannelAction::ReceiveAnywhere => {
                out.access(object, with(fifo::RECEIVE, Operand::Any));
                out.access(object, with(fifo::LENGTH, Operand::Any));
            }
            ChannelAction::Look => {
                out.access(object, with(fifo::LENGTH, Operand::Any));
                out.access(object, with(fifo::HEAD, Operand::Any));
            }
            ChannelAction::Receive => out.access(object, with(fifo::RECEIVE, Operand::Any)),
            ChannelAction::ReceiveIs => {
                // A step that is enabled receives the first message, which has number 0 here.
                let several = field.is_none() && moment == Moment::Step;
                let wanted = if several { Operand::Is(0) } else { compared };
                out.access(object, with(fifo::RECEIVE_IS, wanted));
            }
            ChannelAction::Length => out.access(object, with(fifo::LENGTH, Operand::Any)),
            ChannelAction::Empty => out.access(object, with(fifo::EMPTY, Operand::Any)),
            ChannelAction::Full => out.access(object, with(fifo::FULL, Operand::Any)),
            ChannelAction::AwaitEmpty => out.access(object, with(fifo::AWAIT_EMPTY, Operand::Any)),
            ChannelAction::AwaitMessage => out.access(object, with(fifo::AWAIT_MESSAGE, Operand::Any)),
            ChannelAction::AwaitFull => out.access(object, with(fifo::AWAIT_FULL, Operand::Any)),
            ChannelAction::AwaitRoom => out.access(object, with(fifo::AWAIT_ROOM, Operand::Any)),
            ChannelAction::AwaitHead => out.access(object, with(fifo::AWAIT_HEAD, compared)),
            ChannelAction::HeadIs => out.access(object, with(fifo::HEAD_IS, compared)),
            ChannelAction::Head => out.access(object, with(fifo::HEAD, Operand::Any)),
            ChannelAction::Exists if self.is_owned(object) => out.access(object, with(EXISTS, Operand::Any)),
            ChannelAction::Life | ChannelAction::Meet | ChannelAction::Exists => {}
        }
    }

    /// Whether an object is a channel that ends with its owner.
    fn is_owned(&self, object: ObjectId) -> bool {
        matches!(self.analysis.objects.roles[object.index()], ObjectRole::Owned { .. })
    }

    /// The channel that an expression means in a state, if it means one.
    pub(super) fn channel_object(&self, view: View<'_>, node: NodeId) -> Option<ObjectId> {
        let number = self.machine.value(view, node).ok()?;
        self.machine.numbered_object(&self.analysis, view.state, number)
    }

    pub(super) fn emit(&self, view: View<'_>, used: &Use, moment: Moment, out: &mut Footprint) {
        let lasting = moment.lasting();
        match *used {
            Use::Object { object, kind, operands, .. } => {
                let operands = [
                    self.machine.operand(view, operands[0], lasting),
                    self.machine.operand(view, operands[1], lasting),
                ];
                let process = ProcessId(view.at.pid as u16);
                out.access(object, Operation::with_both(process, kind, operands));
            }
            Use::Enabled { slot, kinds } => self.emit_enabled(view, (slot, kinds), moment, out),
            Use::Channel { channel, action, message } => {
                let message = self.machine.operand(view, message, lasting);
                let object = match channel {
                    UseChannel::Global(index) => Some(self.analysis.objects.channel(index as usize)),
                    UseChannel::Own(index) => {
                        Some(self.analysis.objects.owned(view.at.pid, view.at.kind, index as usize))
                    }
                    UseChannel::Computed { node, level, .. } if level <= lasting => {
                        self.channel_object(view, node)
                    }
                    UseChannel::Computed { .. } => None,
                    UseChannel::Of(object) => Some(object),
                    UseChannel::New { kind, index, later } => {
                        let first = self.machine.count(view.state);
                        let slots = first..self.machine.process_limit;
                        // Behind other creations of the step, or of a region, it is one of those that follow.
                        let several = later || moment == Moment::Next;
                        for slot in slots.take(if several { usize::MAX } else { 1 }) {
                            let object = self.analysis.objects.owned(slot, kind as usize, index as usize);
                            self.use_channel(view, object, action, message, moment, out);
                        }
                        return;
                    }
                };
                match object {
                    Some(object) => self.use_channel(view, object, action, message, moment, out),
                    // A channel that does not exist may be one that is yet to be created.
                    None if moment == Moment::Step => out.everything = true,
                    None => {
                        let UseChannel::Computed { among, .. } = channel else { return };
                        for &object in self.analysis.objects.points_to.objects(among) {
                            self.use_channel(view, object, action, Operand::Any, moment, out);
                        }
                    }
                }
            }
        }
    }

    /// What a transition uses, by its index in the code.
    pub(super) fn uses_of(&self, index: usize) -> &TransitionUses {
        &self.analysis.transitions[self.machine.code.transitions[index].number as usize]
    }

    /// Adds what a transition does, and the atomic region that it may lead into.
    pub(super) fn add_transition(&self, view: View<'_>, index: usize, moment: Moment, out: &mut Footprint) {
        let transition = &self.machine.code.transitions[index];
        let uses = self.uses_of(index);
        out.everything |= uses.everything;
        let first = out.accesses.is_empty();
        uses.uses.iter().for_each(|used| self.emit(view, used, moment, out));
        if moment == Moment::Step && first {
            out.ordered = out.accesses.len();
        }
        let region = &self.analysis.types[view.at.kind].regions[transition.to as usize];
        if let Some(region) = region.as_ref().filter(|_| transition.atomic) {
            out.everything |= region.everything;
            if region.hands_over {
                // Who will be moved, and by whom in turn, is not followed: it may be anyone.
                let count = self.machine.count(view.state) as u16;
                out.processes.extend((0..count).map(ProcessId));
            }
            region.uses.iter().for_each(|used| self.emit(view, used, Moment::Next, out));
        }
    }
}
