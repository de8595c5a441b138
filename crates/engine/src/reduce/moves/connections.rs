//! What comes along with a step or with a move that waits, kept by what that depends on.
//!
//! It depends on what the step does or the move waits for, on what all processes may still do, and on what ▷ looks at of the
//! values of a few objects. The first two have numbers that come again in very many states, so that in most of them nothing is asked
//! of operations at all.
//!
//! Nothing is decided here: with this or without, the graph has the same edges.

use super::questions::Journal;
use super::values::Values;
use super::verdicts::Looks;
use crate::reduce::bits::Bits;
use mazurka_model::object::Glance;
use mazurka_model::{ObjectId, ProcessId, Relations};
use rapidhash::fast::RapidHasher;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

/// So many answers are kept, then all are forgotten.
const MOST_ANSWERS: usize = 1 << 16;
/// So many are kept for what looks at values.
const MOST_OF_ONE: u32 = 32;

/// Who comes along with what, as far as that has numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What all processes may still do.
    configuration: u32,
    /// What the step does, or the move waits for.
    number: u32,
    /// The process that waits; of a step, none.
    waiting: u32,
}

impl Key {
    /// For what a step does.
    pub fn of_step(configuration: u32, number: u32) -> Key {
        Key { configuration, number, waiting: u32::MAX }
    }

    /// For what a process waits for.
    pub fn of_waiting(configuration: u32, number: u32, process: ProcessId) -> Key {
        Key { configuration, number, waiting: process.0.into() }
    }
}

impl Hash for Key {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Key { configuration, number, waiting } = *self;
        state.write_u64(u64::from(configuration) << 32 | u64::from(number ^ waiting << 20));
    }
}

/// What is known of a key.
#[derive(Debug)]
struct Entry {
    /// What is looked at of values: a word each, or the outline.
    looks: Range<u32>,
    /// The last answer, and how many there are.
    last: u32,
    answers: u32,
}

/// The sets of nodes for what was seen.
#[derive(Debug)]
struct Answer {
    seen: Range<u32>,
    /// Words of the sets, as many for each.
    sets: Range<u32>,
    /// The answer before, if there are more.
    before: u32,
}

/// The sets of nodes that are kept.
#[derive(Debug, Default)]
pub(super) struct Connections {
    entries: HashMap<Key, Entry, BuildHasherDefault<RapidHasher<'static>>>,
    answers: Vec<Answer>,
    looks: Vec<(ObjectId, Looks)>,
    seen: Vec<i64>,
    sets: Vec<u64>,
    /// What is seen in the present state.
    seeing: Vec<i64>,
    /// What the sets at hand look at, and whether that is followed.
    looking: Vec<(ObjectId, Looks)>,
    followed: bool,
}

fn part<'a, T>(all: &'a [T], range: &Range<u32>) -> &'a [T] {
    &all[range.start as usize..range.end as usize]
}

/// Whether both are the same: most often they are one word or two.
fn is_same(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// Appends, and says where.
fn append<T: Copy>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Range<u32> {
    let from = all.len() as u32;
    all.extend(more);
    from..all.len() as u32
}

impl Connections {
    /// The words of the sets of nodes of a key in a state, if they were kept.
    pub fn recall(
        &mut self,
        key: Key,
        state: &[u8],
        relations: &dyn Relations,
        values: &mut Values,
        journal: &Journal,
    ) -> Option<&[u64]> {
        let entry = self.entries.get(&key)?;
        let looks = part(&self.looks, &entry.looks);
        let mut answer = &self.answers[entry.last as usize];
        if !looks.is_empty() {
            see(looks, state, relations, values, &mut self.seeing)?;
            let mut left = entry.answers;
            while !is_same(part(&self.seen, &answer.seen), &self.seeing) {
                left -= 1;
                if left == 0 {
                    return None;
                }
                answer = &self.answers[answer.before as usize];
            }
            if journal.is_kept() {
                for (object, looks) in looks {
                    match *looks {
                        Looks::Word(word) => journal.value(*object, Glance::Word(word)),
                        _ => journal.value(*object, Glance::Outline),
                    }
                }
            }
        }
        Some(part(&self.sets, &answer.sets))
    }

    /// Begins to note what sets look at.
    pub fn begin(&mut self) {
        self.looking.clear();
        self.followed = true;
    }

    /// Something is looked at.
    #[inline]
    pub fn note(&mut self, object: ObjectId, looks: Looks) {
        match looks {
            Looks::Nothing => {}
            Looks::Much => self.followed = false,
            one => {
                if !self.looking.contains(&(object, one)) {
                    self.looking.push((object, one));
                }
            }
        }
    }

    /// What is looked at is not followed.
    pub fn lose(&mut self) {
        self.followed = false;
    }

    /// Keeps the sets that were found since it began, unless what they looked at was not followed.
    pub fn keep(
        &mut self,
        key: Key,
        state: &[u8],
        relations: &dyn Relations,
        values: &mut Values,
        sets: &[Bits],
    ) {
        if !self.followed || see(&self.looking, state, relations, values, &mut self.seeing).is_none() {
            return;
        }
        if self.answers.len() >= MOST_ANSWERS {
            self.entries.clear();
            self.answers.clear();
            self.looks.clear();
            self.seen.clear();
            self.sets.clear();
        }
        let (looks, looking) = (&mut self.looks, &self.looking);
        let entry = self.entries.entry(key).or_insert_with(|| Entry {
            looks: append(looks, looking.iter().copied()),
            last: 0,
            answers: 0,
        });
        debug_assert_eq!(part(looks, &entry.looks), looking);
        if entry.answers < MOST_OF_ONE && part(looks, &entry.looks) == looking {
            let before = entry.last;
            entry.last = self.answers.len() as u32;
            entry.answers += 1;
            let seen = append(&mut self.seen, self.seeing.iter().copied());
            let sets = append(&mut self.sets, sets.iter().flat_map(Bits::words));
            self.answers.push(Answer { seen, sets, before });
        }
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        // Each, with the place of an entry in its table.
        (64 * self.answers.len() + 8 * (self.seen.len() + self.sets.len()) + 24 * self.looks.len()) as u64
    }
}

/// What is seen of values; nothing if there is less than what is looked at.
fn see(
    looks: &[(ObjectId, Looks)],
    state: &[u8],
    relations: &dyn Relations,
    values: &mut Values,
    seen: &mut Vec<i64>,
) -> Option<()> {
    seen.clear();
    for (object, looks) in looks {
        match *looks {
            Looks::Word(word) => seen.push(*values.read(relations, state, *object).get(word)?),
            _ => {
                let outline = values.outline(relations, state, *object);
                seen.push(outline.len() as i64);
                seen.extend_from_slice(outline);
            }
        }
    }
    Some(())
}
