//! Where variables are kept: structures become one variable for each simple field, arrays of
//! structures one array for each, and arrays of arrays one array with all elements in a row.
//!
//! A channel variable that nothing assigns is no variable at all: its name means the channel.

use super::Lowerer;
use super::survey::Survey;
use crate::promela::ast::{
    self, Declaration, Expression as Tree, Initialiser, Reference, Sequence, Statement, StatementKind,
    VariableId,
};
use crate::promela::check::{self, Predefined, SymbolId, SymbolKind};
use crate::promela::token::{Place, Text};
use mazurka_model::source::Diagnostic;
use mazurka_program::ir::{
    BinaryOperator, Channel, ChannelIndex, ChannelRef, Expression, GlobalId, LocalId, OwnChannel, Target,
    Type, Variable, VariableRef,
};
use std::collections::HashMap;

/// A simple variable of the program, and how it is indexed.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Where.
    pub variable: VariableRef,
    /// The lengths of the arrays on the way to it.
    pub lengths: Vec<u32>,
}

/// What is known of the variables of a model.
pub(super) struct Variables<'a> {
    /// By symbol and names of fields.
    pub kept: HashMap<(SymbolId, Vec<Text>), Kept>,
    /// Names that mean a channel.
    named: HashMap<SymbolId, ChannelRef>,
    /// How many variables, and how many channels, of one name an item has; `None` for the model itself.
    of_one_name: HashMap<(Option<usize>, bool, String), u32>,
    /// What the whole model says about them.
    pub survey: Survey<'a>,
}

impl<'a> Variables<'a> {
    /// Nothing is kept yet.
    pub fn new(survey: Survey<'a>) -> Variables<'a> {
        Variables { kept: HashMap::new(), named: HashMap::new(), of_one_name: HashMap::new(), survey }
    }
}

/// How a type is kept. SPIN keeps arrays of bits as arrays of bytes, but not bits in arrays of structures.
pub(super) fn simple(kind: &check::Type, array: bool) -> Type {
    match kind {
        check::Type::Bit | check::Type::Bool if array => Type::Byte,
        check::Type::Bit | check::Type::Bool => Type::Bit,
        check::Type::Byte | check::Type::Pid | check::Type::Mtype(_) => Type::Byte,
        check::Type::Short => Type::Short,
        check::Type::Int => Type::Int,
        check::Type::Unsigned(width) if (1..=31).contains(width) => Type::Unsigned(*width),
        check::Type::Unsigned(_) => Type::Int,
        check::Type::Chan => Type::Channel,
        check::Type::Structure(_) => Type::Int,
    }
}

/// What is being declared.
struct Declared {
    symbol: SymbolId,
    path: Vec<Text>,
    name: String,
    lengths: Vec<u32>,
    /// Its own name has a length, not only those of structures around it.
    is_array: bool,
    at: Place,
    global: bool,
}

impl<'a> Lowerer<'a> {
    /// Declares global variables.
    pub(super) fn global_declaration(&mut self, declaration: &'a Declaration) {
        for variable in &declaration.variables {
            self.declare(variable, true, false, false);
        }
    }

    /// Declares the variables of one declaration in a process.
    pub(super) fn local_declaration(&mut self, declaration: &'a Declaration, parameter: bool) {
        for variable in &declaration.variables {
            self.declare(variable, false, parameter, declaration.reinitialises);
        }
    }

    /// Declares all variables of a body: SPIN creates them with the process.
    pub(super) fn local_declarations(&mut self, body: &'a Sequence) {
        for statement in &body.statements {
            self.statement_declarations(statement);
        }
    }

    fn statement_declarations(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.local_declaration(declaration, false),
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.local_declarations(o));
            }
            StatementKind::ForRange { body, .. }
            | StatementKind::ForIn { body, .. }
            | StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body) => self.local_declarations(body),
            StatementKind::Unless { main, escape } => {
                self.statement_declarations(main);
                self.statement_declarations(escape);
            }
            _ => {}
        }
    }

    fn declare(&mut self, variable: &'a ast::Variable, global: bool, parameter: bool, again: bool) {
        let Some(symbol) = self.symbols.declared(variable.id) else { return };
        let SymbolKind::Variable { kind, length, .. } = &self.symbols.get(symbol).kind else { return };
        if self.is_dropped(symbol) {
            return;
        }
        let initialiser = match &variable.initialiser {
            // SPIN drops an initial value that is assigned where control passes.
            Some(Initialiser::Value(_)) if again => None,
            other => other.as_ref(),
        };
        if let Some(Initialiser::Channel(channel)) = initialiser
            && length.is_none()
            && !self.variables.survey.assigned.contains(&symbol)
            && !parameter
        {
            let channel = self.channel(channel, &variable.name.text, variable.name.place, global);
            self.variables.named.insert(symbol, channel);
            return;
        }
        let place = Declared {
            symbol,
            path: Vec::new(),
            name: variable.name.text.to_string(),
            lengths: length.iter().copied().collect(),
            is_array: length.is_some(),
            at: variable.name.place,
            global,
        };
        self.keep(place, &kind.clone(), initialiser);
    }

    fn keep(&mut self, place: Declared, kind: &check::Type, initialiser: Option<&'a Initialiser>) {
        if let check::Type::Structure(id) = kind {
            if initialiser.is_some() {
                let warning =
                    Diagnostic::warning(place.at.span, "a structure has no initial value of its own")
                        .label("this value is not used")
                        .help("give the fields their initial values in the `typedef`, or assign them");
                self.report(warning, place.at);
            }
            let fields = self.symbols.structure(*id).fields.clone();
            for field in fields {
                let mut path = place.path.clone();
                path.push(field.name.clone());
                let mut lengths = place.lengths.clone();
                lengths.extend(field.length);
                let initialiser =
                    self.variables.survey.declared.get(&field.variable).and_then(|v| v.initialiser.as_ref());
                let inner = Declared {
                    symbol: place.symbol,
                    path,
                    name: format!("{}.{}", place.name, field.name),
                    lengths,
                    is_array: field.length.is_some(),
                    at: place.at,
                    global: place.global,
                };
                self.keep(inner, &field.kind, initialiser);
            }
            return;
        }
        let array = !place.lengths.is_empty();
        let values: u64 = place.lengths.iter().map(|l| u64::from(*l)).product();
        if values > 1 << 20 {
            return self.error(place.at, format!("`{}` has {values} elements", place.name));
        }
        let ty = simple(kind, place.is_array);
        let length = array.then_some(values as u32);
        let mut initial = vec![0; values as usize];
        let mut computed: Vec<(usize, Expression)> = Vec::new();
        match initialiser {
            None => {}
            Some(Initialiser::Value(value)) => match self.initial_value(value, place.global) {
                Ok(value) => initial.fill(value),
                Err(value) => computed.extend((0..values as usize).map(|i| (i, value.clone()))),
            },
            Some(Initialiser::List(list)) => {
                // A list that is too short gives its last value to the rest.
                for (element, first) in initial.iter_mut().enumerate() {
                    let Some(value) = list.get(element).or(list.last()) else { break };
                    match self.initial_value(value, place.global) {
                        Ok(value) => *first = value,
                        Err(value) => computed.push((element, value)),
                    }
                }
            }
            Some(Initialiser::Channel(channel)) => {
                for (element, first) in initial.iter_mut().enumerate() {
                    let name = if array { format!("{}[{element}]", place.name) } else { place.name.clone() };
                    match self.channel(channel, &name, place.at, place.global) {
                        ChannelRef::Global(id) => *first = id.0 as i32 + 1,
                        own => computed.push((element, Expression::Channel(own))),
                    }
                }
            }
        }
        if initial.iter().all(|v| *v == 0) {
            initial.clear();
        }
        let names = self.names_of(kind);
        let name = self.unique(&place.name, place.global, false);
        let declared = if place.global { &mut self.program.globals } else { &mut self.process.locals };
        declared.push(Variable { name, ty, length, initial, names, span: place.at.span });
        let index = declared.len() as u32 - 1;
        let variable = match place.global {
            true => VariableRef::Global(GlobalId(index)),
            false => VariableRef::Local(LocalId(index)),
        };
        for (element, value) in computed {
            let target = match array {
                true => Target::Element(variable, Expression::Constant(element as i32)),
                false => Target::Variable(variable),
            };
            self.process.prologue.push((target, value));
        }
        let kept = Kept { variable, lengths: place.lengths };
        self.variables.kept.insert((place.symbol, place.path), kept);
    }

    /// An initial value: a number, or in a process what is to be computed.
    fn initial_value(&mut self, value: &'a Tree, global: bool) -> Result<i32, Expression> {
        if let Some(value) = check::constant(value, self.symbols) {
            return Ok(value as i32);
        }
        let computed = self.expression(value);
        if !global {
            return Err(computed);
        }
        match self.initially(&computed) {
            Some(value) => Ok(value),
            None => {
                let error = Diagnostic::error(value.place.span, "this initial value can't be computed")
                    .label("not known before the first step")
                    .help("use constants and global variables declared before, or assign it in a process");
                self.report(error, value.place);
                Ok(0)
            }
        }
    }

    /// The value that an expression over globals has at the beginning.
    fn initially(&self, expression: &Expression) -> Option<i32> {
        let global = |id: &GlobalId, element: usize| {
            let variable = self.program.globals.get(id.index())?;
            (element < variable.values()).then(|| variable.initial.get(element).copied().unwrap_or(0))
        };
        match expression {
            Expression::Constant(value) => Some(*value),
            Expression::Channel(ChannelRef::Global(id)) => Some(id.0 as i32 + 1),
            Expression::Variable(VariableRef::Global(id)) => global(id, 0),
            Expression::Element(VariableRef::Global(id), index) => {
                global(id, usize::try_from(self.initially(index)?).ok()?)
            }
            Expression::Unary(operator, a) => Some(operator.compute(self.initially(a)?)),
            Expression::Binary(BinaryOperator::And, a, b) => {
                Some((self.initially(a)? != 0 && self.initially(b)? != 0).into())
            }
            Expression::Binary(BinaryOperator::Or, a, b) => {
                Some((self.initially(a)? != 0 || self.initially(b)? != 0).into())
            }
            Expression::Binary(operator, a, b) => operator.compute(self.initially(a)?, self.initially(b)?),
            Expression::Conditional(condition, yes, no) => match self.initially(condition)? {
                0 => self.initially(no),
                _ => self.initially(yes),
            },
            // All channels are empty.
            Expression::Length(channel) => self.initially(channel).map(|_| 0),
            Expression::Empty(channel) => self.initially(channel).map(|_| 1),
            _ => None,
        }
    }

    /// A name with a number, if others have it already. No name of a model has this sign in it.
    fn unique(&mut self, name: &str, global: bool, is_channel: bool) -> String {
        let item = (!global).then_some(self.item);
        let count = self.variables.of_one_name.entry((item, is_channel, name.to_owned())).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    /// Creates a channel.
    fn channel(
        &mut self,
        channel: &ast::ChannelInitialiser,
        name: &str,
        place: Place,
        global: bool,
    ) -> ChannelRef {
        let capacity = check::constant(&channel.capacity, self.symbols).unwrap_or(0);
        let capacity = u16::try_from(capacity).unwrap_or_else(|_| {
            self.error(channel.place, format!("a channel of {capacity} messages is too large"));
            0
        });
        let mut fields = Vec::new();
        for field in &channel.fields {
            self.message_types(field, &mut fields);
        }
        // SPIN packs bits only if there is something to pack them with.
        if fields == [Type::Bit] {
            fields = vec![Type::Byte];
        }
        let names = self.message_names(&channel.fields);
        let name = self.unique(name, global, true);
        let channels = if global { &mut self.program.channels } else { &mut self.process.channels };
        channels.push(Channel { name, capacity, fields, names, span: place.span });
        let index = channels.len() as u32 - 1;
        if global { ChannelRef::Global(ChannelIndex(index)) } else { ChannelRef::Own(OwnChannel(index)) }
    }

    /// How many values a message of the channel holds with which a variable begins.
    pub(super) fn message_width(&mut self, variable: VariableId) -> Option<usize> {
        let declared = *self.variables.survey.declared.get(&variable)?;
        let Some(Initialiser::Channel(channel)) = &declared.initialiser else { return None };
        let mut types = Vec::new();
        channel.fields.iter().for_each(|field| self.message_types(field, &mut types));
        Some(types.len())
    }

    /// The types of the values that a field of a message holds.
    fn message_types(&mut self, field: &ast::BaseType, out: &mut Vec<Type>) {
        let simple_type = match field {
            ast::BaseType::Bit | ast::BaseType::Bool => Type::Bit,
            ast::BaseType::Byte | ast::BaseType::Pid | ast::BaseType::Mtype(_) => Type::Byte,
            ast::BaseType::Short => Type::Short,
            ast::BaseType::Int | ast::BaseType::Unsigned => Type::Int,
            ast::BaseType::Chan => Type::Channel,
            ast::BaseType::Named(name) => {
                if let Some(id) = self.symbols.structure_names.get(&name.text) {
                    self.structure_types(*id, out);
                }
                return;
            }
        };
        out.push(simple_type);
    }

    fn structure_types(&mut self, id: check::StructureId, out: &mut Vec<Type>) {
        for field in self.symbols.structure(id).fields.clone() {
            for _ in 0..field.length.unwrap_or(1) {
                match &field.kind {
                    check::Type::Structure(inner) => self.structure_types(*inner, out),
                    other => out.push(simple(other, false)),
                }
            }
        }
    }

    /// The channel that a name means, if it means one for good.
    pub(super) fn named_channel(&self, reference: &Reference) -> Option<ChannelRef> {
        let symbol = self.symbols.resolve(reference.id)?;
        self.variables.named.get(&symbol).copied()
    }

    /// The simple variable behind a reference, and the index of the element.
    pub(super) fn place(&mut self, reference: &'a Reference) -> Option<(VariableRef, Option<Expression>)> {
        let symbol = self.symbols.resolve(reference.id)?;
        let path: Vec<Text> = reference.parts[1..].iter().map(|p| p.name.text.clone()).collect();
        let Some(kept) = self.variables.kept.get(&(symbol, path)).cloned() else {
            let error = Diagnostic::error(reference.place.span, "a structure can't be used as a value")
                .label("a structure")
                .help("name one of its fields; whole structures can only be sent and received");
            self.report(error, reference.place);
            return None;
        };
        let indices: Vec<Option<&'a Tree>> = {
            let (mut kind, mut length) = match &self.symbols.get(symbol).kind {
                SymbolKind::Variable { kind, length, .. } => (kind.clone(), *length),
                SymbolKind::Predefined(_) => return None,
            };
            let mut indices = Vec::new();
            for (position, part) in reference.parts.iter().enumerate() {
                if position > 0 {
                    let check::Type::Structure(id) = kind else { return None };
                    let fields = &self.symbols.structure(id).fields;
                    let field = fields.iter().find(|f| f.name == part.name.text)?;
                    (kind, length) = (field.kind.clone(), field.length);
                }
                if length.is_some() {
                    indices.push(part.index.as_deref());
                }
            }
            indices
        };
        let indices: Vec<Expression> = indices
            .into_iter()
            .map(|index| index.map_or(Expression::Constant(0), |e| self.expression(e)))
            .collect();
        Some((kept.variable, flat(&kept.lengths, indices)))
    }

    /// All simple values of what a reference denotes: one, or those of a structure in order.
    pub(super) fn places(&mut self, reference: &'a Reference) -> Vec<(VariableRef, Option<Expression>)> {
        let Some((check::Type::Structure(id), _)) = self.symbols.type_of(reference) else {
            return self.place(reference).into_iter().collect();
        };
        let Some(symbol) = self.symbols.resolve(reference.id) else { return Vec::new() };
        let mut indices = Vec::new();
        let SymbolKind::Variable { kind, length, .. } = &self.symbols.get(symbol).kind else {
            return Vec::new();
        };
        let (mut kind, mut length) = (kind.clone(), *length);
        for (position, part) in reference.parts.iter().enumerate() {
            if position > 0 {
                let check::Type::Structure(id) = kind else { return Vec::new() };
                let fields = &self.symbols.structure(id).fields;
                let Some(field) = fields.iter().find(|f| f.name == part.name.text) else { return Vec::new() };
                (kind, length) = (field.kind.clone(), field.length);
            }
            if length.is_some() {
                let index = part.index.as_deref();
                indices.push(index.map_or(Expression::Constant(0), |e| self.expression(e)));
            }
        }
        let path: Vec<Text> = reference.parts[1..].iter().map(|p| p.name.text.clone()).collect();
        let mut out = Vec::new();
        self.inner_places(symbol, &path, id, &indices, &mut out);
        out
    }

    fn inner_places(
        &self,
        symbol: SymbolId,
        path: &[Text],
        id: check::StructureId,
        indices: &[Expression],
        out: &mut Vec<(VariableRef, Option<Expression>)>,
    ) {
        for field in &self.symbols.structure(id).fields {
            let mut path = path.to_vec();
            path.push(field.name.clone());
            for element in 0..field.length.unwrap_or(1) {
                let mut indices = indices.to_vec();
                if field.length.is_some() {
                    indices.push(Expression::Constant(element as i32));
                }
                if let check::Type::Structure(inner) = field.kind {
                    self.inner_places(symbol, &path, inner, &indices, out);
                } else if let Some(kept) = self.variables.kept.get(&(symbol, path.clone())) {
                    out.push((kept.variable, flat(&kept.lengths, indices)));
                }
            }
        }
    }

    /// Whether values stored in a reference are thrown away: it is `_`, or hidden and read by nobody.
    pub(super) fn is_scratch(&self, reference: &Reference) -> bool {
        self.symbols.resolve(reference.id).is_some_and(|id| {
            matches!(self.symbols.get(id).kind, SymbolKind::Predefined(Predefined::Scratch))
                || self.is_dropped(id)
        })
    }

    /// Whether a variable is hidden and read by nobody, so that it is no part of the state.
    pub(super) fn is_dropped(&self, symbol: SymbolId) -> bool {
        let entry = self.symbols.get(symbol);
        let SymbolKind::Variable { visibility, kind, .. } = &entry.kind else { return false };
        *visibility == Some(ast::Visibility::Hidden)
            && entry.owner.is_none()
            && !matches!(kind, check::Type::Structure(_) | check::Type::Chan)
            && !self.variables.survey.read.contains(&symbol)
    }

    /// Whether a reference is `_priority`.
    pub(super) fn is_priority(&self, reference: &Reference) -> bool {
        self.symbols.resolve(reference.id).is_some_and(|id| {
            matches!(self.symbols.get(id).kind, SymbolKind::Predefined(Predefined::Priority))
        })
    }

    /// Where a declared variable is kept that is no structure; of an array, its first element.
    pub(super) fn declared_place(
        &self,
        variable: &ast::Variable,
    ) -> Option<(VariableRef, Option<Expression>)> {
        let symbol = self.symbols.declared(variable.id)?;
        let kept = self.variables.kept.get(&(symbol, Vec::new()))?;
        let index = (!kept.lengths.is_empty()).then_some(Expression::Constant(0));
        Some((kept.variable, index))
    }
}

/// The index into an array with all elements in a row. One index of several that is out of range makes
/// the whole one so: the least number stands for it.
fn flat(lengths: &[u32], indices: Vec<Expression>) -> Option<Expression> {
    let mut whole: Option<Expression> = None;
    let mut inside: Option<Expression> = None;
    for (length, index) in lengths.iter().map(|length| *length as i32).zip(indices) {
        if lengths.len() > 1 && !matches!(&index, Expression::Constant(value) if (0..length).contains(value))
        {
            let within = index.clone().at_least(0).and(index.clone().below(length));
            inside = Some(inside.map_or(within.clone(), |all| all.and(within)));
        }
        whole = Some(whole.map_or(index.clone(), |outer| outer * length + index));
    }
    match (inside, whole) {
        (Some(inside), Some(whole)) => {
            let outside = Expression::Constant(i32::MIN);
            Some(Expression::Conditional(Box::new(inside), Box::new(whole), Box::new(outside)))
        }
        (_, whole) => whole,
    }
}
