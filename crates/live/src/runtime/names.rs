//! Names that do not depend on the schedule.
//!
//! A thread is the k-th child of its parent, an object the k-th that its thread made. Whatever else happens
//! in between, the same thread and the same object have the same number in every execution of a check, so
//! that what one execution says of them holds in another.

use std::collections::HashMap;

/// The numbers of all threads and objects that a check has met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    children: Vec<Vec<u32>>,
    objects: Vec<Vec<u32>>,
    fixed: HashMap<usize, u32>,
    threads: u32,
    things: u32,
}

fn numbered(lists: &mut Vec<Vec<u32>>, owner: u32, place: u32, next: &mut u32) -> u32 {
    let owner = owner as usize;
    if lists.len() <= owner {
        lists.resize_with(owner + 1, Vec::new);
    }
    let list = &mut lists[owner];
    if let Some(&known) = list.get(place as usize) {
        return known;
    }
    debug_assert_eq!(list.len(), place as usize);
    let number = *next;
    *next += 1;
    list.push(number);
    number
}

impl Names {
    /// The `place`-th child of a thread. The first thread of all has number 0.
    pub(crate) fn child(&mut self, parent: u32, place: u32) -> u32 {
        self.threads = self.threads.max(1);
        numbered(&mut self.children, parent, place, &mut self.threads)
    }

    /// The `place`-th object that a thread makes.
    pub(crate) fn object(&mut self, maker: u32, place: u32) -> u32 {
        numbered(&mut self.objects, maker, place, &mut self.things)
    }

    /// The object of a static variable at this address.
    pub(crate) fn fixed(&mut self, address: usize) -> u32 {
        *self.fixed.entry(address).or_insert_with(|| {
            self.things += 1;
            self.things - 1
        })
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
    }
}
