//! Trace assertions woven into a program: a variable follows the automaton, and an assertion fails where the events go wrong.
//!
//! Every send and receive on a channel that the trace mentions becomes an event of the statement that performs it. So
//! a trace assertion is checked with the assertions of a model, under every search, and a run that breaks it is shown as
//! any other. An event that a `trace` has no transition for is wrong; a `notrace` is wrong once its end is reached, and gives up at
//! the first event that it has no transition for. What the automaton does must be told by the event alone: a trace in which two
//! transitions may fit one event, or that has conditions of its own, is refused. Unlike SPIN, a run that ends before a
//! trace does is no error.

use crate::Refused;
use mazurka_program::Program;
use mazurka_program::ir::{
    BinaryOperator, ChannelIndex, ChannelRef, Effect, Expression, GlobalId, LocationId, Pattern, ProcessType,
    Property, PropertyKind, Target, Transition, Type, Variable, VariableRef,
};
use std::collections::HashMap;

/// Weaves the trace assertions of a program into it. Those that can't be are given back, with the reason.
pub fn weave(program: &mut Program) -> Vec<(Property, Refused)> {
    let (traces, others): (Vec<Property>, Vec<Property>) = std::mem::take(&mut program.properties)
        .into_iter()
        .partition(|property| matches!(property.kind, PropertyKind::Trace { .. }));
    program.properties = others;
    let mut refused = Vec::new();
    for property in traces {
        if let PropertyKind::Trace { automaton, sends, negated } = &property.kind {
            match Weaving::new(program, automaton, sends, *negated) {
                Ok(weaving) => weaving.apply(program, &property),
                Err(why) => refused.push((property, Refused::Trace(why))),
            }
        }
    }
    refused
}

/// An event that a trace waits for: sends or receives on a channel.
type Kind = (bool, ChannelIndex);

/// Variables for the fields of messages while an event is looked at.
type Copies = HashMap<(Kind, usize), GlobalId>;

/// A transition of a trace.
struct Awaited {
    from: i32,
    to: i32,
    /// What the fields of the message must be, where that matters.
    fields: Vec<Option<Expression>>,
}

struct Weaving {
    awaited: HashMap<Kind, Vec<Awaited>>,
    start: i32,
    /// The value behind an event that there is no transition for.
    missed: i32,
    /// The value that must not be reached.
    wrong: i32,
}

impl Weaving {
    fn new(
        program: &Program,
        automaton: &ProcessType,
        sends: &[bool],
        negated: bool,
    ) -> Result<Weaving, &'static str> {
        if program.overflow {
            return Err("a trace where messages may be lost");
        }
        let named = |channel: &Expression| matches!(channel, Expression::Channel(_));
        let transitions = || program.types.iter().flat_map(|process| &process.transitions);
        if !transitions().flat_map(|one| &one.effects).all(|effect| match effect {
            Effect::Send { channel, .. } | Effect::Receive { channel, .. } => named(channel),
            _ => true,
        }) {
            return Err("a trace in a program with channels behind variables");
        }
        let count = automaton.locations.len() as i32;
        let (end, missed) = (count, count + 1);
        let place = |location: LocationId| settle(automaton, location, end);
        let mut awaited: HashMap<Kind, Vec<Awaited>> = HashMap::new();
        for (transition, send) in automaton.transitions.iter().zip(sends) {
            if is_silent(transition) {
                continue;
            }
            let (kind, fields) = event(transition, *send)?;
            let from = transition.from.0 as i32;
            awaited.entry(kind).or_default().push(Awaited { from, to: place(transition.to)?, fields });
        }
        for (location, _) in automaton.locations.iter().enumerate() {
            let here = automaton.transitions.iter().filter(|one| one.from.index() == location);
            if here.clone().count() > 1 && here.clone().any(is_silent) {
                return Err("a trace with an alternative that is no event");
            }
        }
        for all in awaited.values() {
            for (index, one) in all.iter().enumerate() {
                if all[..index].iter().any(|other| other.from == one.from && !are_apart(one, other)) {
                    return Err("a trace in which two transitions may fit one event");
                }
            }
        }
        let wrong = if negated { end } else { missed };
        Ok(Weaving { awaited, start: place(automaton.start)?, missed, wrong })
    }

    fn apply(&self, program: &mut Program, property: &Property) {
        let variable = |name: String, ty: Type, initial: i32| Variable {
            name,
            ty,
            length: None,
            initial: vec![initial],
            names: None,
            span: property.span,
        };
        let place = GlobalId(program.globals.len() as u32);
        let ty = if self.missed < 256 { Type::Byte } else { Type::Short };
        program.globals.push(variable(property.name.clone(), ty, self.start));
        // In a handshake one process stores what it sends while the other has what it receives, so each end has its own.
        let mut hidden: Copies = HashMap::new();
        let mut kinds: Vec<Kind> = self.awaited.keys().copied().collect();
        kinds.sort_by_key(|(send, channel)| (channel.0, *send));
        for kind in kinds {
            let declared = program.channels[kind.1.index()].clone();
            for (field, ty) in declared.fields.iter().enumerate() {
                hidden.insert((kind, field), GlobalId(program.globals.len() as u32));
                let end = if kind.0 { "sent" } else { "received" };
                let name = format!("{}_{}_{end}_{field}", property.name, declared.name);
                program.globals.push(variable(name, *ty, 0));
            }
        }
        for process in &mut program.types {
            for transition in &mut process.transitions {
                let effects = std::mem::take(&mut transition.effects);
                for effect in effects {
                    self.weave_effect(effect, place, &hidden, &mut transition.effects);
                }
            }
        }
    }

    /// Adds an effect and what becomes of the trace behind it.
    fn weave_effect(&self, effect: Effect, place: GlobalId, hidden: &Copies, out: &mut Vec<Effect>) {
        let named = |channel: &Expression| match channel {
            Expression::Channel(ChannelRef::Global(channel)) => Some(*channel),
            _ => None,
        };
        let assign = |target: Target, value: Expression| Effect::Assign { target, value };
        match effect {
            Effect::Send { channel, fields, sorted } => {
                let kind = named(&channel).map(|channel| (true, channel));
                out.push(Effect::Send { channel, fields: fields.clone(), sorted });
                let Some((kind, awaited)) = kind.and_then(|kind| Some((kind, self.awaited.get(&kind)?)))
                else {
                    return;
                };
                // Stored as the channel stores it: cut to the type of its field.
                let copy = |(field, value): (usize, Expression)| Some((*hidden.get(&(kind, field))?, value));
                let copies: Vec<(GlobalId, Expression)> =
                    fields.into_iter().enumerate().filter_map(copy).collect();
                for (copy, value) in &copies {
                    out.push(assign((*copy).into(), value.clone()));
                }
                let values = copies.iter().map(|(copy, _)| (*copy).into()).collect::<Vec<Expression>>();
                out.extend(self.advance(place, awaited, &values));
                out.extend(copies.into_iter().map(|(copy, _)| assign(copy.into(), 0.into())));
            }
            Effect::Receive { channel, patterns, anywhere, keep } => {
                let kind = named(&channel).filter(|_| !keep).map(|channel| (false, channel));
                let Some((kind, awaited)) = kind.and_then(|kind| Some((kind, self.awaited.get(&kind)?)))
                else {
                    out.push(Effect::Receive { channel, patterns, anywhere, keep });
                    return;
                };
                // Everything is received into copies, and stored where it belongs behind the event.
                let (mut received, mut values, mut later) = (Vec::new(), Vec::new(), Vec::new());
                for (field, pattern) in patterns.into_iter().enumerate() {
                    // A receive with more fields than its channel has is refused later.
                    let Some(&copy) = hidden.get(&(kind, field)) else {
                        received.push(pattern);
                        continue;
                    };
                    match pattern {
                        Pattern::Match(value) => {
                            values.push(value.clone());
                            received.push(Pattern::Match(value));
                            continue;
                        }
                        Pattern::Bind(target) => later.push(assign(target, copy.into())),
                        Pattern::Ignore => {}
                    }
                    values.push(copy.into());
                    received.push(Pattern::Bind(copy.into()));
                    later.push(assign(copy.into(), 0.into()));
                }
                out.push(Effect::Receive { channel, patterns: received, anywhere, keep });
                out.extend(self.advance(place, awaited, &values));
                out.extend(later);
            }
            other => out.push(other),
        }
    }

    /// The automaton's move on a message with these fields.
    fn advance(&self, place: GlobalId, awaited: &[Awaited], values: &[Expression]) -> [Effect; 2] {
        let equal = |left: Expression, right: Expression| {
            Expression::Binary(BinaryOperator::Equal, Box::new(left), Box::new(right))
        };
        let mut next = Expression::Constant(self.missed);
        for one in awaited {
            let mut fits = equal(place.into(), one.from.into());
            for (value, wanted) in values.iter().zip(&one.fields) {
                if let Some(wanted) = wanted {
                    let same = equal(value.clone(), wanted.clone());
                    fits = Expression::Binary(BinaryOperator::And, Box::new(fits), Box::new(same));
                }
            }
            next = Expression::Conditional(Box::new(fits), Box::new(one.to.into()), Box::new(next));
        }
        let fine =
            Expression::Binary(BinaryOperator::NotEqual, Box::new(place.into()), Box::new(self.wrong.into()));
        [Effect::Assign { target: place.into(), value: next }, Effect::Assert(fine)]
    }
}

/// Whether a transition of a trace is no event.
fn is_silent(transition: &Transition) -> bool {
    transition.effects.is_empty()
}

/// The event that a transition waits for.
fn event(transition: &Transition, send: bool) -> Result<(Kind, Vec<Option<Expression>>), &'static str> {
    let (Effect::Receive { channel: Expression::Channel(ChannelRef::Global(channel)), patterns, .. }, 1) =
        (&transition.effects[0], transition.effects.len())
    else {
        return Err("a trace of something other than sends and receives on global channels");
    };
    if !transition.guard.is_empty() || transition.otherwise || transition.escape != 0 {
        return Err("a trace with conditions of its own");
    }
    let mut fields = Vec::new();
    for pattern in patterns {
        fields.push(match pattern {
            Pattern::Match(value) => {
                if !is_global(value) {
                    return Err("a trace with variables of its own");
                }
                Some(value.clone())
            }
            Pattern::Bind(_) => return Err("a trace with variables of its own"),
            Pattern::Ignore => None,
        });
    }
    Ok(((send, *channel), fields))
}

/// Whether an expression means the same whoever evaluates it.
fn is_global(expression: &Expression) -> bool {
    let mut global = true;
    expression.clone().rewrite(&mut |part| {
        global &= !matches!(
            part,
            Expression::Variable(VariableRef::Local(_))
                | Expression::Element(VariableRef::Local(_), _)
                | Expression::Channel(ChannelRef::Own(_))
                | Expression::Pid
        );
    });
    global
}

/// Whether no message fits both.
fn are_apart(one: &Awaited, other: &Awaited) -> bool {
    one.fields
        .iter()
        .zip(&other.fields)
        .any(|pair| matches!(pair, (Some(Expression::Constant(a)), Some(Expression::Constant(b))) if a != b))
}

/// The value of the variable where the automaton stands at a location: that of the first one from there that has an event, or
/// the end.
fn settle(automaton: &ProcessType, mut location: LocationId, end: i32) -> Result<i32, &'static str> {
    for _ in 0..=automaton.locations.len() {
        let mut here = automaton.transitions.iter().filter(|one| one.from == location);
        match here.next() {
            None => return Ok(end),
            Some(only) if is_silent(only) => {
                if !only.guard.is_empty() || only.otherwise {
                    return Err("a trace with conditions of its own");
                }
                location = only.to;
            }
            Some(_) => return Ok(location.0 as i32),
        }
    }
    Err("a trace that goes round without an event")
}
