//! Which parts of a state stand under one node, so that there are few nodes.
//!
//! A node is stored once for each combination of values that occurs below it. Parts that move together, such as
//! a process and the channel it reads, have few combinations; parts that move freely of each other have as
//! many as the product. Which is which shows in the states themselves: starting from the leaves, the two
//! parts with the fewest combinations in a sample of the stored states are joined, again and again, as in
//! Huffman's construction, whose trees these are when all parts move freely. Parts that rarely change end up
//! far from the root and those that often change near it, so that the paths to be looked up get shorter too.
//!
//! Any arrangement is right: this is about memory and time only.

use crate::store::Mixer;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The most leaves that are looked at: each pair of them is counted.
const MOST_LEAVES: usize = 128;

/// What the leaves of some states hold: for each leaf a number that stands for its value, state by state.
#[derive(Debug, Default)]
pub struct Sample {
    columns: Vec<Vec<u32>>,
}

/// A tree over leaves: which two positions each node joins. The leaves come first, then the nodes in this
/// order; the last node is the root.
pub type Joins = Vec<(u32, u32)>;

/// A part of a state: a leaf, or several that were joined.
struct Part {
    position: u32,
    height: u32,
    /// How many combinations of values occur.
    distinct: u32,
    /// Which of them is in each state.
    values: Vec<u32>,
}

impl Sample {
    /// A sample of states with so many leaves.
    pub fn new(leaves: usize) -> Sample {
        Sample { columns: vec![Vec::new(); leaves] }
    }

    /// Adds a state, by what stands for the values of its leaves.
    pub fn add(&mut self, leaves: impl Iterator<Item = u32>) {
        for (column, value) in self.columns.iter_mut().zip(leaves) {
            column.push(value);
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// How many different nodes below the root these states have if they are joined like this.
    pub fn nodes(&self, joins: &Joins) -> u64 {
        let mut parts: Vec<Part> = self.leaves().collect();
        let mut nodes = 0;
        for &(left, right) in &joins[..joins.len().saturating_sub(1)] {
            let joined = parts[left as usize].joined(&parts[right as usize], parts.len() as u32);
            nodes += u64::from(joined.distinct);
            parts.push(joined);
        }
        nodes
    }

    /// A tree with few nodes. `None`: there is nothing to choose, or too much.
    pub fn arrange(&self) -> Option<Joins> {
        let leaves = self.columns.len();
        if !(3..=MOST_LEAVES).contains(&leaves) {
            return None;
        }
        let mut counter = Counter::new(self.states());
        let mut parts: Vec<Part> = self.leaves().collect();
        // The combinations of each part with each one before it.
        let mut pairs: Vec<Vec<u32>> = Vec::with_capacity(leaves);
        for (index, part) in parts.iter().enumerate() {
            pairs.push(parts[..index].iter().map(|other| counter.combinations(part, other)).collect());
        }
        let mut joins = Joins::new();
        while parts.len() > 1 {
            // Where several pairs have as few, the lowest: constant parts would make a chain otherwise.
            let all = (0..parts.len()).flat_map(|high| (0..high).map(move |low| (high, low)));
            let (high, low) = all.min_by_key(|&(high, low)| {
                (pairs[high][low], parts[high].height.max(parts[low].height), high, low)
            })?;
            let joined = parts[low].joined(&parts[high], (leaves + joins.len()) as u32);
            joins.push((parts[low].position, parts[high].position));
            for gone in [high, low] {
                parts.remove(gone);
                pairs.remove(gone);
                for row in &mut pairs[gone..] {
                    row.remove(gone);
                }
            }
            pairs.push(parts.iter().map(|other| counter.combinations(&joined, other)).collect());
            parts.push(joined);
        }
        Some(joins)
    }

    fn leaves(&self) -> impl Iterator<Item = Part> + '_ {
        self.columns.iter().zip(0..).map(|(column, position)| {
            let (values, distinct) = numbered(column.iter().copied().map(u64::from));
            Part { position, height: 0, distinct, values }
        })
    }
}

impl Part {
    fn joined(&self, other: &Part, position: u32) -> Part {
        let pairs = self.values.iter().zip(&other.values).map(|(&left, &right)| pair(left, right));
        let (values, distinct) = numbered(pairs);
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

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Estimates how many combinations of values two parts have, by how many bits of a small map they set
/// (linear counting; Whang and others 1990): pairs are compared by it, so a percent does not matter.
struct Counter {
    bits: Vec<u64>,
}

impl Counter {
    fn new(states: usize) -> Counter {
        Counter { bits: vec![0; (states * 4).next_power_of_two().max(64) / 64] }
    }

    fn combinations(&mut self, a: &Part, b: &Part) -> u32 {
        if a.distinct == 1 || b.distinct == 1 {
            return a.distinct.max(b.distinct);
        }
        let bits = self.bits.len() * 64;
        let exact = u64::from(a.distinct) * u64::from(b.distinct) <= bits as u64;
        self.bits.fill(0);
        for (&left, &right) in a.values.iter().zip(&b.values) {
            let at = if exact {
                (left * b.distinct + right) as usize
            } else {
                (pair(left, right).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits.trailing_zeros()))
                    as usize
            };
            self.bits[at / 64] |= 1 << (at % 64);
        }
        let set: u32 = self.bits.iter().map(|word| word.count_ones()).sum();
        if exact {
            return set;
        }
        let free = (bits as f64 - f64::from(set)).max(1.0);
        (-(bits as f64) * (free / bits as f64).ln()).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(states: u32, leaves: &[fn(u32) -> u32]) -> Sample {
        let mut sample = Sample::new(leaves.len());
        (0..states).for_each(|state| sample.add(leaves.iter().map(|leaf| leaf(state))));
        sample
    }

    #[test]
    fn parts_that_move_together_stand_together() {
        // The first moves with the last, the second with the third; the two pairs are free of each other.
        let sample = sample(4096, &[|i| i % 64, |i| i / 64, |i| 7 * (i / 64), |i| i % 64 * 3]);
        assert_eq!(sample.arrange(), Some(vec![(1, 2), (0, 3), (4, 5)]));
        assert_eq!(sample.nodes(&vec![(0, 3), (1, 2), (4, 5)]), 128);
        assert_eq!(sample.nodes(&vec![(0, 1), (2, 3), (4, 5)]), 8192);
    }

    #[test]
    fn constants_stand_low_and_side_by_side() {
        let sample = sample(100, &[|_| 1, |i| i, |_| 2, |_| 3, |_| 4]);
        let joins = sample.arrange().unwrap_or_default();
        assert_eq!(joins.len(), 4);
        assert_eq!(joins[3], (1, 7));
        assert_eq!(sample.nodes(&joins), 3);
    }

    #[test]
    fn estimates_are_near() {
        let sample = sample(20_000, &[|i| i % 9973, |i| i % 5, |i| i % 311]);
        let parts: Vec<Part> = sample.leaves().collect();
        let mut counter = Counter::new(20_000);
        let near = |estimate: u32, exact: u32| estimate.abs_diff(exact) * 50 < exact;
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let exact = parts[a].joined(&parts[b], 3).distinct;
            assert!(near(counter.combinations(&parts[a], &parts[b]), exact));
        }
    }
}
