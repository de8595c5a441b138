//! Which parts of a state stand under one node, so that there are few nodes.
//!
//! A node is stored once for each combination of values that occurs below it. Parts that move together, such as
//! a process and the channel it reads, have few combinations; parts that move freely of each other have as
//! many as the product. Which is which shows in the states themselves: starting from the leaves, the two
//! parts with the fewest combinations in a sample of the stored states are joined, again and again, as in
//! Huffman's construction, whose trees these are when all parts move freely. Parts that rarely change end up
//! far from the root and those that often change near it, so that the paths to be looked up get shorter too.
//!
//! What then stands below a node and has few values becomes one leaf of several words: a value takes more room than a
//! node, and is found with one look instead of one for each word and node. For the same reason the root joins more than two
//! parts where their numbers are so small that this takes hardly more room: the nodes that would join them are then not looked up at all.
//!
//! Any arrangement is right: this is about memory and time only.

use super::keys::NUMBER;
use crate::store::{Mixer, fold};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The most words of a state that are looked at: each pair of them is counted.
pub const MOST_LOOKED_AT: usize = 128;
/// The most words of a leaf.
pub const MOST_WORDS: usize = 24;
/// The most parts of a root, and the most bits that their numbers are expected to have together where a root joins more than two.
pub const MOST_PARTS: usize = 7;
const ROOT_BITS: u32 = 48;
/// What that may cost, in bits a state.
const DEARER: f64 = 16.0;
/// A leaf has several words only if its values take at most one byte for so many states.
const STATES_A_BYTE: f64 = 5.0;
/// How many times as many states are expected.
const MORE: u64 = 64;
/// About how many bytes a node takes, and a value of a leaf besides its words.
pub const NODE: u64 = 9;
const VALUE: u64 = 5;

/// Combinations are counted in a list of all that are possible if these are at most so many for each state.
const FEW: usize = 16;

/// What a root joins: the position of each part, and the bits that its number may have.
pub type Top = [(u32, u32)];

/// How the words of states are arranged: those of each leaf, and the tree over the leaves.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Arrangement {
    /// The words of each leaf.
    pub leaves: Vec<Vec<u32>>,
    /// The nodes over them, below the root.
    pub joins: Joins,
    /// What the root joins.
    pub top: Vec<(u32, u32)>,
}

/// What the words of some states hold: for each word a number that stands for its value, state by state.
#[derive(Debug, Default)]
pub struct Sample {
    columns: Vec<Values>,
    states: usize,
}

/// What a word holds. Most words of a state are those of the state before, so only what changes is added.
#[derive(Clone, Debug, Default)]
struct Values {
    /// In the first states.
    first: Vec<u32>,
    /// In all states after these.
    last: u32,
}

impl Values {
    /// Those of the first states, and the last one once.
    fn all(&self) -> impl Iterator<Item = &u32> {
        self.first.iter().chain(Some(&self.last))
    }
}

/// How many states there may be in the end, where there are so many by now.
pub fn goal(states: u64) -> u64 {
    states * MORE
}

/// A tree over leaves: which two positions each node joins. The leaves come first, then the nodes in this
/// order.
pub type Joins = Vec<(u32, u32)>;

/// A part of a state: a word, or several that were joined.
#[derive(Clone)]
struct Part {
    position: u32,
    height: u32,
    /// How many combinations of values occur.
    distinct: u32,
    /// Which of them is in each state.
    values: Vec<u32>,
}

impl Sample {
    /// A sample of states with so many words.
    pub fn new(words: usize) -> Sample {
        Sample { columns: vec![Values::default(); words], states: 0 }
    }

    /// A word holds this in the states that are added from now on.
    #[inline]
    pub fn put(&mut self, word: usize, value: u32) {
        let column = &mut self.columns[word];
        column.first.resize(self.states, column.last);
        column.last = value;
    }

    /// Adds a state.
    #[inline]
    pub fn add(&mut self) {
        self.states += 1;
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// About how many bytes the leaves and the nodes below the root will take, once there are more states, if they are arranged like this.
    pub fn bytes(&self, arrangement: &Arrangement) -> f64 {
        let mut numbering = Numbering::default();
        let words = self.words(&mut numbering);
        let mut bytes = 0.0;
        let mut parts = Vec::new();
        for leaf in &arrangement.leaves {
            let mut words = leaf.iter().map(|word| &words[*word as usize]);
            let Some(first) = words.next().cloned() else { continue };
            let whole = words.fold(first, |whole, word| whole.joined(word, 0, &mut numbering));
            bytes += whole.expected() * value_bytes(leaf.len()) as f64;
            parts.push(whole);
        }
        for &(left, right) in &arrangement.joins {
            let joined = parts[left as usize].joined(&parts[right as usize], 0, &mut numbering);
            bytes += joined.expected() * NODE as f64;
            parts.push(joined);
        }
        bytes
    }

    /// An arrangement with few nodes and at most so many parts of a root, for so many states, and the [bytes](Sample::bytes) that it takes. `None`: there is nothing to choose,
    /// or too much.
    pub fn arrange(&self, goal: u64, most_parts: usize) -> Option<(Arrangement, f64)> {
        let words = self.columns.len();
        if !(3..=MOST_LOOKED_AT).contains(&words) {
            return None;
        }
        let mut numbering = Numbering::default();
        let parts = self.words(&mut numbering);
        let expected: Vec<f64> = parts.iter().map(Part::expected).collect();
        let (joins, joined) = self.join(parts, &mut numbering)?;
        let (&(left, right), joins) = joins.split_last()?;
        // Which words stand below each position, if they may be one leaf.
        let mut leaves: Vec<Option<Vec<u32>>> = (0..words as u32).map(|word| Some(vec![word])).collect();
        for (&(left, right), expected) in joins.iter().zip(&joined) {
            let below = leaves[left as usize].iter().chain(&leaves[right as usize]);
            let both = below.clone().count() == 2;
            let below: Vec<u32> = below.flatten().copied().collect();
            let few = expected * value_bytes(below.len()) as f64 * STATES_A_BYTE <= goal as f64;
            leaves.push((both && few && below.len() <= MOST_WORDS).then_some(below));
        }
        let expected: Vec<f64> = expected.into_iter().chain(joined).collect();
        let mut top = vec![left, right];
        flatten(&mut top, joins, &leaves, &expected, goal as f64, most_parts);
        let mut arrangement = Arrangement::default();
        let mut nodes = Joins::new();
        let mut bytes = 0.0;
        let mut pass = |at: usize| {
            let each = leaves[at].as_ref().map_or(NODE, |words| value_bytes(words.len()));
            bytes += expected[at] * each as f64;
        };
        let mut take = |at: u32| arrangement.take(words, joins, &leaves, at as usize, &mut nodes, &mut pass);
        let taken: Vec<u32> = top.iter().map(|at| take(*at)).collect();
        // Nodes were given numbers from the end down, while it was not known how many leaves there are.
        let count = arrangement.leaves.len() as u32;
        let position = |at: u32| if at > u32::MAX / 2 { u32::MAX - at + count } else { at };
        arrangement.joins = nodes.iter().map(|&(left, right)| (position(left), position(right))).collect();
        // What is left over each number has its share of.
        let needed: Vec<u32> = top.iter().map(|at| bits(expected[*at as usize])).collect();
        let spare = (2 * NUMBER).saturating_sub(needed.iter().sum()) / top.len() as u32;
        let room = |needed: u32| if top.len() > 2 { (needed + spare).min(NUMBER) } else { NUMBER };
        arrangement.top =
            taken.iter().zip(needed).map(|(&at, needed)| (position(at), room(needed))).collect();
        Some((arrangement, bytes))
    }

    /// A tree over the words with few nodes, and how many are expected of each.
    fn join(&self, mut parts: Vec<Part>, numbering: &mut Numbering) -> Option<(Joins, Vec<f64>)> {
        let words = parts.len();
        let mut counter = Counter::new(self.states());
        let mut looks: Vec<Looks> = parts.iter().map(|part| counter.looks(part)).collect();
        // The combinations of each part with each one before it.
        let mut pairs: Vec<Vec<u32>> = Vec::with_capacity(words);
        for (index, part) in looks.iter().enumerate() {
            pairs.push(looks[..index].iter().map(|other| counter.combinations(part, other)).collect());
        }
        let mut joins = Joins::new();
        let mut expected = Vec::new();
        while parts.len() > 1 {
            // Where several pairs have as few, the lowest: constant parts would make a chain otherwise.
            let all = (0..parts.len()).flat_map(|high| (0..high).map(move |low| (high, low)));
            let (high, low) = all.min_by_key(|&(high, low)| {
                (pairs[high][low], parts[high].height.max(parts[low].height), high, low)
            })?;
            let joined = parts[low].joined(&parts[high], (words + joins.len()) as u32, numbering);
            joins.push((parts[low].position, parts[high].position));
            expected.push(joined.expected());
            for gone in [high, low] {
                parts.remove(gone);
                looks.remove(gone);
                pairs.remove(gone);
                for row in &mut pairs[gone..] {
                    row.remove(gone);
                }
            }
            let look = counter.looks(&joined);
            pairs.push(looks.iter().map(|other| counter.combinations(&look, other)).collect());
            parts.push(joined);
            looks.push(look);
        }
        Some((joins, expected))
    }

    fn words(&self, numbering: &mut Numbering) -> Vec<Part> {
        let word = |(column, position): (&Values, u32)| {
            let end = column.all().max().map_or(0, |highest| *highest as usize + 1);
            let (mut values, distinct) = if end <= FEW * self.states {
                numbering.below(end, column.all().map(|value| *value as usize))
            } else {
                numbered(column.all().copied().map(u64::from))
            };
            values.resize(self.states, values.last().copied().unwrap_or(0));
            Part { position, height: 0, distinct, values }
        };
        self.columns.iter().zip(0..).map(word).collect()
    }
}

impl Arrangement {
    /// Adds what stands at a position of a tree over words; `leaves` says where a leaf is. Gives its position: leaves from 0 up,
    /// nodes from the highest number down. Passes the positions of leaves and nodes in the tree.
    fn take(
        &mut self,
        words: usize,
        joins: &[(u32, u32)],
        leaves: &[Option<Vec<u32>>],
        at: usize,
        nodes: &mut Joins,
        pass: &mut impl FnMut(usize),
    ) -> u32 {
        pass(at);
        if let Some(leaf) = &leaves[at] {
            self.leaves.push(leaf.clone());
            return self.leaves.len() as u32 - 1;
        }
        let (left, right) = joins[at - words];
        let left = self.take(words, joins, leaves, left as usize, nodes, pass);
        let right = self.take(words, joins, leaves, right as usize, nodes, pass);
        nodes.push((left, right));
        u32::MAX - (nodes.len() as u32 - 1)
    }
}

/// Puts the parts of nodes into their places at the top, beginning with those nodes of which there are most, as long as the numbers there stay small.
fn flatten(
    top: &mut Vec<u32>,
    joins: &[(u32, u32)],
    leaves: &[Option<Vec<u32>>],
    expected: &[f64],
    states: f64,
    most_parts: usize,
) {
    let number_bits = |at: u32| bits(expected[at as usize]);
    let words = leaves.len() - joins.len();
    let mut all: u32 = top.iter().map(|at| number_bits(*at)).sum();
    let mut asked: Vec<u32> = Vec::new();
    while top.len() < most_parts {
        let inner = (0..top.len()).filter(|index| leaves[top[*index] as usize].is_none());
        let inner = inner.filter(|index| !asked.contains(&top[*index]));
        let Some(index) =
            inner.max_by(|a, b| expected[top[*a] as usize].total_cmp(&expected[top[*b] as usize]))
        else {
            return;
        };
        let node = top[index];
        let (left, right) = joins[node as usize - words];
        let more = number_bits(left) + number_bits(right)
            - number_bits(node).min(number_bits(left) + number_bits(right));
        let nodes = expected[node as usize] * (8 * NODE) as f64 / states;
        if all + more <= ROOT_BITS && f64::from(more) <= nodes + DEARER {
            all += more;
            top[index] = left;
            top.push(right);
        } else {
            asked.push(node);
        }
    }
}

/// How many bits so many numbers have.
fn bits(numbers: f64) -> u32 {
    (numbers.max(1.0).log2().ceil() as u32).max(1)
}

/// About how many bytes a value of so many words takes.
pub fn value_bytes(words: usize) -> u64 {
    8 * words as u64 + VALUE
}

impl Part {
    /// How many combinations there will be once there are more states, if their number goes on to grow by a power of the number
    /// of states, as it did since a quarter of them.
    fn expected(&self) -> f64 {
        let quarter = self.values[..self.values.len() / 4].iter().max().map_or(1, |highest| highest + 1);
        let distinct = f64::from(self.distinct);
        let quadruple = (distinct / f64::from(quarter)).clamp(1.0, 4.0);
        distinct * (MORE as f64).powf(quadruple.log(4.0))
    }

    fn joined(&self, other: &Part, position: u32, numbering: &mut Numbering) -> Part {
        let pairs = self.values.iter().zip(&other.values);
        let possible = self.distinct as usize * other.distinct as usize;
        let (values, distinct) = if possible <= FEW * self.values.len() {
            let place = |(&left, &right)| left as usize * other.distinct as usize + right as usize;
            numbering.below(possible, pairs.map(place))
        } else {
            numbered(pairs.map(|(&left, &right)| pair(left, right)))
        };
        Part { position, height: 1 + self.height.max(other.height), distinct, values }
    }
}

/// Numbers from 0 on for things in the order in which they first occur, and how many there are.
fn numbered(things: impl Iterator<Item = u64>) -> (Vec<u32>, u32) {
    let mut known: HashMap<u64, u32, BuildHasherDefault<Mixer>> = HashMap::default();
    let values = things
        .map(|thing| {
            let next = known.len() as u32;
            *known.entry(thing).or_insert(next)
        })
        .collect();
    (values, known.len() as u32)
}

/// The same for numbers below some end, whose list is used again and again: what is in it from before counts as nothing.
#[derive(Default)]
struct Numbering {
    known: Vec<u32>,
    /// As many as were given in all, from which on numbers count, less 1.
    given: u32,
}

impl Numbering {
    fn below(&mut self, end: usize, things: impl Iterator<Item = usize>) -> (Vec<u32>, u32) {
        if self.known.len() < end {
            self.known.resize(end, 0);
        }
        let before = self.given;
        let values = things
            .map(|thing| {
                let number = &mut self.known[thing];
                if *number <= before {
                    self.given += 1;
                    *number = self.given;
                }
                *number - before - 1
            })
            .collect();
        (values, self.given - before)
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Of how many states one is looked at for each pair of parts.
const ONE_OF: usize = 4;
/// What numbers are mixed with.
const TURN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Estimates how many combinations of values two parts have in a quarter of the states, by how many places of a small map they set
/// (linear counting; Whang and others 1990): pairs are compared by it, so a percent does not matter.
struct Counter {
    /// A byte for each place, which is set without being read.
    places: Vec<u8>,
    /// The states that are looked at: one of each few, but not always the same, since states may come in a rhythm.
    looked_at: Vec<u32>,
}

/// The values of a part in the states that are looked at.
struct Looks {
    distinct: u32,
    values: Vec<u32>,
}

impl Counter {
    fn new(states: usize) -> Counter {
        let few = 0..states / ONE_OF;
        let looked_at = few.map(|i| i * ONE_OF + fold(i as u64 ^ TURN, TURN) as usize % ONE_OF);
        Counter {
            places: vec![0; (states / ONE_OF * 4).next_power_of_two().max(64)],
            looked_at: looked_at.map(|state| state as u32).collect(),
        }
    }

    fn looks(&self, part: &Part) -> Looks {
        let values = self.looked_at.iter().map(|state| part.values[*state as usize]).collect();
        Looks { distinct: part.distinct, values }
    }

    fn combinations(&mut self, a: &Looks, b: &Looks) -> u32 {
        if a.distinct == 1 || b.distinct == 1 {
            return a.distinct.max(b.distinct);
        }
        let all = self.places.len();
        let possible = u64::from(a.distinct) * u64::from(b.distinct);
        let pairs = a.values.iter().zip(&b.values);
        let set = |places: &[u8]| places.iter().map(|place| u32::from(*place)).sum::<u32>();
        if possible <= all as u64 {
            let places = &mut self.places[..possible as usize];
            places.fill(0);
            pairs.for_each(|(left, right)| places[(left * b.distinct + right) as usize] = 1);
            return set(places);
        }
        self.places.fill(0);
        for (left, right) in pairs {
            let at = fold(pair(*left, *right) ^ TURN, 0x8bb8_4b93_962e_acc9) as usize;
            self.places[at & (all - 1)] = 1;
        }
        let free = (all as f64 - f64::from(set(&self.places))).max(1.0);
        (-(all as f64) * (free / all as f64).ln()).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn sample(states: u32, words: &[fn(u32) -> u32]) -> Sample {
        let mut sample = Sample::new(words.len());
        (0..states).for_each(|state| add(&mut sample, words.iter().map(|word| word(state))));
        sample
    }

    /// Adds a state of which every third says only what is another than before.
    fn add(sample: &mut Sample, words: impl Iterator<Item = u32>) {
        for (word, value) in words.enumerate() {
            if !sample.states().is_multiple_of(3) || sample.columns[word].last != value {
                sample.put(word, value);
            }
        }
        sample.add();
    }

    /// With the last of the nodes as the root.
    fn arrangement(leaves: &[&[u32]], joins: &[(u32, u32)]) -> Arrangement {
        let leaves = leaves.iter().map(|leaf| leaf.to_vec()).collect();
        let (&(left, right), joins) = joins.split_last().expect("there is a root");
        Arrangement { leaves, joins: joins.to_vec(), top: vec![(left, NUMBER), (right, NUMBER)] }
    }

    #[test]
    fn parts_that_move_together_stand_together() {
        // The first moves with the last, the second with the third; the two pairs are free of each other.
        let sample = sample(4096, &[|i| i % 64, |i| i / 64, |i| 7 * (i / 64), |i| i % 64 * 3]);
        // Of the second pair there are more and more, and few of the first: these become one leaf.
        let found = arrangement(&[&[1], &[2], &[0, 3]], &[(0, 1), (3, 2)]);
        assert_eq!(sample.arrange(64 * 4096, 2), Some((found.clone(), sample.bytes(&found))));
        let growing = 64.0 * 64.0;
        assert_eq!(sample.bytes(&found), 2.0 * growing * 13.0 + growing * 9.0 + 64.0 * 21.0);
        let together = arrangement(&[&[1, 2], &[0, 3]], &[(0, 1)]);
        assert_eq!(sample.bytes(&together), growing * 21.0 + 64.0 * 21.0);
        let apart = arrangement(&[&[0], &[1], &[2], &[3]], &[(0, 1), (2, 3), (4, 5)]);
        assert_eq!(sample.bytes(&apart), 2.0 * (growing + 64.0) * 13.0 + 2.0 * 64.0 * 4096.0 * 9.0);
    }

    #[test]
    fn what_has_few_values_becomes_a_leaf() {
        let sample = sample(4096, &[|i| i % 64, |i| i % 61, |i| i % 61 * 7, |i| i % 64 * 3]);
        let together = arrangement(&[&[1, 2], &[0, 3]], &[(0, 1)]);
        assert_eq!(sample.arrange(64 * 4096, 2), Some((together.clone(), sample.bytes(&together))));
    }

    #[test]
    fn a_root_joins_all_parts_that_are_free_of_each_other() {
        let value = |i: u32, shift: u32| fold(u64::from(i) ^ TURN, TURN).wrapping_shr(shift) as u32 % 250;
        let mut sample = Sample::new(3);
        (0..16_384).for_each(|i| add(&mut sample, [1, 21, 41].map(|shift| value(i, shift)).into_iter()));
        let (flat, bytes) = sample.arrange(goal(16_384), MOST_PARTS).unwrap_or_default();
        assert_eq!(bytes, sample.bytes(&flat));
        assert_eq!((flat.leaves.len(), flat.joins.len(), flat.top.len()), (3, 0, 3));
        assert!(flat.top.iter().map(|(_, bits)| bits).sum::<u32>() <= 2 * NUMBER);
        let (pairs, _) = sample.arrange(goal(16_384), 2).unwrap_or_default();
        assert_eq!((pairs.joins.len(), pairs.top.len()), (1, 2));
    }

    #[test]
    fn constants_stand_low_and_side_by_side() {
        let sample = sample(100, &[|_| 1, |i| i, |_| 2, |_| 3, |_| 4]);
        let mut numbering = Numbering::default();
        let words = sample.words(&mut numbering);
        let (joins, nodes) = sample.join(words, &mut numbering).unwrap_or_default();
        assert_eq!(joins[3], (1, 7));
        assert_eq!(nodes, [1.0, 1.0, 1.0, 6400.0]);
        let (found, _) = sample.arrange(1 << 26, 2).unwrap_or_default();
        assert_eq!(found, arrangement(&[&[1], &[0, 2, 3, 4]], &[(0, 1)]));
    }

    #[test]
    fn estimates_are_near() {
        let sample = sample(20_000, &[|i| i % 9973, |i| i % 5, |i| i % 311]);
        let parts = sample.words(&mut Numbering::default());
        let mut counter = Counter::new(20_000);
        let near = |estimate: u32, exact: u32| estimate.abs_diff(exact) * 20 < exact;
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let pair = |state: &u32| (parts[a].values[*state as usize], parts[b].values[*state as usize]);
            let exact: HashSet<(u32, u32)> = counter.looked_at.iter().map(pair).collect();
            let [a, b] = [a, b].map(|part| counter.looks(&parts[part]));
            assert!(near(counter.combinations(&a, &b), exact.len() as u32));
        }
    }
}
