//! What is asked of processes as such: where one stands (`_location`), whether it can move (`_enabled`, and who is kept back by a
//! process of higher priority), which priority it has.
//!
//! Each process type of which that may be asked has an object ([`Whereabouts`]). A step of a process moves it; who asks depends on
//! that. Whether a process can move is decided by where it stands, by its own variables, which its own steps change, and by
//! what the guards and first effects look at there ([`Place`]). So who asks looks at that, too: in the state at hand at
//! what the process asked looks at where it stands; later, at what any process of the type looks at anywhere. For who waits until a process of
//! higher priority can't move, each of those that can is a condition of its own, so that one of them is reason enough to stand still.
//!
//! Where a type that is asked has a move that more decides than objects (a handshake that it offers, a timeout), nothing is told apart: every
//! step depends on every other. Priorities are known as bounds for each type; whoever sets one at another time than at the creation of a
//! process writes an object that all read who may be kept back.

use super::emit::Moment;
use super::objects::ObjectTable;
use super::standpoints::may_block;
use super::uses::{Awaits, TransitionUses, Use, UseChannel, UseList, UseOperand};
use crate::interpreter::Interpreter;
use crate::interpreter::evaluate::View;
use crate::interpreter::machine::ProcessAt;
use crate::ir::{Effect, Expression, ProcessQuestion, ProcessType, Program, Transition};
use mazurka_model::object::{processes, variable, whereabouts};
use mazurka_model::{Access, Footprint, ObjectId, Obstacles, Operand, Operation, OperationKind, ProcessId};

/// The process types among which one is that is asked.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kinds {
    /// This one.
    One(u32),
    /// Any.
    All,
    /// Those whose processes can have a higher priority than one of this type.
    Above(u32),
}

/// The types among which the process in a slot is, for a process of type `own` or none in particular; nothing if there can't be one.
pub fn asked_kinds(program: &Program, own: Option<usize>, slot: &Expression) -> Option<Kinds> {
    match slot {
        Expression::Pid => Some(own.map_or(Kinds::All, |own| Kinds::One(own as u32))),
        Expression::Constant(slot) if program.is_static() => {
            let start = usize::try_from(*slot).ok().and_then(|slot| program.initial.get(slot));
            start.map(|start| Kinds::One(start.process.0))
        }
        _ => Some(Kinds::All),
    }
}

/// The lowest and the highest priority of the processes of a type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Bounds {
    lowest: u8,
    highest: u8,
}

impl Bounds {
    /// Of a type without processes.
    const NONE: Bounds = Bounds { lowest: u8::MAX, highest: 0 };

    fn include(&mut self, lowest: u8, highest: u8) {
        self.lowest = self.lowest.min(lowest);
        self.highest = self.highest.max(highest);
    }
}

/// What decides whether a process can move that stands at a location, as that process sees it.
#[derive(Clone, Debug, Default)]
struct Place {
    looks: Vec<Use>,
    /// It asks that of others.
    asks: bool,
}

/// Of which process types what is asked.
#[derive(Debug, Default)]
pub struct AskedParts {
    /// The number of the first object: those of the types that are asked, then that of the priorities.
    pub first: usize,
    /// By type: the place of its object among them, if it is asked.
    positions: Vec<Option<usize>>,
    /// By type: whether it is asked if it can move, and not only where it stands.
    decided: Vec<bool>,
    /// Whether somebody asks if a process can move, so that an answer may lead back to who asks, which is a fault.
    enabled: bool,
    /// By type.
    bounds: Vec<Bounds>,
    /// Whether priorities change while processes live.
    ranks: bool,
    /// By type and location; empty for types that are not asked.
    places: Vec<Vec<Place>>,
    /// By type: what may decide about any process of the type, anywhere, whoever asks.
    whole: Vec<Vec<Use>>,
    /// More than objects decides.
    given_up: bool,
}

impl AskedParts {
    /// Goes through a program.
    pub fn new(program: &Program) -> AskedParts {
        let count = program.types.len();
        let mut parts = AskedParts { decided: vec![false; count], ..AskedParts::default() };
        parts.look_at_priorities(program);
        let mut asked = vec![false; count];
        for kind in 0..count {
            for other in parts.kinds(Kinds::Above(kind as u32)) {
                (asked[other], parts.decided[other]) = (true, true);
            }
        }
        let mut questions = Vec::new();
        let mut note = |own: Option<usize>, e: &Expression| {
            if let Expression::Process(question, slot) = e {
                questions.extend(asked_kinds(program, own, slot).map(|kinds| (*question, kinds)));
            }
        };
        for (own, process) in program.types.iter().enumerate() {
            each_expression(process, &mut |e| note(Some(own), e));
        }
        for property in &program.properties {
            property.kind.for_each_condition(&mut |e| each_part(e, &mut |e| note(None, e)));
        }
        for (question, kinds) in questions {
            parts.enabled |= question == ProcessQuestion::Enabled;
            for kind in parts.kinds(kinds) {
                asked[kind] |= question != ProcessQuestion::Priority;
                parts.decided[kind] |= question == ProcessQuestion::Enabled;
            }
        }
        let mut next = 0..;
        parts.positions = asked.into_iter().map(|asked| asked.then(|| next.next()).flatten()).collect();
        parts
    }

    fn look_at_priorities(&mut self, program: &Program) {
        self.bounds = vec![Bounds::NONE; program.types.len()];
        for start in &program.initial {
            let priority = start.priority.max(1);
            self.bounds[start.process.index()].include(priority, priority);
        }
        for (own, process) in program.types.iter().enumerate() {
            for transition in &process.transitions {
                for (position, effect) in transition.effects.iter().enumerate() {
                    match effect {
                        Effect::Run { process, .. } => {
                            let (low, high) = match transition.effects.get(position + 1) {
                                Some(Effect::SetPriority { process, priority }) if is_youngest(process) => {
                                    range(priority)
                                }
                                _ => (1, 1),
                            };
                            self.bounds[process.index()].include(low, high);
                        }
                        Effect::SetPriority { process, priority } if sets_later(transition, position) => {
                            self.ranks = true;
                            let (low, high) = range(priority);
                            let kinds = asked_kinds(program, Some(own), process);
                            for kind in kinds.map_or(Vec::new(), |kinds| self.kinds(kinds)) {
                                self.bounds[kind].include(low, high);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        if !program.uses_priorities() {
            self.bounds.fill(Bounds { lowest: 1, highest: 1 });
        }
    }

    /// The types that are meant.
    fn kinds(&self, kinds: Kinds) -> Vec<usize> {
        match kinds {
            Kinds::One(kind) => vec![kind as usize],
            Kinds::All => (0..self.bounds.len()).collect(),
            Kinds::Above(kind) => {
                let own = self.bounds[kind as usize].lowest;
                (0..self.bounds.len()).filter(|&other| self.bounds[other].highest > own).collect()
            }
        }
    }

    /// How many objects of types there are; behind them stands that of the priorities, if they change.
    pub fn len(&self) -> usize {
        self.positions.iter().flatten().count()
    }

    /// Whether somebody may change priorities.
    pub fn has_ranks(&self) -> bool {
        self.ranks
    }

    /// The priorities, if they change.
    pub fn ranks(&self) -> Option<ObjectId> {
        self.ranks.then(|| ObjectId((self.first + self.len()) as u32))
    }

    /// The object of a type that is asked.
    pub fn object(&self, kind: usize) -> Option<ObjectId> {
        self.positions[kind].map(|position| ObjectId((self.first + position) as u32))
    }

    /// The name of one of the objects.
    pub fn name(&self, program: &Program, object: ObjectId) -> String {
        let kind = (0..self.positions.len()).find(|&kind| self.object(kind) == Some(object));
        match kind {
            Some(kind) => format!("the whereabouts of {}", program.types[kind].name),
            None => "the priorities".to_owned(),
        }
    }

    /// The objects of types that are meant.
    pub fn objects(&self, kinds: Kinds) -> impl Iterator<Item = ObjectId> + '_ {
        self.kinds(kinds).into_iter().filter_map(|kind| self.object(kind))
    }

    /// What may decide about any process of these types.
    pub fn whole(&self, kinds: Kinds) -> impl Iterator<Item = &Use> {
        self.kinds(kinds).into_iter().flat_map(|kind| &self.whole[kind])
    }

    /// The object that a transition of a type changes, if somebody asks.
    pub fn moved(&self, kind: usize, transition: &Transition) -> Option<ObjectId> {
        let matters =
            transition.from != transition.to || self.decided[kind] && !transition.effects.is_empty();
        self.object(kind).filter(|_| matters)
    }
}

/// Passes all expressions of a process type, those within others included.
fn each_expression(process: &ProcessType, visit: &mut dyn FnMut(&Expression)) {
    process.prologue.iter().for_each(|(_, value)| each_part(value, visit));
    for transition in &process.transitions {
        transition.guard.iter().for_each(|guard| each_part(guard, visit));
        for effect in &transition.effects {
            effect.for_each_part(&mut |part| each_part(part, visit), &mut |_| {});
        }
    }
}

/// Passes an expression and those within it.
fn each_part(expression: &Expression, visit: &mut dyn FnMut(&Expression)) {
    visit(expression);
    expression.for_each_operand(&mut |operand| each_part(operand, visit));
}

/// Whether an expression is the slot of the process that was created last.
fn is_youngest(slot: &Expression) -> bool {
    *slot == Expression::ProcessCount - 1
}

/// Whether an effect that sets a priority does so at another time than right behind the creation of the process.
pub fn sets_later(transition: &Transition, position: usize) -> bool {
    let Effect::SetPriority { process, .. } = &transition.effects[position] else { return false };
    let before = position.checked_sub(1).map(|before| &transition.effects[before]);
    !(is_youngest(process) && matches!(before, Some(Effect::Run { .. })))
}

/// The priorities that an expression may give; one outside of the bounds is a fault.
fn range(priority: &Expression) -> (u8, u8) {
    match priority {
        Expression::Constant(value) => {
            let value = (*value).clamp(1, 255) as u8;
            (value, value)
        }
        _ => (1, u8::MAX),
    }
}

impl ObjectTable {
    /// Finds what decides about the processes that are asked, once it is known what transitions use, and adds that to those
    /// who may be kept back by others. Where more than objects decides, every step depends on every other.
    pub fn resolve_asked(&mut self, program: &Program, transitions: &mut [TransitionUses]) {
        let parts = &self.asked;
        let mut places = Vec::new();
        let mut first = 0;
        for (kind, process) in program.types.iter().enumerate() {
            let own = &transitions[first..first + process.transitions.len()];
            first += own.len();
            places.push(if parts.decided[kind] { self.places(process, own) } else { Some(Vec::new()) });
        }
        let Some(places) = places.into_iter().collect::<Option<Vec<Vec<Place>>>>() else {
            self.asked.given_up = true;
            self.asked.whole = vec![Vec::new(); program.types.len()];
            return super::collect::depend_on_everything(transitions);
        };
        self.asked.whole = self.whole(program, &places);
        self.asked.places = places;
        self.keep_back(program, transitions);
    }

    /// What decides at each location; nothing if that is more than objects.
    fn places(&self, process: &ProcessType, own: &[TransitionUses]) -> Option<Vec<Place>> {
        let mut free = vec![false; process.locations.len()];
        for (transition, used) in process.transitions.iter().zip(own) {
            free[transition.from.index()] |= !used.last_resort && !may_block(transition);
        }
        let mut places = vec![Place::default(); process.locations.len()];
        for (transition, used) in process.transitions.iter().zip(own) {
            let is_free = free[transition.from.index()];
            let offers = used.handshake && matches!(transition.effects.first(), Some(Effect::Send { .. }));
            // Where a process stands that can always move, it is looked at all the same what else it could do, and that may lead back to who asks.
            let matters = !is_free || self.asked.enabled;
            if matters && (used.everything || used.last_resort || offers) {
                return None;
            }
            let place = &mut places[transition.from.index()];
            let conditions = used.conditions.iter().flat_map(|(_, looks)| looks);
            let looks: Vec<Use> = if used.entangled {
                used.uses.iter().chain(conditions).copied().collect()
            } else {
                conditions.chain(&used.definedness).copied().collect()
            };
            for look in looks.into_iter().filter_map(|look| self.asked_of_another(look)) {
                place.asks |= matches!(look, Use::Enabled { .. });
                if !place.looks.contains(&look) {
                    place.looks.push(look);
                }
            }
        }
        // Who can always move is asked in vain, unless the answer leads back to who asks: that is a fault. Whether it comes to the question may be decided
        // by what else the process could do, for it is looked at in turn until something is found.
        for (place, free) in places.iter_mut().zip(free) {
            if free && !place.asks {
                place.looks.clear();
            }
        }
        Some(places)
    }

    /// A look of a process as one sees it who asks about that process; nothing if it is its own move.
    fn asked_of_another(&self, look: Use) -> Option<Use> {
        let mut look = look.unperformed();
        if let Use::Object { object, kind, operands, .. } = &mut look {
            let moves =
                self.asked.positions.iter().enumerate().any(|(of, _)| self.asked.object(of) == Some(*object));
            if moves && *kind != whereabouts::ASK {
                return None;
            }
            // Who performs it matters to some.
            if self.is_declared(*object) {
                (*kind, *operands) = (OperationKind::ANY, [UseOperand::Any; 2]);
            }
        }
        Some(look)
    }

    /// By type, what may decide about any process of it.
    fn whole(&self, program: &Program, places: &[Vec<Place>]) -> Vec<Vec<Use>> {
        let mut lists: Vec<UseList> = places.iter().map(|_| UseList::default()).collect();
        loop {
            let mut changed = false;
            for (kind, places) in places.iter().enumerate() {
                for look in places.iter().flat_map(|place| &place.looks) {
                    let mut found = Vec::new();
                    match look {
                        Use::Enabled { kinds, .. } => {
                            found.extend(self.asked.objects(*kinds).map(ask));
                            let others = self.asked.kinds(*kinds);
                            found.extend(others.into_iter().flat_map(|other| lists[other].list().to_vec()));
                        }
                        other => self.of_any_instance(program, kind, *other, &mut found),
                    }
                    let before = lists[kind].list().len();
                    found.into_iter().for_each(|used| _ = lists[kind].insert(used));
                    changed |= before != lists[kind].list().len();
                }
            }
            if !changed {
                return lists.iter().map(|list| list.list().to_vec()).collect();
            }
        }
    }

    /// The looks of all processes of a type in place of one's.
    fn of_any_instance(&self, program: &Program, kind: usize, look: Use, out: &mut Vec<Use>) {
        let look = look.with_any_operands().by_anyone();
        let Use::Channel { channel, action, message } = look else { return out.push(look) };
        let channels = match channel {
            UseChannel::Own(index) => self.owned_by_type(program, kind, index as usize),
            UseChannel::New { kind, index, .. } => self.owned_by_type(program, kind as usize, index as usize),
            _ => return out.push(look),
        };
        out.extend(channels.into_iter().map(|of| Use::Channel {
            channel: UseChannel::Of(of),
            action,
            message,
        }));
    }

    /// Appends what somebody looks at who is no process and asks about the process in a slot. False if that is not known.
    pub fn looks_at_process(
        &self,
        program: &Program,
        (question, slot): (ProcessQuestion, &Expression),
        observer: ProcessId,
        out: &mut Vec<Access>,
    ) -> bool {
        let mut look = |object, kind, slot| {
            let operation = Operation::with_both(observer, kind, [slot, Operand::Any]);
            out.push(Access { object, operation });
        };
        if question == ProcessQuestion::Priority {
            self.asked.ranks().into_iter().for_each(|ranks| look(ranks, variable::READ, Operand::Any));
            return true;
        }
        let asked = match slot {
            Expression::Constant(slot) => Operand::Is((*slot).into()),
            _ => Operand::Any,
        };
        let kinds = asked_kinds(program, None, slot).map_or(Vec::new(), |kinds| self.asked.kinds(kinds));
        for kind in kinds {
            let Some(object) = self.asked.object(kind) else { return false };
            look(object, whereabouts::ASK, asked);
            if question == ProcessQuestion::Location {
                continue;
            }
            if !self.asked.decided[kind] || self.asked.given_up {
                return false;
            }
            for used in &self.asked.whole[kind] {
                let any = OperationKind::ANY;
                match used {
                    Use::Object { object, kind, .. } => look(*object, *kind, Operand::Any),
                    Use::Channel { channel: UseChannel::Global(index), .. } => {
                        look(self.channel(*index as usize), any, Operand::Any);
                    }
                    Use::Channel { channel: UseChannel::Of(object), .. } => look(*object, any, Operand::Any),
                    Use::Channel { channel: UseChannel::Computed { among, .. }, .. } => {
                        let channels = self.points_to.objects(*among).iter();
                        channels.for_each(|object| look(*object, any, Operand::Any));
                    }
                    // Those of single instances, and questions, are taken apart before.
                    Use::Channel { .. } | Use::Enabled { .. } => return false,
                }
            }
        }
        true
    }

    /// Adds to the transitions of processes that may be kept back what decides about those that have a higher priority.
    fn keep_back(&self, program: &Program, transitions: &mut [TransitionUses]) {
        let read = |object, kind| {
            let operands = [UseOperand::Any; 2];
            Use::Object { object, kind, operands, reads: true, awaits: Awaits::No }
        };
        let mut all = transitions.iter_mut();
        for (kind, process) in program.types.iter().enumerate() {
            let kinds = Kinds::Above(kind as u32);
            let own = all.by_ref().take(process.transitions.len());
            if self.asked.kinds(kinds).is_empty() {
                own.for_each(drop);
                continue;
            }
            for used in own {
                let mut looks = Vec::new();
                if !self.is_static {
                    looks.push(read(self.process_table(), processes::COUNT));
                }
                looks.extend(self.asked.ranks().map(|ranks| read(ranks, variable::READ)));
                looks.push(Use::Enabled { slot: UseOperand::Any, kinds });
                used.uses.splice(0..0, looks);
            }
        }
    }
}

/// Asks about any process of the type of an object.
fn ask(object: ObjectId) -> Use {
    let operands = [UseOperand::Any; 2];
    Use::Object { object, kind: whereabouts::ASK, operands, reads: true, awaits: Awaits::No }
}

impl Interpreter {
    /// Adds what one looks at who asks whether a process can move.
    pub(super) fn emit_enabled(
        &self,
        view: View<'_>,
        (slot, kinds): (UseOperand, Kinds),
        moment: Moment,
        out: &mut Footprint,
    ) {
        if self.analysis.objects.asked.given_up {
            out.everything = true;
            return;
        }
        let first = out.accesses.len();
        let slot = self.machine.operand(view, slot, moment.lasting());
        match (moment, kinds, slot) {
            (Moment::Step, Kinds::Above(_), _) => {
                let own = self.machine.priority(view.state, view.at);
                let all = self.machine.processes(view.state);
                let higher = all.filter(|at| self.machine.priority(view.state, *at) > own);
                higher.for_each(|at| self.emit_place(view, at, out));
            }
            (Moment::Step, _, Operand::Is(slot)) => {
                let process =
                    usize::try_from(slot).ok().and_then(|slot| self.machine.process(view.state, slot));
                // If there is none, only a creation matters, which the process table tells.
                process.into_iter().for_each(|at| self.emit_place(view, at, out));
            }
            _ => {
                self.emit_anywhere(view, kinds, slot, out);
            }
        }
        // They are looks of the one who asks.
        let asker = ProcessId(view.at.pid as u16);
        out.accesses[first..].iter_mut().for_each(|access| access.operation.process = asker);
    }

    /// What decides about a process where it stands.
    fn emit_place(&self, view: View<'_>, at: ProcessAt, out: &mut Footprint) {
        let asked = &self.analysis.objects.asked;
        let place = &asked.places[at.kind][self.machine.location_index(view.state, at)];
        let slot = Operand::Is(at.pid as i64);
        if place.asks {
            return self.emit_anywhere(view, Kinds::One(at.kind as u32), slot, out);
        }
        self.emit_ask(view, at.kind, slot, out);
        let theirs = View { state: view.state, at };
        place.looks.iter().for_each(|look| self.emit(theirs, look, Moment::Step, out));
    }

    /// What decides about the process in a slot, or any, wherever it stands.
    fn emit_anywhere(&self, view: View<'_>, kinds: Kinds, slot: Operand, out: &mut Footprint) {
        let asked = &self.analysis.objects.asked;
        for kind in asked.kinds(kinds) {
            self.emit_ask(view, kind, slot, out);
            asked.whole[kind].iter().for_each(|look| self.emit(view, look, Moment::Future, out));
        }
    }

    fn emit_ask(&self, view: View<'_>, kind: usize, slot: Operand, out: &mut Footprint) {
        if let Some(object) = self.analysis.objects.asked.object(kind) {
            let process = ProcessId(view.at.pid as u16);
            out.access(object, Operation::with_both(process, whereabouts::ASK, [slot, Operand::Any]));
        }
    }

    /// Adds, for a process that is kept back by others of higher priority, each of those that can move as a condition that must change. Whether
    /// there is one, and that can be told.
    pub(super) fn kept_back(&self, view: View<'_>, out: &mut Obstacles) -> bool {
        let asked = &self.analysis.objects.asked;
        let View { state, at } = view;
        if asked.given_up || !self.machine.outranked(state, at) {
            return false;
        }
        let own = self.machine.priority(state, at);
        let keeps = |other: &ProcessAt| {
            self.machine.priority(state, *other) > own && self.machine.can_move(state, *other)
        };
        for other in self.machine.processes(state).filter(keeps) {
            out.gather(false, |footprint| {
                self.emit_place(view, other, footprint);
                let asker = ProcessId(at.pid as u16);
                footprint.accesses.iter_mut().for_each(|access| access.operation.process = asker);
                if let Some(ranks) = asked.ranks() {
                    footprint.access(ranks, Operation::new(asker, variable::READ));
                }
            });
        }
        true
    }
}
