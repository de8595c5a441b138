//! The transition system that the engine explores, and what it can tell the reductions.
//!
//! States are flat bytes. A system is asked once per state, for all its successors at once, so a
//! dynamic call per state is all the abstraction costs.

use crate::batch::Batch;
use crate::closed::ClosedSets;
use crate::describe::Describe;
use crate::elsewhere::{Elsewhere, Known};
use crate::footprint::{Access, Footprint};
use crate::future::{Future, Obstacles, Standpoint};
use crate::ids::{ObjectId, ProcessId, Step};
use crate::object::ObjectType;
use crate::operation::{Operation, OperationKind};

/// Which steps of a state to execute.
#[derive(Copy, Clone, Debug)]
pub enum Chosen<'a> {
    /// Every enabled step.
    All,
    /// The enabled steps of one process.
    Process(ProcessId),
    /// These steps, all enabled, in this order.
    Steps(&'a [Step]),
}

/// What became of one of several states that were expanded together.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number before which its successors end.
    pub end: usize,
    /// Steps inside atomic regions on the way to them, and to what is met elsewhere.
    pub walked: u64,
}

/// A transition system over byte states.
///
/// The rules, which [`engine`'s checked mode](Self) verifies: the answers depend on the state alone;
/// `enabled` lists exactly the steps for which `expand` gives a successor or a violation; a state's
/// bytes are canonical (equal states have equal bytes, no uninitialised padding).
pub trait System: Sync {
    /// Writes the initial states into `out`, with default steps.
    fn initial(&self, out: &mut Batch);

    /// Appends the successors of `state` under the chosen steps to `out`: processes in ascending
    /// order, the steps of each in the model's order. Also reports violations and coverage there.
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch);

    /// The same, but on the way through an atomic region it may go on, where a successor is interior and exactly one step is possible
    /// there: what that step leads to then takes the successor's place, under the step of `state`. How many steps were
    /// taken so, it [notes](Batch::walk). Nothing may have gone wrong on the way: a step that violates something, or may, is not
    /// taken here. How far it goes depends on the state and the step alone. For a search, which looks at no interior state.
    #[inline]
    fn expand_through(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        self.expand(state, chosen, out);
    }

    /// Expands several states as [`System::expand_through`] does with all steps of each: appends the successors of all of them to `out`, those of each
    /// together and in that order, and a part for each to `parts`. For a system that is quicker if it lets one process after the other move in all
    /// of them. False: nothing was added, because it is not, or some step violates something or ends inside a region. Then they are expanded
    /// one by one.
    ///
    /// Where it is `known` of each state which steps are met [elsewhere](Elsewhere), those are left out, and the system may say the same of each successor in `onward`. If it does not,
    /// or nothing is known, that stays empty.
    fn expand_several(
        &self,
        _states: &[Vec<u8>],
        _known: Option<Known<'_>>,
        _out: &mut Batch,
        _parts: &mut Vec<Part>,
        _onward: &mut Vec<Elsewhere>,
    ) -> bool {
        false
    }

    /// Appends the enabled steps of `state`, in the order in which `expand` takes them, without
    /// executing them.
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>);

    /// Appends those of them that stand under this process, in the same order.
    fn enabled_of(&self, state: &[u8], process: ProcessId, out: &mut Vec<Step>) {
        let from = out.len();
        self.enabled(state, out);
        let mut at = 0;
        out.retain(|step| {
            at += 1;
            at <= from || step.process == process
        });
    }

    /// Whether `state`, which has no enabled step, is a proper end rather than a deadlock.
    fn valid_end(&self, state: &[u8]) -> bool;

    /// Reports the conditions on states that are false in `state`: as violations with a default step,
    /// of which only the kind and the place count. Asked once for each state that is stored, initial ones
    /// included, if [`System::judges_states`].
    fn judge(&self, _state: &[u8], _out: &mut Batch) {}

    /// Whether [`System::judge`] may report anything. A reduction may leave out the very state in
    /// which a condition is false, so such a system is not reduced while conditions are checked.
    fn judges_states(&self) -> bool {
        false
    }

    /// Whether every state of the system can be represented. Then an [overflow](crate::ViolationKind::Overflow) is an error
    /// of the model, behind which a run ends; else what lies behind it is not known.
    fn represents_all(&self) -> bool {
        true
    }

    /// Whether it is known that no atomic region goes on for ever, whatever happens in it. Where one may, others can be kept
    /// from moving for ever by what they don't depend on.
    fn regions_end(&self) -> bool {
        false
    }

    /// The length of every state, if all have the same one.
    fn state_size(&self) -> Option<usize> {
        None
    }

    /// Appends the parts that `state` consists of, each as its first byte and the one behind its last: one
    /// for each process, channel and so on, parts that change together side by side. Together they
    /// are all of the state, each byte once. A store may use them to share what states have in common. By
    /// default a state is one part.
    fn components(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        out.push((0, state.len() as u32));
    }

    /// Appends how many bits the bytes of a state need, from its first byte on, as far as that can be told: a byte may be one that
    /// [decides](Width::decides) about those behind it. Where some do, the store asks again with the values of all bytes that have decided so far, for
    /// the widths of the bytes that follow; where none does, the state ends there.
    ///
    /// A store may use them to pack states. It does not rely on bytes having no other bits, but on the answer being always the
    /// same for the same deciding bytes. False: nothing is known, and nothing appended.
    fn widths(&self, deciding: &[u8], out: &mut Vec<Width>) -> bool {
        let _ = (deciding, out);
        false
    }

    /// What the reductions ask. `None`: nothing is known, and nothing is reduced.
    fn relations(&self) -> Option<&dyn Relations> {
        None
    }

    /// The same where states count only up to the numbers of processes and up to processes that have ended and wait to be
    /// [removed](Relations::is_removal): for deadlocks, false assertions and faults, and nothing else. What this
    /// must keep, and what it is good for, is told where the engine chooses it (`reduce::numbers`). By default numbers count.
    fn relations_up_to_numbers(&self) -> Option<&dyn Relations> {
        self.relations()
    }

    /// What the system noticed so far, for people; nothing that a verdict rests on.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// How to show states and steps to people.
    fn describe(&self) -> &dyn Describe;
}

/// What a byte of a state needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Width {
    /// How many of its low bits can be other than 0, at most 8.
    pub bits: u8,
    /// Its value decides which bytes follow, like the number of processes, or the type of one.
    pub decides: bool,
}

/// For how long what was said of a process holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// As long as the process stands still.
    Always,
    /// The same, in states that give this number.
    With(u64),
    /// For the present state only.
    Never,
}

/// The bytes of a process in a state.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The first of them.
    pub from: u32,
    /// How many there are.
    pub size: u32,
    /// What tells processes of different types apart.
    pub kind: u32,
}

impl Frame {
    /// The bytes of the process.
    #[inline]
    pub fn of<'a>(&self, state: &'a [u8]) -> &'a [u8] {
        &state[self.from as usize..(self.from + self.size) as usize]
    }
}

/// What a system knows of the operations behind its steps.
///
/// Every answer errs on the side of more: an operation too many costs reduction, one too few loses
/// bugs.
pub trait Relations: Sync {
    /// How many process slots are in use in `state`.
    fn processes(&self, state: &[u8]) -> usize;

    /// The objects of the system; an [`ObjectId`] indexes them.
    fn objects(&self) -> &[Box<dyn ObjectType>];

    /// The value of an object in `state`; clears `out` first.
    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>);

    /// The processes that `step`, enabled in `state`, moves, and the operations it performs there,
    /// those of its guard included. For an atomic region: of everything the region may do. Clears `out` first.
    fn step(&self, state: &[u8], step: Step, out: &mut Footprint);

    /// The union of the footprints of all moves that `process` has at its present location,
    /// **enabled or not** (a disabled receive beside an enabled local step counts).
    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint);

    /// Whether [`Relations::next`] is local: no move that the process has at its present location,
    /// enabled or not, touches anything shared. Asked at every state, so it should be quick.
    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool;

    /// Whether a step of `process`, which does not [move locally](Relations::next_is_local), is likely to be enough by itself all the same, because it is
    /// one on a channel with one sender and one receiver, say. Where such a process comes before one that moves locally it has the
    /// precedence, for the sake of small state spaces; nothing else rests on the answer, but it depends on nothing but where the process stands.
    fn may_be_alone(&self, state: &[u8], process: ProcessId) -> bool {
        let _ = (state, process);
        true
    }

    /// The first process from slot `from` on of which one or the other holds, and whether it moves locally. Asked at every state, too.
    fn next_candidate(&self, state: &[u8], from: usize) -> Option<(ProcessId, bool)> {
        let mut slots = (from..self.processes(state)).map(|slot| ProcessId(slot as u16));
        slots.find_map(|process| match self.next_is_local(state, process) {
            true => Some((process, true)),
            false => self.may_be_alone(state, process).then_some((process, false)),
        })
    }

    /// The objects that `process` may touch from here on, as bits over `objects` (64 a word):
    /// from its present location if `located`, else anywhere in its code; the processes that it may
    /// still create, and those they create, included. All of them if some move from here on has
    /// [`Footprint::everything`]. Clears `out` first.
    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>);

    /// The objects that the moves of [`Relations::next`] touch, as bits. Clears `out` first.
    /// Returns false if some move has [`Footprint::everything`].
    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool;

    /// The system's own way to find persistent sets, if it has one.
    fn closed_sets(&self) -> Option<&dyn ClosedSets> {
        None
    }

    /// Whether each alternative is one move. If not, one that has an enabled step may also stand for
    /// moves that are not enabled.
    fn tells_moves_apart(&self) -> bool {
        false
    }

    /// The alternatives that a step with this footprint takes: for each process that it moves, which
    /// of those that [`Relations::futures`] lists. Clears `out` first.
    ///
    /// Unless a system says otherwise, a process has one alternative, number 0, that stands for all
    /// its moves.
    fn alternatives(&self, step: Step, footprint: &Footprint, out: &mut Vec<(ProcessId, usize)>) {
        let _ = step;
        out.clear();
        out.extend(footprint.processes.iter().map(|&process| (process, 0)));
    }

    /// The same, if the step alone tells; then its footprint need not be asked for. False: it does not.
    fn takes(&self, step: Step, out: &mut Vec<(ProcessId, usize)>) -> bool {
        let _ = (step, out);
        false
    }

    /// Where the bytes of each process stand in `state`. Where the whole list is the same and so are the bytes of
    /// a process, [`Relations::standing`] and [`Relations::next_is_local`] give the same answers for it, and so do [`Relations::step`] and
    /// [`Relations::obstacles`] for those of its moves for which they [last](Relations::lasts). False: nothing is said. Clears `out` first.
    fn frames(&self, state: &[u8], out: &mut Vec<Frame>) -> bool {
        let _ = state;
        out.clear();
        false
    }

    /// Whether [`Relations::frames`] gives the same list in every state.
    fn frames_stay(&self) -> bool {
        false
    }

    /// Whether the footprint of an enabled step is the same for as long as its process, the only one that it moves, stands
    /// still and none is created or ends.
    fn lasts(&self, state: &[u8], step: Step) -> bool {
        let _ = (state, step);
        false
    }

    /// For how long the [obstacles](Relations::obstacles) of an alternative that is not enabled are the same while its process
    /// stands still and none is created or ends.
    fn obstacles_last(&self, state: &[u8], process: ProcessId, alternative: usize) -> Lasting {
        let _ = (state, process, alternative);
        Lasting::Never
    }

    /// What [`Relations::futures`] depends on: where the same bytes come out for a process, so do the
    /// same futures. False: nothing is said, and they are asked for anew. Clears `out` first.
    fn standing(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) -> bool {
        let _ = (state, process);
        out.clear();
        false
    }

    /// The alternatives of a process at its present location, in order, and for each what it and
    /// everything behind it may do, by this process and those that it will create. What
    /// [`Relations::is_last_resort`] is left out: it can't happen before a step that is enabled now.
    /// Clears `out` first.
    fn futures(&self, state: &[u8], process: ProcessId, out: &mut Vec<Future>) {
        out.clear();
        let mut support = Vec::new();
        self.support(state, process, true, &mut support);
        let any = Operation::new(process, OperationKind::ANY);
        let objects = (0..self.objects().len()).filter(|o| support[o / 64] >> (o % 64) & 1 == 1);
        let accesses = objects.map(|o| Access { object: ObjectId(o as u32), operation: any }).collect();
        out.push(Future { accesses, everything: false });
    }

    /// Why an alternative that is not enabled is not, while its process stands still: each condition
    /// added must change first. If none is added, nothing that others do can enable it. Clears
    /// `out` first.
    fn obstacles(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Obstacles) {
        let _ = alternative;
        out.clear();
        let mut next = Footprint::default();
        self.next(state, process, &mut next);
        next.accesses.iter().for_each(|access| out.access(*access));
        out.end(next.everything);
    }

    /// Operations that are defined wherever the alternative is enabled while its process stands still:
    /// while one of them is not, the alternative can't be taken. Errs on the side of *fewer*. Clears `out`
    /// first.
    fn demands(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Vec<Access>) {
        let _ = (state, process, alternative);
        out.clear();
    }

    /// Appends operations that decide whether a process can move, in whatever state: what changes that
    /// depends, by the constant relation, on one of them. False: that can't be said, or the processes are not
    /// the same in every state. Errs on the side of more.
    fn guards(&self, process: ProcessId, out: &mut Vec<Access>) -> bool {
        let _ = (process, out);
        false
    }

    /// The places where `process` may come to stand from here on, its present one included, as long as no process is created; those where nothing
    /// decides whether it can move may be left out. False: that can't be said, as where it may create processes. Asked only where [`Relations::standing`]
    /// answers. Clears `out` first. Errs on the side of more.
    fn standpoints(&self, state: &[u8], process: ProcessId, out: &mut Vec<Standpoint>) -> bool {
        let _ = (state, process);
        out.clear();
        false
    }

    /// Appends what [`Relations::standpoints`] depends on beside what [`Relations::standing`] gives.
    fn standpoints_depend_on(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) {
        let _ = (state, process, out);
    }

    /// Whether [`Relations::futures`] gives the same answer in every state, and the number of
    /// processes never changes.
    fn futures_are_constant(&self) -> bool {
        false
    }

    /// Whether [`Relations::before_violation`] answers, and nothing but states is ever wrong in this
    /// system: steps assert nothing. A reduction then keeps what [`System::judge`] finds by sets that
    /// contain whatever may lead there.
    fn aims_at_violations(&self) -> bool {
        false
    }

    /// Why [`System::judge`] finds nothing wrong with `state`: each condition added must change, by some
    /// step, before it does. If none is added, it never will. Returns false if nothing can be said, as
    /// where something is wrong already. Clears `out` first.
    fn before_violation(&self, state: &[u8], out: &mut Obstacles) -> bool {
        let _ = state;
        out.clear();
        false
    }

    /// Whether it is known that `process` takes only finitely many more steps, whatever happens, if of the objects that are
    /// `deserted` the other processes together use each only finitely often. Errs on the side of *no*.
    fn comes_to_rest(&self, state: &[u8], process: ProcessId, deserted: &dyn Fn(ObjectId) -> bool) -> bool {
        let _ = (state, process, deserted);
        false
    }

    /// Whether a step is enabled only because nothing else is, like a timeout. Beside it only steps are
    /// enabled for which that holds too, or which ask for it among other things; a process that can only
    /// [move locally](Relations::next_is_local) asks for it in no other way than that. A state with such a
    /// step is expanded fully.
    fn is_last_resort(&self, state: &[u8], step: Step) -> bool {
        let _ = (state, step);
        false
    }

    /// Whether that holds of one of these steps. Asked at every state, so it should be quick.
    fn some_last_resort(&self, state: &[u8], steps: &[Step]) -> bool {
        steps.iter().any(|step| self.is_last_resort(state, *step))
    }

    /// Whether `step`, enabled in `state`, does nothing but remove a process that has ended, in a system that is
    /// asked [up to the numbers of processes](System::relations_up_to_numbers): the states before and behind it are [alike](Relations::likeness).
    fn is_removal(&self, state: &[u8], step: Step) -> bool {
        let _ = (state, step);
        false
    }

    /// What of `state` counts if processes have no numbers, and those that have ended are gone. States that are alike give the same
    /// bytes; the same bytes need not mean that states are alike, so this is for checking and never for matching. Clears `out` first.
    fn likeness(&self, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
    }
}
