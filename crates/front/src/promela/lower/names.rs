//! What is only for people: the names of mtype values, and what a model prints.
//!
//! Values are numbers in a program. Each mtype, and each of its subtypes, becomes a list of names
//! that variables, fields of messages and printed values refer to, so that runs are shown in the
//! words of the model. Nothing here changes what a program does.

use super::Lowerer;
use crate::promela::ast::{BaseType, Expression as Tree, ExpressionKind};
use crate::promela::check;
use crate::promela::token::Text;
use mazurka_program::ir::{Effect, Names};

impl<'a> Lowerer<'a> {
    /// Declares the names of all mtypes, the one without a name of its own first.
    pub(super) fn declare_names(&mut self) {
        for (name, value) in &self.symbols.mtypes {
            let set = set_name(&value.subtype);
            let known = self.program.names.iter().position(|names| names.name == set);
            let index = known.unwrap_or_else(|| {
                self.program.names.push(Names { name: set, values: Vec::new() });
                self.program.names.len() - 1
            });
            self.program.names[index].values.push((value.value.into(), name.to_string()));
        }
        // The symbols come in no particular order.
        self.program.names.iter_mut().for_each(|names| names.values.sort());
        self.program.names.sort_by(|a, b| a.name.cmp(&b.name));
    }

    fn set(&self, subtype: &Option<Text>) -> Option<u32> {
        let name = set_name(subtype);
        self.program.names.iter().position(|names| names.name == name).map(|index| index as u32)
    }

    /// The names of the values of a type.
    pub(super) fn names_of(&self, kind: &check::Type) -> Option<u32> {
        match kind {
            check::Type::Mtype(subtype) => self.set(subtype),
            _ => None,
        }
    }

    /// The names of the values in each field of a message.
    pub(super) fn message_names(&self, fields: &[BaseType]) -> Vec<Option<u32>> {
        let mut out = Vec::new();
        for field in fields {
            match field {
                BaseType::Mtype(subtype) => {
                    out.push(self.set(&subtype.as_ref().map(|name| name.text.clone())));
                }
                BaseType::Named(name) => {
                    if let Some(id) = self.symbols.structure_names.get(&name.text) {
                        self.structure_names(*id, &mut out);
                    }
                }
                _ => out.push(None),
            }
        }
        out
    }

    fn structure_names(&self, id: check::StructureId, out: &mut Vec<Option<u32>>) {
        for field in &self.symbols.structure(id).fields {
            for _ in 0..field.length.unwrap_or(1) {
                match &field.kind {
                    check::Type::Structure(inner) => self.structure_names(*inner, out),
                    other => out.push(self.names_of(other)),
                }
            }
        }
    }

    /// `printf(format, arguments)`
    pub(super) fn print(&mut self, format: &str, arguments: &'a [Tree]) -> Effect {
        let arguments = arguments.iter().map(|tree| (self.expression(tree), self.printed_names(tree)));
        // A line break inside the quotes of the source is printed like any other.
        Effect::Print { format: format.replace('\n', "\\n"), arguments: arguments.collect() }
    }

    fn printed_names(&self, tree: &Tree) -> Option<u32> {
        match &tree.kind {
            ExpressionKind::Mtype(name) => self.set(&self.symbols.mtypes.get(name)?.subtype),
            ExpressionKind::Reference(reference) => self.names_of(&self.symbols.type_of(reference)?.0),
            _ => None,
        }
    }
}

fn set_name(subtype: &Option<Text>) -> String {
    match subtype {
        None => "mtype".to_owned(),
        Some(name) => format!("mtype:{name}"),
    }
}
