//! What the whole model says, found before anything is lowered: which variables are assigned and which
//! are read, which labels are named from outside, and which parts of the language are used that concern
//! the whole program.

use crate::promela::ast::{
    self, Declaration, Expression, ExpressionKind, Formula, FormulaKind, Initialiser, Item, Receive,
    ReceiveArgument, Reference, Sequence, Statement, StatementKind, Unit, VariableId,
};
use crate::promela::check::{Predefined, SymbolId, SymbolKind, Symbols};
use crate::promela::token::{Place, Text};
use std::collections::{HashMap, HashSet};

/// What a model says.
pub(super) struct Survey<'a> {
    symbols: &'a Symbols,
    /// Declared variables, fields included.
    pub declared: HashMap<VariableId, &'a ast::Variable>,
    /// Variables that are assigned, or that other processes look at: they have to be kept.
    pub assigned: HashSet<SymbolId>,
    /// Variables whose value matters to something other than themselves.
    pub read: HashSet<SymbolId>,
    /// Labels that are named from outside: proctype and label.
    pub labels: HashSet<(Text, Text)>,
    /// Some expression looks at `_last`.
    pub looks_at_last: bool,
    /// The first place where a priority is set or asked for.
    pub priority: Option<Place>,
    /// The first `enabled` in a process.
    pub enabled: Option<Place>,
    /// Some expression asks for a program counter.
    pub counters: bool,
}

impl<'a> Survey<'a> {
    /// Goes through a model.
    pub fn new(unit: &'a Unit, symbols: &'a Symbols) -> Survey<'a> {
        let mut survey = Survey {
            symbols,
            declared: HashMap::new(),
            assigned: HashSet::new(),
            read: HashSet::new(),
            labels: HashSet::new(),
            looks_at_last: false,
            priority: None,
            enabled: None,
            counters: false,
        };
        for item in &unit.items {
            survey.item(item);
        }
        survey
    }

    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Typedef(typedef) => typedef.fields.iter().for_each(|f| self.declaration(f)),
            Item::Proctype(proctype) => {
                proctype.parameters.iter().for_each(|p| self.declaration(p));
                proctype.provided.iter().for_each(|e| self.expression(e));
                if proctype.priority.is_some() {
                    self.priority.get_or_insert(proctype.place);
                }
                self.sequence(&proctype.body);
            }
            Item::Init(init) => {
                if init.priority.is_some() {
                    self.priority.get_or_insert(init.place);
                }
                self.sequence(&init.body);
            }
            Item::Never(never) => self.sequence(&never.body),
            Item::Trace(trace) => self.sequence(&trace.body),
            Item::Ltl(ltl) => self.formula(&ltl.formula),
            Item::Mtype(_) => {}
        }
    }

    fn declaration(&mut self, declaration: &'a Declaration) {
        for variable in &declaration.variables {
            self.declared.insert(variable.id, variable);
            match &variable.initialiser {
                None => {}
                Some(Initialiser::Value(value)) => self.expression(value),
                Some(Initialiser::List(values)) => values.iter().for_each(|e| self.expression(e)),
                Some(Initialiser::Channel(channel)) => self.expression(&channel.capacity),
            }
        }
    }

    fn assigned(&mut self, reference: &'a Reference) {
        self.assigned.extend(self.symbols.resolve(reference.id));
        self.indices(reference);
    }

    fn indices(&mut self, reference: &'a Reference) {
        reference.parts.iter().filter_map(|part| part.index.as_deref()).for_each(|e| self.expression(e));
    }

    fn read(&mut self, reference: &'a Reference) {
        self.indices(reference);
        let Some(symbol) = self.symbols.resolve(reference.id) else { return };
        self.read.insert(symbol);
        match self.symbols.get(symbol).kind {
            SymbolKind::Predefined(Predefined::Last) => self.looks_at_last = true,
            SymbolKind::Predefined(Predefined::Priority) => _ = self.priority.get_or_insert(reference.place),
            _ => {}
        }
    }

    fn sequence(&mut self, sequence: &'a Sequence) {
        sequence.statements.iter().for_each(|s| self.statement(s));
    }

    fn receive(&mut self, receive: &'a Receive, stores: bool) {
        self.read(&receive.channel);
        for argument in &receive.arguments {
            match argument {
                ReceiveArgument::Store(target) if stores => self.assigned(target),
                ReceiveArgument::Store(target) => self.indices(target),
                ReceiveArgument::Match(value) => self.expression(value),
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Expression(e) | StatementKind::Assert(e) => self.expression(e),
            StatementKind::Assign { target, value } => {
                if let Some(SymbolKind::Predefined(Predefined::Priority)) =
                    self.symbols.resolve(target.id).map(|id| &self.symbols.get(id).kind)
                {
                    self.priority.get_or_insert(target.place);
                }
                self.assigned(target);
                self.expression(value);
            }
            StatementKind::Increment(target) | StatementKind::Decrement(target) => self.assigned(target),
            StatementKind::Select { variable, from, to } => {
                self.assigned(variable);
                self.read(variable);
                self.expression(from);
                self.expression(to);
            }
            StatementKind::Send(send) => {
                self.read(&send.channel);
                send.arguments.iter().for_each(|e| self.expression(e));
            }
            StatementKind::Receive(receive) => self.receive(receive, true),
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.sequence(o));
            }
            StatementKind::ForRange { variable, from, to, body } => {
                self.assigned(variable);
                self.read(variable);
                self.expression(from);
                self.expression(to);
                self.sequence(body);
            }
            StatementKind::ForIn { variable, over, body } => {
                self.assigned(variable);
                self.read(variable);
                self.read(over);
                self.sequence(body);
            }
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                self.sequence(body);
            }
            StatementKind::Unless { main, escape } => {
                self.statement(main);
                self.statement(escape);
            }
            // What is printed matters to a simulation.
            StatementKind::Printf { arguments, .. } => arguments.iter().for_each(|e| self.expression(e)),
            StatementKind::Printm(value) => self.expression(value),
            StatementKind::SetPriority(process, priority) => {
                self.priority.get_or_insert(statement.place);
                self.expression(process);
                self.expression(priority);
            }
            StatementKind::Exclusive { .. }
            | StatementKind::Else
            | StatementKind::Break
            | StatementKind::Goto(_) => {}
        }
    }

    fn formula(&mut self, formula: &'a Formula) {
        match &formula.kind {
            FormulaKind::Atom(expression) => self.expression(expression),
            FormulaKind::Not(f)
            | FormulaKind::Always(f)
            | FormulaKind::Eventually(f)
            | FormulaKind::Next(f) => self.formula(f),
            FormulaKind::Binary(_, left, right) => {
                self.formula(left);
                self.formula(right);
            }
        }
    }

    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Number(_)
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Skip
            | ExpressionKind::Mtype(_)
            | ExpressionKind::Timeout
            | ExpressionKind::NonProgress => {}
            ExpressionKind::Reference(reference)
            | ExpressionKind::Length(reference)
            | ExpressionKind::Probe(_, reference) => self.read(reference),
            ExpressionKind::Unary(_, operand) => self.expression(operand),
            ExpressionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                self.expression(yes);
                self.expression(no);
            }
            ExpressionKind::Run { arguments, priority, .. } => {
                arguments.iter().for_each(|e| self.expression(e));
                if priority.is_some() {
                    self.priority.get_or_insert(expression.place);
                }
            }
            ExpressionKind::Poll(receive) => self.receive(receive, false),
            ExpressionKind::Enabled(process) => {
                self.enabled.get_or_insert(expression.place);
                self.expression(process);
            }
            ExpressionKind::PcValue(process) => {
                self.counters = true;
                self.expression(process);
            }
            ExpressionKind::GetPriority(process) => {
                self.priority.get_or_insert(expression.place);
                self.expression(process);
            }
            ExpressionKind::RemoteLabel { proctype, instance, label } => {
                self.labels.insert((proctype.text.clone(), label.text.clone()));
                instance.iter().for_each(|e| self.expression(e));
            }
            ExpressionKind::RemoteVariable { instance, variable, .. } => {
                instance.iter().for_each(|e| self.expression(e));
                self.read(variable);
                self.assigned.extend(self.symbols.resolve(variable.id));
            }
        }
    }
}
