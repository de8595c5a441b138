//! Summaries per (process type, location): atomic regions, next moves, and everything to come.

use super::flow::Flow;
use super::level::Level;
use super::objects::ObjectTable;
use super::points_to::ComputedChannel;
use super::regions::{Region, regions};
use super::uses::{TransitionUses, Use, UseChannel};
use crate::ir::{ProcessType, Program};
use mazurka_model::ObjectId;

/// A set of objects: bits, and the channels whose numbers some expressions give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    pub bits: Vec<u64>,
    /// Which of the process type's computed channels.
    pub computed: u64,
    /// All of the process's own channels of these indices, as bits.
    pub own: u64,
    /// Depends on the whole system.
    pub everything: bool,
    /// Nothing shared at all.
    pub local: bool,
}

impl Touched {
    fn none(objects: &ObjectTable) -> Touched {
        Touched { bits: vec![0; objects.words()], computed: 0, own: 0, everything: false, local: true }
    }

    fn has_channel(&self, objects: &ObjectTable) -> bool {
        let among = |object: ObjectId| self.bits[object.index() / 64] >> (object.index() % 64) & 1 == 1;
        self.everything || self.computed != 0 || self.own != 0 || objects.all_channels().any(among)
    }

    fn insert(&mut self, object: ObjectId) {
        self.bits[object.index() / 64] |= 1 << (object.index() % 64);
    }

    fn unite(&mut self, other: &Touched) -> bool {
        let before = (self.computed, self.own, self.everything, self.local);
        let mut changed = false;
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        self.computed |= other.computed;
        self.own |= other.own;
        self.everything |= other.everything;
        self.local &= other.local;
        changed || before != (self.computed, self.own, self.everything, self.local)
    }

    fn all_channels(&mut self, objects: &ObjectTable) {
        objects.all_channels().for_each(|object| self.insert(object));
    }

    /// Adds a use; a computed channel counts as known if it lasts as long as `lasting`.
    fn add(&mut self, used: &Use, objects: &ObjectTable, lasting: Level) {
        self.local = false;
        match used {
            Use::Object { object, .. } => self.insert(*object),
            Use::Channel { channel: UseChannel::Global(index), .. } => {
                self.insert(objects.channel(*index as usize));
            }
            Use::Channel { channel: UseChannel::Own(index), .. } if *index < 64 => self.own |= 1 << index,
            Use::Channel { channel: UseChannel::Computed { level, index: Some(index), .. }, .. }
                if *level <= lasting =>
            {
                self.computed |= 1 << index;
            }
            Use::Channel { channel: UseChannel::Of(object), .. } => self.insert(*object),
            Use::Enabled { kinds, .. } => {
                objects.asked.objects(*kinds).for_each(|object| self.insert(object));
                objects.asked.whole(*kinds).for_each(|look| self.add(look, objects, Level::Stable));
            }
            Use::Channel { channel: UseChannel::New { kind, index, .. }, .. } => {
                let (kind, index) = (*kind as usize, *index as usize);
                objects.in_every_slot(kind, index).for_each(|object| self.insert(object));
            }
            Use::Channel { channel: UseChannel::Computed { among, .. }, .. } => {
                objects.points_to.objects(*among).iter().for_each(|object| self.insert(*object));
            }
            Use::Channel { .. } => self.all_channels(objects),
        }
    }
}

/// What is known of a process type.
#[derive(Debug)]
pub struct TypeSummary {
    /// Expressions that give channels.
    pub channels: Vec<ComputedChannel>,
    /// By location; none where no transition that holds leads to.
    pub regions: Vec<Option<Region>>,
    /// By location: what the next moves touch.
    pub next: Vec<Touched>,
    /// By location: whether that is nothing shared.
    pub local: Vec<bool>,
    /// By location: whether there is a channel among it.
    pub queued: Vec<bool>,
    /// By location: whether a move there waits until nothing else can be done.
    pub waits: Vec<bool>,
    /// By location: what may be touched from here on.
    pub support: Vec<Touched>,
    /// What may be touched anywhere in the code.
    pub whole: Touched,
}

/// Summarises all process types.
pub fn summarise(
    program: &Program,
    objects: &ObjectTable,
    transitions: &[TransitionUses],
    channels: Vec<Vec<ComputedChannel>>,
) -> Vec<TypeSummary> {
    let mut first = 0;
    let mut uses_of = Vec::new();
    for process in &program.types {
        uses_of.push(&transitions[first..first + process.transitions.len()]);
        first += process.transitions.len();
    }
    let regions: Vec<_> =
        program.types.iter().zip(&uses_of).map(|(p, uses)| regions(&Flow::new(p), uses)).collect();
    let next: Vec<_> = (program.types.iter().zip(&uses_of).zip(&regions))
        .map(|((process, uses), regions)| next(process, uses, regions, objects))
        .collect();
    let created = created(program, objects, &uses_of, &next);
    let mut out = Vec::new();
    for (kind, ((regions, next), channels)) in regions.into_iter().zip(next).zip(channels).enumerate() {
        let (support, whole) = support(&program.types[kind], uses_of[kind], &next, objects, &created);
        let local = next.iter().map(|next| next.local).collect();
        let queued = next.iter().map(|next| next.has_channel(objects)).collect();
        let mut waits = vec![false; next.len()];
        for (transition, used) in program.types[kind].transitions.iter().zip(uses_of[kind]) {
            waits[transition.from.index()] |= used.last_resort;
        }
        out.push(TypeSummary { channels, regions, next, local, queued, waits, support, whole });
    }
    out
}

/// For each type, what a new instance and all that it creates may touch. What its parameters will
/// be is not known, so a computed channel is any that can get there.
fn created(
    program: &Program,
    objects: &ObjectTable,
    uses_of: &[&[TransitionUses]],
    next: &[Vec<Touched>],
) -> Vec<Touched> {
    let mut created: Vec<Touched> = Vec::new();
    for uses in uses_of {
        let mut touched = Touched::none(objects);
        for used in uses.iter().flat_map(|t| &t.uses) {
            touched.add(&used.stable().by_anyone(), objects, Level::Stable);
        }
        let own = touched.own;
        for index in (0..64).filter(|i| own >> i & 1 == 1) {
            for object in objects.owned_by_type(program, created.len(), index) {
                touched.insert(object);
            }
        }
        touched.own = 0;
        touched.everything |= next[created.len()].iter().any(|n| n.everything);
        created.push(touched);
    }
    loop {
        let mut changed = false;
        for (kind, uses) in uses_of.iter().enumerate() {
            for &run in uses.iter().flat_map(|t| &t.runs) {
                let other = created[run].clone();
                changed |= created[kind].unite(&other);
            }
        }
        if !changed {
            return created;
        }
    }
}

fn next(
    process: &ProcessType,
    uses: &[TransitionUses],
    regions: &[Option<Region>],
    objects: &ObjectTable,
) -> Vec<Touched> {
    let mut out = vec![Touched::none(objects); process.locations.len()];
    // What is executed only when nothing else can be is never what comes next.
    for (transition, used) in process.transitions.iter().zip(uses).filter(|(_, used)| !used.last_resort) {
        let touched = &mut out[transition.from.index()];
        used.uses.iter().for_each(|u| touched.add(u, objects, Level::Local));
        touched.everything |= used.everything;
        if let Some(region) = regions[transition.to.index()].as_ref().filter(|_| transition.atomic) {
            region.uses.iter().for_each(|u| touched.add(u, objects, Level::Stable));
            touched.everything |= region.everything;
        }
        touched.local &= !touched.everything;
    }
    out
}

fn support(
    process: &ProcessType,
    uses: &[TransitionUses],
    next: &[Touched],
    objects: &ObjectTable,
    created: &[Touched],
) -> (Vec<Touched>, Touched) {
    let mut whole = Touched::none(objects);
    let mut own = Vec::new();
    for used in uses {
        let mut touched = Touched::none(objects);
        if used.last_resort {
            own.push(touched);
            continue;
        }
        used.uses.iter().for_each(|u| touched.add(&u.stable(), objects, Level::Stable));
        touched.everything |= used.everything;
        for &run in &used.runs {
            touched.unite(&created[run]);
        }
        whole.unite(&touched);
        own.push(touched);
    }
    let mut out = vec![Touched::none(objects); process.locations.len()];
    for (transition, touched) in process.transitions.iter().zip(&own) {
        out[transition.from.index()].unite(touched);
    }
    // An atomic region whose control may pass to another process does what that process does.
    for (location, next) in next.iter().enumerate() {
        out[location].everything |= next.everything;
        whole.everything |= next.everything;
    }
    // Backwards, because most transitions lead forwards.
    loop {
        let mut changed = false;
        for transition in process.transitions.iter().rev() {
            let (from, to) = (transition.from.index(), transition.to.index());
            if from != to {
                let later = out[to].clone();
                changed |= out[from].unite(&later);
            }
        }
        if !changed {
            return (out, whole);
        }
    }
}
