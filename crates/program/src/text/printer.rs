//! From a program to its text. Parsing the text gives the program back, places in the source apart.

use super::names::{OPERATORS, PREFIX, PRIMARY, operation_name, type_name, written};
use crate::ir::{
    Channel, ChannelRef, DeclaredObject, Effect, Expression, Location, LocationId, Pattern, ProcessQuestion,
    ProcessType, Program, RemotePart, Target, Transition, Type, UnaryOperator, Variable, VariableRef,
};
use mazurka_model::OperationKind;
use std::fmt::Write;

/// The text of a whole program.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    if !program.name.is_empty() {
        let _ = writeln!(out, "program {}", written(&program.name));
    }
    if program.process_limit != crate::ir::DEFAULT_PROCESS_LIMIT {
        let _ = writeln!(out, "limit {}", program.process_limit);
    }
    if program.overflow {
        let _ = writeln!(out, "overflow");
    }
    if program.channel_limit != crate::ir::HIGHEST_CHANNEL_LIMIT {
        let _ = writeln!(out, "limit {} channels", program.channel_limit);
    }
    let top = Printer { program, process: None };
    for variable in &program.globals {
        let _ = writeln!(out, "var {}", top.variable(variable));
    }
    for channel in &program.channels {
        let _ = writeln!(out, "chan {}", top.channel_declaration(channel));
    }
    for object in &program.objects {
        let _ = write!(out, "{} {}", object.kind.keyword(), written(&object.name));
        if let Some(parameter) = object.kind.parameter() {
            let _ = write!(out, " = {parameter}");
        }
        out.push('\n');
    }
    for process in &program.types {
        out.push('\n');
        Printer { program, process: Some(process) }.process(process, &mut out);
    }
    if !program.initial.is_empty() {
        let starts: Vec<String> = program
            .initial
            .iter()
            .map(|start| {
                let process = &program.types[start.process.index()];
                let arguments: Vec<String> = start
                    .arguments
                    .iter()
                    .zip(&process.locals)
                    .map(|(value, parameter)| top.initial_value(*value, parameter.ty))
                    .collect();
                let priority = match start.priority {
                    0 => String::new(),
                    priority => format!(" priority {priority}"),
                };
                format!("{}({}){priority}", written(&process.name), arguments.join(", "))
            })
            .collect();
        let _ = write!(out, "\nstart {}\n", starts.join(", "));
    }
    out
}

/// The text of a transition without its locations: `when x > 0 do x = 0`.
pub fn print_transition(program: &Program, process: &ProcessType, transition: &Transition) -> String {
    Printer { program, process: Some(process) }.body(transition)
}

/// The text of an expression in a process, or of one over globals alone.
pub fn print_expression(program: &Program, process: Option<&ProcessType>, expression: &Expression) -> String {
    Printer { program, process }.expression(expression, 0)
}

struct Printer<'a> {
    program: &'a Program,
    process: Option<&'a ProcessType>,
}

impl Printer<'_> {
    fn variable(&self, variable: &Variable) -> String {
        let mut out = format!("{}: {}", written(&variable.name), type_name(variable.ty));
        if let Some(length) = variable.length {
            let _ = write!(out, "[{length}]");
        }
        let values: Vec<String> =
            variable.initial.iter().map(|v| self.initial_value(*v, variable.ty)).collect();
        match (variable.length, values.as_slice()) {
            (_, []) => {}
            (None, [value]) => out += &format!(" = {value}"),
            _ => out += &format!(" = [{}]", values.join(", ")),
        }
        out
    }

    fn initial_value(&self, value: i32, ty: Type) -> String {
        let index = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
        match index.and_then(|i| self.program.channels.get(i)) {
            Some(channel) if ty == Type::Channel => written(&channel.name),
            _ => value.to_string(),
        }
    }

    fn channel_declaration(&self, channel: &Channel) -> String {
        let fields: Vec<String> = channel.fields.iter().map(|ty| type_name(*ty)).collect();
        format!("{}[{}]: {}", written(&channel.name), channel.capacity, fields.join(", "))
    }

    fn process(&self, process: &ProcessType, out: &mut String) {
        let (parameters, locals) = process.locals.split_at(process.parameters);
        let parameters: Vec<String> = parameters.iter().map(|p| self.variable(p)).collect();
        let _ = writeln!(out, "process {}({}) {{", written(&process.name), parameters.join(", "));
        for local in locals {
            let _ = writeln!(out, "  local {}", self.variable(local));
        }
        for channel in &process.channels {
            let _ = writeln!(out, "  chan {}", self.channel_declaration(channel));
        }
        for Location { name, end, progress, accept, committed, .. } in &process.locations {
            out.push_str("  ");
            for (flag, word) in
                [(end, "end "), (progress, "progress "), (accept, "accept "), (committed, "urgent ")]
            {
                if *flag {
                    out.push_str(word);
                }
            }
            let _ = writeln!(out, "location {}", written(name));
        }
        for (target, value) in &process.prologue {
            let effect = Effect::Assign { target: target.clone(), value: value.clone() };
            let _ = writeln!(out, "  initially {}", self.effect(&effect));
        }
        let _ = writeln!(out, "  start {}", self.location(process, process.start));
        for transition in &process.transitions {
            let (from, to) = (self.location(process, transition.from), self.location(process, transition.to));
            let body = self.body(transition);
            let space = if body.is_empty() { "" } else { " " };
            let _ = writeln!(out, "  {from} -> {to}{space}{body}");
        }
        out.push_str("}\n");
    }

    fn location(&self, process: &ProcessType, id: LocationId) -> String {
        process.locations.get(id.index()).map_or_else(|| "?".into(), |l| written(&l.name))
    }

    fn body(&self, transition: &Transition) -> String {
        let mut parts = Vec::new();
        if transition.otherwise {
            parts.push("otherwise".to_string());
        }
        if transition.atomic {
            parts.push("holding".to_string());
        }
        if transition.group != 0 {
            parts.push(format!("in_group {}", transition.group));
        }
        if transition.escape != 0 {
            parts.push(format!("escaping {}", transition.escape));
        }
        if !transition.guard.is_empty() {
            let guard: Vec<String> = transition.guard.iter().map(|e| self.expression(e, 0)).collect();
            parts.push(format!("when {}", guard.join(", ")));
        }
        if !transition.effects.is_empty() {
            let effects: Vec<String> = transition.effects.iter().map(|e| self.effect(e)).collect();
            parts.push(format!("do {}", effects.join("; ")));
        }
        parts.join(" ")
    }

    fn effect(&self, effect: &Effect) -> String {
        match effect {
            Effect::Assign { target, value } => {
                let value_text = match value {
                    // Without parentheses this would be an operation that stores its output.
                    Expression::Observe { .. } => format!("({})", self.expression(value, 0)),
                    _ => self.expression(value, 0),
                };
                format!("{} = {value_text}", self.target(target))
            }
            Effect::Send { channel, fields, sorted } => {
                let mut fields: Vec<String> = fields.iter().map(|e| self.expression(e, 0)).collect();
                if let Some(first) = fields.first_mut().filter(|f| f.starts_with('!')) {
                    *first = format!("({first})");
                }
                let sign = if *sorted { "!!" } else { "!" };
                format!("{}{sign}{}", self.expression(channel, PRIMARY), fields.join(", "))
            }
            Effect::Receive { channel, patterns, anywhere, keep } => {
                let peek = if *keep { "peek " } else { "" };
                let sign = if *anywhere { "??" } else { "?" };
                format!("{peek}{}{sign}{}", self.expression(channel, PRIMARY), self.patterns(patterns))
            }
            Effect::Operate { object, kind, operands, target } => {
                format!("{}{}", self.stored(target), self.operation(*object, *kind, operands))
            }
            Effect::Run { process, arguments, target } => {
                let name =
                    self.program.types.get(process.index()).map_or_else(|| "?".into(), |p| written(&p.name));
                format!("{}run {name}({})", self.stored(target), self.list(arguments))
            }
            Effect::Assert(e) => format!("assert {}", self.expression(e, 0)),
            Effect::Print { format, arguments } => {
                let arguments = arguments.iter().map(|(e, _)| format!(", {}", self.expression(e, 0)));
                format!("print \"{format}\"{}", arguments.collect::<String>())
            }
            Effect::SetPriority { process, priority } => {
                format!("_priority({}) = {}", self.expression(process, 0), self.expression(priority, 0))
            }
            Effect::Exit => "exit".into(),
        }
    }

    fn remote(&self, process: usize, instance: Option<&Expression>, part: &RemotePart) -> String {
        let Some(process) = self.program.types.get(process) else { return "?".into() };
        let instance = instance.map_or_else(String::new, |e| format!("[{}]", self.expression(e, 0)));
        let local = |id: crate::ir::LocalId| {
            process.locals.get(id.index()).map_or_else(|| "?".into(), |v| written(&v.name))
        };
        let part = match part {
            RemotePart::At(location) => format!("at {}", self.location(process, *location)),
            RemotePart::Variable(id) => local(*id),
            RemotePart::Element(id, index) => format!("{}[{}]", local(*id), self.expression(index, 0)),
        };
        format!("_of({}{instance}, {part})", written(&process.name))
    }

    fn stored(&self, target: &Option<Target>) -> String {
        target.as_ref().map_or_else(String::new, |t| format!("{} = ", self.target(t)))
    }

    fn list(&self, expressions: &[Expression]) -> String {
        let parts: Vec<String> = expressions.iter().map(|e| self.expression(e, 0)).collect();
        parts.join(", ")
    }

    fn patterns(&self, patterns: &[Pattern]) -> String {
        let parts: Vec<String> = patterns
            .iter()
            .map(|pattern| match pattern {
                Pattern::Bind(target) => self.target(target),
                Pattern::Match(e @ (Expression::Variable(_) | Expression::Element(..))) => {
                    format!("({})", self.expression(e, 0))
                }
                Pattern::Match(e) => self.expression(e, 0),
                Pattern::Ignore => "_".into(),
            })
            .collect();
        parts.join(", ")
    }

    fn operation(&self, object: DeclaredObject, kind: OperationKind, operands: &[Expression]) -> String {
        let Some(declared) = self.program.objects.get(object.index()) else { return "?".into() };
        let instance = declared.kind.instantiate();
        let name = instance.kinds().get(kind.index()).map_or("?", |k| k.name);
        format!("{}.{}({})", self.global(&declared.name), operation_name(name), self.list(operands))
    }

    /// A name of the program's, marked where a name of the process hides it.
    fn global(&self, name: &str) -> String {
        let hidden = self.process.is_some_and(|p| {
            p.locals.iter().any(|l| l.name == name) || p.channels.iter().any(|c| c.name == name)
        });
        format!("{}{}", if hidden { "::" } else { "" }, written(name))
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Variable(v) => self.name(*v),
            Target::Element(v, index) => format!("{}[{}]", self.name(*v), self.expression(index, 0)),
        }
    }

    fn name(&self, variable: VariableRef) -> String {
        match variable {
            VariableRef::Global(id) => {
                self.program.globals.get(id.index()).map_or_else(|| "?".into(), |v| self.global(&v.name))
            }
            VariableRef::Local(id) => self
                .process
                .and_then(|p| p.locals.get(id.index()))
                .map_or_else(|| "?".into(), |v| written(&v.name)),
        }
    }

    fn channel_name(&self, channel: ChannelRef) -> String {
        match channel {
            ChannelRef::Global(id) => {
                self.program.channels.get(id.index()).map_or_else(|| "?".into(), |c| self.global(&c.name))
            }
            ChannelRef::Own(id) => self
                .process
                .and_then(|p| p.channels.get(id.index()))
                .map_or_else(|| "?".into(), |c| written(&c.name)),
        }
    }

    /// An expression where something that binds less tightly than `tightness` needs parentheses.
    fn expression(&self, expression: &Expression, tightness: u8) -> String {
        let (text, own) = match expression {
            Expression::Constant(value) if *value < 0 => (value.to_string(), PREFIX),
            Expression::Constant(value) => (value.to_string(), PRIMARY),
            Expression::Variable(v) => (self.name(*v), PRIMARY),
            Expression::Element(v, index) => {
                (format!("{}[{}]", self.name(*v), self.expression(index, 0)), PRIMARY)
            }
            Expression::Channel(channel) => (self.channel_name(*channel), PRIMARY),
            Expression::Pid => ("_pid".into(), PRIMARY),
            Expression::ProcessCount => ("_processes".into(), PRIMARY),
            Expression::Timeout => ("_timeout".into(), PRIMARY),
            Expression::NonProgress => ("_nonprogress".into(), PRIMARY),
            Expression::Process(question, process) => {
                let word = match question {
                    ProcessQuestion::Enabled => "_enabled",
                    ProcessQuestion::Location => "_location",
                    ProcessQuestion::Priority => "_priority",
                };
                (format!("{word}({})", self.expression(process, 0)), PRIMARY)
            }
            Expression::Remote { process, instance, part } => {
                (self.remote(process.index(), instance.as_deref(), part), PRIMARY)
            }
            Expression::Unary(operator, a) => {
                let sign = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Complement => "~",
                };
                // A negated constant in parentheses is not the same as a negative constant.
                let a = match (operator, &**a) {
                    (UnaryOperator::Negate, Expression::Constant(_)) => {
                        format!("({})", self.expression(a, 0))
                    }
                    _ => self.expression(a, PREFIX),
                };
                (format!("{sign}{a}"), PREFIX)
            }
            Expression::Binary(operator, a, b) => {
                let (sign, own) = OPERATORS
                    .iter()
                    .find(|(o, _, _)| o == operator)
                    .map_or(("?", 0), |(_, sign, own)| (*sign, *own));
                (format!("{} {sign} {}", self.expression(a, own), self.expression(b, own + 1)), own)
            }
            Expression::Conditional(a, b, c) => {
                let (a, b, c) = (self.expression(a, 1), self.expression(b, 0), self.expression(c, 0));
                (format!("{a} ? {b} : {c}"), 0)
            }
            Expression::Length(channel) => (format!("len({})", self.expression(channel, 0)), PRIMARY),
            Expression::Empty(channel) => (format!("empty({})", self.expression(channel, 0)), PRIMARY),
            Expression::Full(channel) => (format!("full({})", self.expression(channel, 0)), PRIMARY),
            Expression::Poll { channel, patterns, anywhere } => {
                let sign = if *anywhere { "??" } else { "?" };
                let channel = self.expression(channel, PRIMARY);
                (format!("{channel}{sign}[{}]", self.patterns(patterns)), PRIMARY)
            }
            Expression::Observe { object, kind, operands } => {
                (self.operation(*object, *kind, operands), PRIMARY)
            }
        };
        if own < tightness { format!("({text})") } else { text }
    }
}
