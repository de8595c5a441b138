//! Numbers of a file: its constants, and what takes their place.

use super::{Making, Value};
use crate::vfsm::ast::Number;
use mazurka_model::source::Span;
use std::collections::HashMap;

impl Making<'_> {
    pub(super) fn constants(&mut self, defines: &[(String, String)], whole: Span) {
        self.unique(self.file.constants.iter().map(|one| &one.name), "the constant");
        for constant in &self.file.constants {
            let value = match self.number(&constant.value, &HashMap::new()) {
                Some(value) => value,
                None => continue,
            };
            self.constants.insert(constant.name.text.clone(), value);
            if let Some((_, given)) = defines.iter().find(|(name, _)| *name == constant.name.text) {
                match given.parse::<u32>() {
                    Ok(given) => drop(self.constants.insert(constant.name.text.clone(), given.into())),
                    Err(_) => {
                        let message =
                            format!("`{}` is given as `{given}`, which is no number", constant.name.text);
                        self.error(constant.name.span, message);
                    }
                }
            }
        }
        for (name, _) in defines {
            if !self.file.constants.iter().any(|one| one.name.text == *name) {
                let message = format!("there is no constant `{name}` that could be given another value");
                self.error(Span { end: whole.start, ..whole }, message);
            }
        }
    }

    pub(super) fn number(&mut self, number: &Number, names: &HashMap<&str, Value>) -> Option<i64> {
        match number {
            Number::Literal(value, _) => Some((*value).into()),
            Number::Named(name) => match names.get(name.text.as_str()) {
                Some(Value::Number(value)) => Some(*value),
                Some(Value::Machine(_)) => {
                    self.error(name.span, format!("`{}` is a machine, not a number", name.text));
                    None
                }
                None => {
                    let value = self.constants.get(&name.text).copied();
                    if value.is_none() {
                        self.error(name.span, format!("there is no number `{}`", name.text));
                    }
                    value
                }
            },
            Number::Plus(left, right) => Some(self.number(left, names)? + self.number(right, names)?),
            Number::Minus(left, right) => Some(self.number(left, names)? - self.number(right, names)?),
        }
    }
}
