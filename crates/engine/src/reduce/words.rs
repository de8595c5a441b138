//! Lists of words that have numbers, kept one behind the other.
//!
//! What is recalled while sets are chosen is found by such lists. They are many and short, so that memory of its own for each would cost
//! more than the look at it.

use rapidhash::fast::RapidHasher;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// No list.
const NONE: u32 = u32::MAX;

/// A list that is kept.
#[derive(Debug)]
struct List {
    /// Where it ends, and the next one begins.
    end: u32,
    /// Another list with the same hash.
    next: u32,
}

/// The lists, which are numbered in the order in which they came.
#[derive(Debug, Default)]
pub struct Words {
    words: Vec<u64>,
    lists: Vec<List>,
    /// By hash: a list that has it.
    first: HashMap<u64, u32, BuildHasherDefault<RapidHasher<'static>>>,
}

fn hash(list: &[u64]) -> u64 {
    let mut hasher = RapidHasher::default();
    list.hash(&mut hasher);
    hasher.finish()
}

impl Words {
    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Bytes used, about.
    pub fn bytes(&self) -> u64 {
        // With the place of each in the table.
        (8 * self.words.len() + 40 * self.lists.len()) as u64
    }

    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.words.clear();
        self.lists.clear();
        self.first.clear();
    }

    fn list(&self, number: u32) -> &[u64] {
        let before = (number as usize).checked_sub(1).map_or(0, |before| self.lists[before].end);
        &self.words[before as usize..self.lists[number as usize].end as usize]
    }

    /// The number of a list, if it is here.
    #[inline]
    pub fn find(&self, list: &[u64]) -> Option<u32> {
        let mut number = *self.first.get(&hash(list))?;
        while number != NONE {
            let kept = self.list(number);
            if kept.len() == list.len() && kept.iter().zip(list).all(|(a, b)| a == b) {
                return Some(number);
            }
            number = self.lists[number as usize].next;
        }
        None
    }

    /// Adds a list that is not here, and gives its number.
    pub fn add(&mut self, list: &[u64]) -> u32 {
        let number = self.lists.len() as u32;
        let next = self.first.insert(hash(list), number).unwrap_or(NONE);
        self.words.extend_from_slice(list);
        self.lists.push(List { end: self.words.len() as u32, next });
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_by_what_is_in_them() {
        let mut words = Words::default();
        let lists: Vec<Vec<u64>> = (0..200).map(|n| (0..n % 7).map(|word| word * n).collect()).collect();
        for list in &lists {
            let found = words.find(list);
            let number = found.unwrap_or_else(|| words.add(list));
            assert_eq!(words.find(list), Some(number));
            assert_eq!(words.list(number), list);
        }
        assert_eq!(words.find(&[1, 2, 3]), None);
        words.clear();
        assert!(words.is_empty() && words.find(&lists[3]).is_none());
    }
}
