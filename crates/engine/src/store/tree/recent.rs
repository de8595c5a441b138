//! Tables of nodes that remember what was found there lately: most steps do again what others did before.

use super::keys::{Key, Keys};
use super::table::Table;
use crate::store::budget::Budget;

/// How many nodes that were found lately are remembered at first, and at most.
const FIRST: usize = 32;
const MOST_NODES: usize = 2048;
/// A number that nothing has.
const NONE: u32 = u32::MAX;

/// Inner nodes.
#[derive(Debug)]
pub struct Nodes {
    /// The nodes.
    pub table: Table<Keys>,
    /// The names of nodes found lately and their numbers, each in the place that its name says.
    lately: Box<[(u64, u32)]>,
}

impl Nodes {
    /// None yet. The first bytes are so few that they are taken whatever the budget.
    pub fn new(budget: &mut Budget) -> Nodes {
        let _ = budget.take(FIRST * size_of::<(u64, u32)>());
        Nodes {
            table: Table::new(Keys::default(), budget),
            lately: vec![(0, NONE); FIRST].into_boxed_slice(),
        }
    }

    /// The number of a node, which is inserted if it is not there. `None`: there is no room for it.
    #[inline]
    pub fn number_of(&mut self, node: Key, budget: &mut Budget) -> Option<u32> {
        let name = node.name();
        let (known, number) = self.lately[(name >> 48) as usize & (self.lately.len() - 1)];
        if known == name && number != NONE {
            return Some(number);
        }
        let (number, new) = self.table.insert(&node, budget)?;
        if new {
            let (few, many) = (self.lately.len(), (self.lately.len() * 4).min(MOST_NODES));
            let size = size_of::<(u64, u32)>();
            let wanted = few < many && number as usize >= few;
            if wanted && budget.exchange(few * size, many * size) {
                self.lately = vec![(0, NONE); many].into_boxed_slice();
            }
        }
        self.lately[(name >> 48) as usize & (self.lately.len() - 1)] = (name, number);
        Some(number)
    }
}
