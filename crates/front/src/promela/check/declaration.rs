//! Declarations: types, lengths, initial values, and names declared twice.

use super::super::ast::{
    BaseType, Declaration, Expression, ExpressionKind, Initialiser, Name, Typedef, Variable,
};
use super::super::token::{Origin, Place, Text};
use super::channels::Use;
use super::{
    Checker, Context, Field, Predefined, Structure, StructureId, Symbol, SymbolId, SymbolKind, Type,
    constant, did_you_mean,
};
use mazurka_model::source::{Diagnostic, Span};

/// The longest array; a state must fit in memory many times.
const LONGEST_ARRAY: i64 = 1 << 20;

impl Checker<'_> {
    /// Declares what every model has.
    pub(super) fn predefined(&mut self) {
        let names = [
            ("_", Predefined::Scratch),
            ("_pid", Predefined::Pid),
            ("_nr_pr", Predefined::NumberOfProcesses),
            ("_last", Predefined::Last),
            ("_priority", Predefined::Priority),
        ];
        for (name, which) in names {
            let place = Place { span: Span::default(), origin: Origin::SOURCE };
            let name: Text = Text::from(name);
            let id = SymbolId(self.symbols.symbols.len() as u32);
            self.scopes[0].insert(name.clone(), id);
            self.symbols.symbols.push(Symbol {
                name,
                kind: SymbolKind::Predefined(which),
                place,
                owner: None,
            });
        }
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration, parameter: bool) {
        for variable in &declaration.variables {
            self.initialiser(&declaration.base, variable, parameter);
            let Some(kind) = self.kind(&declaration.base, Some(variable)) else { continue };
            let length = self.length(variable);
            if parameter && length.is_some() {
                let place = variable.name.place;
                let diagnostic = Diagnostic::error(place.span, "a parameter can't be an array")
                    .label("an array")
                    .help("put the array in a typedef, or make it global");
                self.report(diagnostic, place);
            }
            self.initial_fits(&kind, variable, length);
            let symbol = SymbolKind::Variable {
                variable: variable.id,
                kind,
                length,
                visibility: declaration.visibility,
                parameter,
            };
            let id = self.declare(&variable.name, symbol);
            self.symbols.variables[variable.id.0 as usize] = Some(id);
            self.remember(id, variable);
        }
    }

    /// Keeps what later checks ask of a declaration.
    fn remember(&mut self, id: SymbolId, variable: &Variable) {
        if variable.initialiser.is_some() {
            self.usages.initialise(id);
        }
        match &variable.initialiser {
            Some(Initialiser::Value(value)) if self.context == Context::Global => {
                if let Some(value) = constant(value, &self.symbols) {
                    self.initial.insert(id, value);
                }
            }
            Some(Initialiser::Channel(channel)) => {
                let fields = self.message_width(channel);
                let rendezvous = constant(&channel.capacity, &self.symbols) == Some(0);
                self.uses.insert(id, Use { fields, rendezvous, ..Use::default() });
            }
            _ => {}
        }
    }

    fn declare(&mut self, name: &Name, kind: SymbolKind) -> SymbolId {
        let inner = self.scopes.last().and_then(|scope| scope.get(&name.text)).copied();
        let outer = self.scopes.iter().rev().skip(1).find_map(|scope| scope.get(&name.text)).copied();
        if let Some(first) = inner {
            let first = self.symbols.get(first).place;
            self.twice("variable", name, first);
        } else if let Some(hidden) = outer {
            let first = self.symbols.get(hidden).place;
            let diagnostic = Diagnostic::warning(
                name.place.span,
                format!("`{}` hides a variable of the same name", name.text),
            )
            .label("declared again here")
            .help("rename it; SPIN refuses this")
            .note(first.span, "hidden from here on");
            self.report(diagnostic, name.place);
        } else if self.symbols.proctypes.contains_key(&name.text) {
            let message = format!("`{}` is also the name of a proctype", name.text);
            let diagnostic = Diagnostic::error(name.place.span, message)
                .label("declared as a variable here")
                .help("rename one of the two");
            self.report(diagnostic, name.place);
        }
        let id = SymbolId(self.symbols.symbols.len() as u32);
        let owner = if self.scopes.len() > 1 { Some(self.item) } else { None };
        self.symbols.symbols.push(Symbol { name: name.text.clone(), kind, place: name.place, owner });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), id);
        }
        if let Some(item) = owner {
            self.locals.entry((item, name.text.clone())).or_insert(id);
        }
        id
    }

    /// A type as written, for a variable or (without one) a field of a message.
    pub(super) fn kind(&mut self, base: &BaseType, variable: Option<&Variable>) -> Option<Type> {
        let width = variable.and_then(|variable| variable.width.as_ref());
        if let Some(width) = width
            && *base != BaseType::Unsigned
        {
            let diagnostic = Diagnostic::error(width.place.span, "only `unsigned` has a width")
                .label("a width")
                .help("remove it, or declare the variable as `unsigned`");
            self.report(diagnostic, width.place);
        }
        Some(match base {
            BaseType::Bit => Type::Bit,
            BaseType::Bool => Type::Bool,
            BaseType::Byte => Type::Byte,
            BaseType::Pid => Type::Pid,
            BaseType::Short => Type::Short,
            BaseType::Int => Type::Int,
            BaseType::Chan => Type::Chan,
            BaseType::Mtype(subtype) => Type::Mtype(subtype.as_ref().map(|name| name.text.clone())),
            BaseType::Named(name) => Type::Structure(self.structure(name)?),
            BaseType::Unsigned => match width {
                Some(width) => Type::Unsigned(self.count(width, 1, 31, "the width of an `unsigned`")? as u8),
                None => {
                    let place = variable?.name.place;
                    let diagnostic = Diagnostic::error(place.span, "an `unsigned` needs a width")
                        .label("no width")
                        .help("write `unsigned x : bits`");
                    self.report(diagnostic, place);
                    return None;
                }
            },
        })
    }

    fn structure(&mut self, name: &Name) -> Option<StructureId> {
        if let Some(id) = self.symbols.structure_names.get(&name.text) {
            return Some(*id);
        }
        let guess = self.guess(&name.text, self.symbols.structure_names.keys().map(|name| name.as_ref()));
        let help = did_you_mean(guess, "declare it before with `typedef`");
        let diagnostic = Diagnostic::error(name.place.span, format!("there is no type `{}`", name.text))
            .label("unknown type")
            .help(help);
        self.report(diagnostic, name.place);
        None
    }

    fn length(&mut self, variable: &Variable) -> Option<u32> {
        let length = variable.length.as_ref()?;
        self.expression(length);
        let value = self.count(length, 1, LONGEST_ARRAY, "the length of an array")?;
        if matches!(length.kind, ExpressionKind::Reference(_)) {
            let diagnostic = Diagnostic::warning(length.place.span, "a variable as the length of an array")
                .label(format!("taken as its initial value, {value}"))
                .help("use `#define`");
            self.report(diagnostic, length.place);
        }
        u32::try_from(value).ok()
    }

    /// A constant in a range; a global variable counts as its initial value.
    pub(super) fn count(
        &mut self,
        expression: &Expression,
        least: i64,
        most: i64,
        what: &str,
    ) -> Option<i64> {
        let mut value = constant(expression, &self.symbols);
        if let ExpressionKind::Reference(reference) = &expression.kind
            && reference.parts.len() == 1
        {
            let name = &reference.parts[0].name.text;
            let symbol = self.scopes[0].get(name).copied();
            value = symbol.and_then(|symbol| self.initial.get(&symbol)).copied();
        }
        let problem = match value {
            Some(value) if (least..=most).contains(&value) => return Some(value),
            Some(value) => format!("{what} must be from {least} to {most}, not {value}"),
            None => format!("{what} must be a constant"),
        };
        let diagnostic = Diagnostic::error(expression.place.span, problem)
            .label("not allowed here")
            .help("use a number, or a name defined with `#define`");
        self.report(diagnostic, expression.place);
        None
    }

    fn initialiser(&mut self, base: &BaseType, variable: &Variable, parameter: bool) {
        let Some(initialiser) = &variable.initialiser else { return };
        let name = &variable.name;
        let mut problem = None;
        match initialiser {
            Initialiser::Value(value) => {
                self.expression(value);
                self.no_run(value, "the initial value of a variable");
            }
            Initialiser::List(values) => {
                values.iter().for_each(|value| self.expression(value));
                if variable.length.is_none() {
                    problem = Some(("a list of values for a variable that is no array", "give it a length"));
                }
            }
            Initialiser::Channel(channel) => {
                self.expression(&channel.capacity);
                self.count(&channel.capacity, 0, 255, "the capacity of a channel");
                for field in &channel.fields {
                    self.kind(field, None);
                }
                if *base != BaseType::Chan {
                    problem = Some(("a channel for a variable that is no `chan`", "declare it as `chan`"));
                }
            }
        }
        if parameter {
            problem = Some(("an initial value for a parameter", "remove it; the caller gives the value"));
        }
        if let Some((message, help)) = problem {
            let diagnostic = Diagnostic::error(name.place.span, message).label("this variable").help(help);
            self.report(diagnostic, name.place);
        }
    }

    fn initial_fits(&mut self, kind: &Type, variable: &Variable, length: Option<u32>) {
        match &variable.initialiser {
            Some(Initialiser::Value(value)) => self.fits(kind, value),
            Some(Initialiser::List(values)) => {
                values.iter().for_each(|value| self.fits(kind, value));
                if length.is_some_and(|length| values.len() > length as usize) {
                    let place = variable.name.place;
                    let message = format!("{} values for an array of {}", values.len(), length.unwrap_or(0));
                    let diagnostic = Diagnostic::error(place.span, message)
                        .label("too many values")
                        .help("remove some, or make the array longer");
                    self.report(diagnostic, place);
                }
            }
            _ => {}
        }
    }

    pub(super) fn typedef(&mut self, typedef: &Typedef) {
        let name = &typedef.name;
        if self.symbols.structure_names.contains_key(&name.text) {
            let message = format!("type `{}` is declared twice", name.text);
            let diagnostic = Diagnostic::error(name.place.span, message)
                .label("declared again here")
                .help("rename one of the two");
            self.report(diagnostic, name.place);
            return;
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut width = 0_usize;
        for declaration in &typedef.fields {
            for variable in &declaration.variables {
                self.initialiser(&declaration.base, variable, false);
                let Some(kind) = self.kind(&declaration.base, Some(variable)) else { continue };
                let length = self.length(variable);
                self.initial_fits(&kind, variable, length);
                let first = fields.iter().find(|field| field.name == variable.name.text);
                if let Some(first) = first.map(|field| field.place) {
                    self.twice("field", &variable.name, first);
                }
                let elements = length.unwrap_or(1) as usize;
                width = width.saturating_add(self.symbols.width(&kind).saturating_mul(elements));
                let (name, place) = (variable.name.text.clone(), variable.name.place);
                fields.push(Field { name, kind, length, place, variable: variable.id });
            }
        }
        let id = StructureId(self.symbols.structures.len() as u32);
        self.symbols.structures.push(Structure { name: name.text.clone(), fields, width });
        self.symbols.structure_names.insert(name.text.clone(), id);
    }
}
