//! Conditions over the presence of inputs.

use super::{DEEPEST, LONGEST, Parser, Read};
use crate::vfsm::ast::Condition;

impl Parser<'_> {
    pub(super) fn condition(&mut self) -> Read<Condition> {
        let mut left = self.conjunction()?;
        let mut parts = 0;
        while self.take("|") || self.take_word("or") {
            parts = self.one_more(parts)?;
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    /// Counts the parts of a chain, which are nested in the tree.
    pub(super) fn one_more(&mut self, parts: usize) -> Read<usize> {
        if parts < LONGEST { Ok(parts + 1) } else { self.fail("something shorter") }
    }

    pub(super) fn conjunction(&mut self) -> Read<Condition> {
        let mut left = self.negation()?;
        let mut parts = 0;
        while self.take("&") || self.take_word("and") {
            parts = self.one_more(parts)?;
            left = Condition::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    pub(super) fn negation(&mut self) -> Read<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth = 0;
            return self.fail("something less deeply nested");
        }
        let inner = if self.take("!") || self.take_word("not") {
            Condition::Not(Box::new(self.negation()?))
        } else if self.take("(") {
            let inner = self.condition()?;
            self.expect(")")?;
            inner
        } else if self.take_word("always") {
            Condition::Always
        } else {
            Condition::Input(self.name("a condition")?)
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(inner)
    }
}
