//! Programs whose processes can't tell which numbers processes have.
//!
//! The number of a process is its slot, which is the first free one when it is created; the youngest is removed first. In the programs that are found here, states
//! that differ only in that, or in processes that have ended and were not removed yet, are alike: what can be done in the one can be done in
//! the other, the same goes wrong, and it leads to states that are alike. So they keep what `engine::reduce::numbers` asks of a system. What could tell, and is therefore excluded:
//!
//! - the number of a process, of all processes, or of one that is created; questions about others, priorities, and objects of the library, some of which
//!   note who uses them;
//! - an end that is more than that: one with a condition, beside other transitions, inside of an atomic region, or that is no valid one;
//! - what waits until nothing can move, because a removal is a move, and whatever is said to depend on everything;
//! - the limits of processes and channels. Which of them is met depends on who was removed before, so there must be fewer processes in each
//!   run than any limit, removed ones included (`creations`). So no run creates infinitely many, either;
//! - the number of a channel that a process owns. It depends on who is older. It may be passed on to processes that its owner creates, as a
//!   parameter, and used as a channel, and nothing else: not be stored, sent, compared or computed. Who knows it is then a descendant of the
//!   owner, so younger, and an owner that is removed, the youngest of all, has no descendants: nobody uses a channel that is gone, or takes another one for it.

use super::Analysis;
use super::creations::most_processes;
use crate::interpreter::Interpreter;
use crate::interpreter::layout;
use crate::interpreter::machine::ProcessAt;
use crate::ir::{
    ChannelRef, Effect, Expression, LocalId, Pattern, ProcessType, Program, Target, Type, VariableRef,
};

/// Whether numbers of processes might not count, as far as a quick look tells.
pub(crate) fn may_be_hidden(program: &Program) -> bool {
    let tells = |e: &Expression| {
        matches!(
            e,
            Expression::Pid
                | Expression::ProcessCount
                | Expression::Timeout
                | Expression::NonProgress
                | Expression::Remote { .. }
                | Expression::Process(..)
                | Expression::Observe { .. }
        )
    };
    !program.is_static()
        && program.objects.is_empty()
        && !program.uses_priorities()
        && program.types.iter().all(ends_plainly)
        && !computes(program, &tells)
        && effects(program).all(|(_, effect)| !matches!(effect, Effect::Run { target: Some(_), .. }))
}

/// Whether the numbers of processes don't count, for a program that [may be so](may_be_hidden), by an analysis that takes it to be so.
pub(crate) fn are_hidden(program: &Program, analysis: &Analysis) -> bool {
    let on_everything = analysis.transitions.iter().any(|used| used.everything || used.last_resort);
    // The same of what regions do, which says no less, but might one day say more.
    let mut regions = analysis.types.iter().flat_map(|summary| summary.regions.iter().flatten());
    if on_everything
        || regions.any(|region| region.everything)
        || !OwnChannels::new(program).stay_with_descendants()
    {
        return false;
    }
    most_processes(program, &analysis.objects).is_some_and(|most| {
        let sum = |many: &mut dyn Iterator<Item = u64>| many.fold(0_u64, u64::saturating_add);
        let channels = program.types.iter().map(|process| process.channels.len() as u64);
        let owned = sum(&mut most.iter().zip(channels).map(|(many, own)| many.saturating_mul(own)));
        sum(&mut most.iter().copied()) <= program.process_limit.into()
            && owned.saturating_add(program.channels.len() as u64) <= program.channel_limit.into()
    })
}

/// All effects, with the types that have them.
fn effects(program: &Program) -> impl Iterator<Item = (usize, &Effect)> {
    let types = program.types.iter().enumerate();
    types
        .flat_map(|(kind, process)| process.transitions.iter().map(move |t| (kind, t)))
        .flat_map(|(kind, transition)| transition.effects.iter().map(move |effect| (kind, effect)))
}

/// Whether something is computed of which a part is `wanted`. What is printed is never computed.
fn computes(program: &Program, wanted: &dyn Fn(&Expression) -> bool) -> bool {
    let mut found = false;
    for process in &program.types {
        found |= process.prologue.iter().any(|(_, value)| value.any(wanted));
        for transition in &process.transitions {
            found |= transition.guard.iter().any(|e| e.any(wanted));
            for effect in transition.effects.iter().filter(|e| !matches!(e, Effect::Print { .. })) {
                effect.for_each_part(&mut |e| found |= e.any(wanted), &mut |_| {});
            }
        }
    }
    found
}

/// Whether the end of a process is a transition that does nothing else, is always possible but for younger processes, and is the only one where it
/// stands.
fn ends_plainly(process: &ProcessType) -> bool {
    process.transitions.iter().filter(|t| t.effects.contains(&Effect::Exit)).all(|end| {
        let location = &process.locations[end.from.index()];
        let alone = process.transitions.iter().filter(|t| t.from == end.from).count() == 1;
        let held = process.transitions.iter().any(|t| t.to == end.from && t.atomic);
        let unconditional = end.guard.is_empty() && !end.otherwise && end.group == 0 && end.escape == 0;
        end.effects.len() == 1 && alone && unconditional && !held && location.end && !location.committed
    })
}

/// Which parameters hold channels that processes own.
struct OwnChannels<'p> {
    program: &'p Program,
    /// By type, then by parameter.
    holds: Vec<Vec<bool>>,
}

impl<'p> OwnChannels<'p> {
    fn new(program: &'p Program) -> OwnChannels<'p> {
        let holds = program.types.iter().map(|process| vec![false; process.parameters]).collect();
        let mut found = OwnChannels { program, holds };
        loop {
            let mut changed = false;
            for (kind, effect) in effects(program) {
                let Effect::Run { process, arguments, .. } = effect else { continue };
                for (parameter, argument) in arguments.iter().enumerate() {
                    if found.is_own(kind, argument) {
                        let holds = &mut found.holds[process.index()][parameter];
                        changed |= !std::mem::replace(holds, true);
                    }
                }
            }
            if !changed {
                return found;
            }
        }
    }

    fn holds(&self, kind: usize, variable: VariableRef) -> bool {
        matches!(variable, VariableRef::Local(LocalId(index))
            if self.holds[kind].get(index as usize).is_some_and(|holds| *holds))
    }

    /// Whether an expression is such a channel, by its name or as a parameter.
    fn is_own(&self, kind: usize, expression: &Expression) -> bool {
        match expression {
            Expression::Channel(ChannelRef::Own(_)) => true,
            Expression::Variable(variable) => self.holds(kind, *variable),
            _ => false,
        }
    }

    /// Whether channels that processes own are known only to those whom their owner created, and to whom these created, and are only
    /// used as channels.
    fn stay_with_descendants(&self) -> bool {
        if self.program.types.iter().all(|process| process.channels.is_empty()) {
            return true;
        }
        let types = self.program.types.iter().enumerate();
        let parameters = types.clone().all(|(kind, process)| {
            let initial = self.program.initial.iter().any(|start| start.process.index() == kind);
            let held = process.locals.iter().zip(&self.holds[kind]).filter(|(_, holds)| **holds);
            held.into_iter().all(|(local, _)| !initial && local.ty == Type::Channel && local.length.is_none())
        });
        parameters
            && types.clone().all(|(kind, process)| {
                process
                    .prologue
                    .iter()
                    .all(|(target, value)| self.stores(kind, target) && self.is_apart(kind, value))
                    && process.transitions.iter().flat_map(|t| &t.guard).all(|e| self.is_apart(kind, e))
            })
            && effects(self.program).all(|(kind, effect)| self.keeps(kind, effect))
    }

    /// Whether an effect does no more with such channels than it may.
    fn keeps(&self, kind: usize, effect: &Effect) -> bool {
        let apart = |e: &Expression| self.is_apart(kind, e);
        let stores = |target: &Target| self.stores(kind, target);
        match effect {
            Effect::Send { channel, fields, .. } => {
                self.is_channel(kind, channel) && fields.iter().all(apart)
            }
            Effect::Receive { channel, patterns, .. } => {
                self.is_channel(kind, channel) && patterns.iter().all(|pattern| self.takes(kind, pattern))
            }
            Effect::Run { process, arguments, .. } => {
                let parameters = &self.holds[process.index()];
                arguments.iter().zip(parameters).all(|(argument, holds)| {
                    let channel = matches!(argument, Expression::Channel(_)) || self.is_own(kind, argument);
                    if *holds { channel } else { apart(argument) }
                })
            }
            Effect::Print { .. } | Effect::Exit => true,
            Effect::Assign { target, value } => stores(target) && apart(value),
            Effect::Assert(e) => apart(e),
            Effect::Operate { .. } | Effect::SetPriority { .. } => false,
        }
    }

    fn takes(&self, kind: usize, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Bind(target) => self.stores(kind, target),
            Pattern::Match(e) => self.is_apart(kind, e),
            Pattern::Ignore => true,
        }
    }

    /// Whether something may be stored here.
    fn stores(&self, kind: usize, target: &Target) -> bool {
        let index = match target {
            Target::Variable(_) => true,
            Target::Element(_, index) => self.is_apart(kind, index),
        };
        index && !self.holds(kind, target.variable())
    }

    /// Whether an expression that is used as a channel is one by its name, or such a parameter. A number that is computed could be that of any
    /// channel.
    fn is_channel(&self, kind: usize, expression: &Expression) -> bool {
        matches!(expression, Expression::Channel(_)) || self.is_own(kind, expression)
    }

    /// Whether the value of an expression has nothing to do with the numbers of such channels.
    fn is_apart(&self, kind: usize, expression: &Expression) -> bool {
        let patterns = match expression {
            Expression::Length(channel) | Expression::Empty(channel) | Expression::Full(channel) => {
                return self.is_channel(kind, channel);
            }
            Expression::Poll { channel, patterns, .. } if self.is_channel(kind, channel) => patterns,
            Expression::Poll { .. } => return false,
            other if self.is_own(kind, other) => return false,
            other => {
                let mut apart = true;
                other.for_each_operand(&mut |operand| apart = apart && self.is_apart(kind, operand));
                return apart;
            }
        };
        patterns.iter().all(|pattern| matches!(pattern, Pattern::Bind(_)) || self.takes(kind, pattern))
    }
}

impl Interpreter {
    /// Whether a process has ended, where numbers don't count.
    fn has_ended(&self, state: &[u8], at: ProcessAt) -> bool {
        let mut moves = self.machine.location(state, at).transitions.indices();
        moves.next().is_some_and(|index| self.is_end(index))
    }

    /// Whether a transition, by its index in the code, ends its process and does nothing that counts.
    pub(super) fn is_end(&self, index: usize) -> bool {
        let objects = &self.analysis.objects;
        !objects.is_static && !objects.numbered && self.machine.ends(index)
    }

    /// What of a process counts: its bytes, and in place of the numbers of channels what their owners look like.
    fn looks(&self, state: &[u8], at: ProcessAt, own: &OwnChannels<'_>, out: &mut Vec<u8>) {
        let frame = &self.machine.layout.frames[at.kind];
        let mut bytes = state[at.frame..at.frame + frame.size as usize].to_vec();
        let mut owners = Vec::new();
        for (slot, _) in frame.locals.iter().zip(&own.holds[at.kind]).filter(|(_, holds)| **holds) {
            let number = layout::read(&bytes, slot.offset as usize, slot.ty);
            if let Some((_, owner, index)) =
                u32::try_from(number).ok().and_then(|n| self.machine.owner(state, n))
            {
                layout::write(&mut bytes, slot.offset as usize, slot.ty, 0);
                owners.push(index as u8);
                self.looks(state, owner, own, &mut owners);
            }
        }
        out.extend_from_slice(&(bytes.len() as u32 + owners.len() as u32).to_le_bytes());
        out.append(&mut bytes);
        out.append(&mut owners);
    }

    /// What of a state counts if numbers don't.
    pub(super) fn likeness_of(&self, state: &[u8], out: &mut Vec<u8>) {
        let own = OwnChannels::new(self.program());
        let layout = &self.machine.layout;
        out.extend_from_slice(&state[..layout.frames_begin as usize]);
        layout.count.write(out, 0, 0);
        let mut all: Vec<Vec<u8>> = Vec::new();
        for at in self.machine.processes(state).filter(|at| !self.has_ended(state, *at)) {
            let mut looks = Vec::new();
            self.looks(state, at, &own, &mut looks);
            all.push(looks);
        }
        all.sort_unstable();
        all.iter().for_each(|looks| out.extend_from_slice(looks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use mazurka_model::System;

    const CHILD: &str =
        "process Child() { end location leave  work -> leave  leave -> leave do exit  start work }";
    const MAIN: &str = "process Main() { end location leave  begin -> leave do run Child()  leave -> leave do exit  start begin }";
    const STARTS: &str = "start Main(), Main()";

    fn system(source: &str) -> Interpreter {
        let parsed = text::parse("numbers.mzk", &format!("program numbers {source}"));
        let program = parsed.program.unwrap_or_else(|| panic!("{source}: {:?}", parsed.diagnostics));
        Interpreter::new(program).expect("a valid program")
    }

    /// Whether numbers don't count: then a process that has ended is nothing that counts.
    fn hidden(source: &str) -> bool {
        let system = system(source);
        let state = &system.machine.layout.initial;
        let mut likeness = Vec::new();
        system.relations_up_to_numbers().expect("relations").likeness(state, &mut likeness);
        // The number of processes is left out of what counts.
        likeness != *state
    }

    #[test]
    fn who_creates_and_ends_plainly_does_not_tell() {
        assert!(hidden(&format!("{CHILD} {MAIN} {STARTS}")));
        let prints = MAIN.replace("run Child()", "run Child(); print \"%d\", _pid");
        assert!(hidden(&format!("{CHILD} {prints} {STARTS}")));
        // Nothing is created or removed, so there is nothing to forget.
        assert!(!hidden("process P() { end location a  a -> a  start a } start P()"));
    }

    #[test]
    fn each_way_to_tell_is_seen() {
        let with_child = |old: &str, new: &str| {
            assert!(CHILD.contains(old), "{old}");
            hidden(&format!("var g: byte {} {MAIN} {STARTS}", CHILD.replace(old, new)))
        };
        assert!(with_child("work -> leave", "work -> leave when g == 0"));
        for asked in ["_pid == 1", "_processes == 1", "_timeout", "_enabled(0)"] {
            assert!(!with_child("work -> leave", &format!("work -> leave when {asked}")), "{asked}");
        }
        // Ends that are more than that.
        assert!(!with_child("end location leave", "location leave"));
        assert!(!with_child("do exit", "when g == 0 do exit"));
        assert!(!with_child("do exit", "do g = 1; exit"));
        assert!(!with_child("leave -> leave do exit", "leave -> leave do exit  leave -> work"));
        assert!(!with_child("end location leave", "end atomic location leave"));
        // Who is created can be told, and how many.
        let main = |main: &str, more: &str| hidden(&format!("{more} {CHILD} {main} {STARTS}"));
        let learns = MAIN.replace("run Child()", "n = run Child()").replace("{ end", "{ local n: byte  end");
        assert!(!main(&learns, ""));
        assert!(main(MAIN, "limit 4"));
        assert!(!main(MAIN, "limit 3"));
        let endless = MAIN.replace("begin -> leave do", "begin -> leave  begin -> begin do");
        assert!(!main(&endless, ""));
        assert!(!main(MAIN, "mutex lock"));
    }

    #[test]
    fn channels_are_passed_down_and_only_used() {
        let owner = "process Main() { local x: bit  chan own[1]: bit  end location leave
            begin -> wait do run Child(own)  wait -> leave do own?x  leave -> leave do exit  start begin  location wait }";
        let child = "process Child(c: chan) { end location leave  work -> leave do c!1  leave -> leave do exit  start work }";
        let with = |child: &str, owner: &str| {
            hidden(&format!("var way: chan chan q[1]: chan {child} {owner} {STARTS}"))
        };
        assert!(with(child, owner));
        for told in ["when c == 2", "do way = c", "do q!c", "do c = q", "do way!1", "do assert c != 3"] {
            assert!(!with(&child.replace("do c!1", told), owner), "{told}");
        }
        assert!(!with(child, &owner.replace("own?x", "way = own")));
        assert!(!with(child, &owner.replace("run Child(own)", "run Child(own); run Child(way)")));
        // One that is there from the beginning knows no channel that somebody owns.
        assert!(!hidden(&format!("{child} {owner} start Main(), Child(1)")));
    }

    #[test]
    fn states_that_differ_in_numbers_only_are_alike() {
        let system = system(&format!("{CHILD} {MAIN} {STARTS}"));
        let relations = system.relations_up_to_numbers().expect("relations");
        let mut classes = std::collections::BTreeSet::new();
        let mut seen = vec![system.machine.layout.initial.clone()];
        let mut next = 0;
        while next < seen.len() {
            let state = seen[next].clone();
            next += 1;
            let mut likeness = Vec::new();
            relations.likeness(&state, &mut likeness);
            classes.insert(likeness.clone());
            let (mut steps, mut batch) = (Vec::new(), mazurka_model::Batch::default());
            system.enabled(&state, &mut steps);
            system.expand(&state, mazurka_model::Chosen::All, &mut batch);
            for (index, successor) in batch.successors().iter().enumerate() {
                let mut behind = Vec::new();
                relations.likeness(batch.state(index), &mut behind);
                let removal = relations.is_removal(&state, successor.step);
                assert_eq!(
                    removal,
                    behind == likeness,
                    "a removal and nothing else changes nothing that counts"
                );
                if !seen.iter().any(|known| known == batch.state(index)) {
                    seen.push(batch.state(index).to_vec());
                }
            }
        }
        // Each of two creators has created nobody, or somebody who is at work, or who is gone; who created whom is forgotten.
        assert_eq!(classes.len(), 6);
        assert!(seen.len() > 6, "{} states", seen.len());
    }
}
