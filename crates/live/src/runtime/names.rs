//! Names that do not depend on the schedule.
//!
//! A thread is the k-th child of its parent, an object the k-th that its thread made. Whatever else happens
//! in between, the same thread and the same object have the same number in every execution of a check, so
//! that what one execution says of them holds in another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What the searches of one check agree on.
#[derive(Debug, Default)]
struct Table {
    children: HashMap<(u32, u32), u32>,
    objects: HashMap<(u32, u32), u32>,
    fixed: HashMap<usize, u32>,
    threads: u32,
    things: u32,
}

/// The numbers of all threads and objects that a check has met. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// What this search has asked before.
    children: Vec<Vec<u32>>,
    objects: Vec<Vec<u32>>,
    table: Arc<Mutex<Table>>,
}

/// The entry of a list of lists; asked for if it is not there. Entries come in order.
fn remembered(lists: &mut Vec<Vec<u32>>, owner: u32, place: u32, ask: impl FnOnce() -> u32) -> u32 {
    let owner = owner as usize;
    if lists.len() <= owner {
        lists.resize_with(owner + 1, Vec::new);
    }
    if let Some(&known) = lists[owner].get(place as usize) {
        return known;
    }
    debug_assert_eq!(lists[owner].len(), place as usize);
    let number = ask();
    lists[owner].push(number);
    number
}

impl Names {
    /// The `place`-th child of a thread. The first thread of all has number 0.
    pub(crate) fn child(&mut self, parent: u32, place: u32) -> u32 {
        remembered(&mut self.children, parent, place, || {
            let table = &mut *self.table.lock().unwrap_or_else(PoisonError::into_inner);
            *table.children.entry((parent, place)).or_insert_with(|| {
                table.threads += 1;
                table.threads
            })
        })
    }

    /// The `place`-th object that a thread makes.
    pub(crate) fn object(&mut self, maker: u32, place: u32) -> u32 {
        remembered(&mut self.objects, maker, place, || {
            let table = &mut *self.table.lock().unwrap_or_else(PoisonError::into_inner);
            *table.objects.entry((maker, place)).or_insert_with(|| {
                table.things += 1;
                table.things - 1
            })
        })
    }

    /// The object of a static variable at this address.
    pub(crate) fn fixed(&mut self, address: usize) -> u32 {
        let table = &mut *self.table.lock().unwrap_or_else(PoisonError::into_inner);
        *table.fixed.entry(address).or_insert_with(|| {
            table.things += 1;
            table.things - 1
        })
    }
}

impl Names {
    /// The names as text; `None` if there are static variables, whose addresses are not the same in another process.
    pub(crate) fn save(&self) -> Option<String> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if !table.fixed.is_empty() {
            return None;
        }
        let mut out = format!("{} {} {} ", table.threads, table.things, table.children.len());
        for map in [&table.children, &table.objects] {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort();
            for ((owner, place), number) in entries {
                out.push_str(&format!("{owner} {place} {number} "));
            }
        }
        Some(out)
    }

    /// Names from their text; `None` if it is damaged.
    pub(crate) fn load(text: &str) -> Option<Names> {
        let mut numbers = text.split_whitespace().map(|word| word.parse::<u32>().ok());
        let mut next = || numbers.next().flatten();
        let mut table = Table { threads: next()?, things: next()?, ..Table::default() };
        let children = next()?;
        for _ in 0..children {
            table.children.insert((next()?, next()?), next()?);
        }
        while let Some(owner) = next() {
            table.objects.insert((owner, next()?), next()?);
        }
        Some(Names { table: Arc::new(Mutex::new(table)), ..Names::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay() {
        let mut names = Names::default();
        let (a, b) = (names.child(0, 0), names.child(0, 1));
        assert_eq!((a, b), (1, 2));
        let (x, y) = (names.object(2, 0), names.object(1, 0));
        assert_ne!(x, y);
        assert_eq!((names.object(1, 0), names.object(2, 0)), (y, x));
        assert_eq!(names.child(0, 0), 1);
        let mut other = names.clone();
        assert_eq!((other.object(1, 0), other.child(0, 1)), (y, 2));
        let mut read = Names::load(&names.save().unwrap()).unwrap();
        assert_eq!((read.object(1, 0), read.child(0, 0), read.child(0, 1)), (y, 1, 2));
        assert_eq!(read.child(0, 2), 3);
        names.fixed(77);
        assert_eq!(names.save(), None);
    }
}
