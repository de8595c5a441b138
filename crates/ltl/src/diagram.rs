//! Boolean functions as reduced ordered binary decision diagrams: the labels of automata.
//!
//! Bryant, *Graph-based algorithms for Boolean function manipulation* (1986), without complemented edges and
//! without reordering: labels have few variables. Equal functions of one [`Diagrams`] are equal [`Label`]s.
//! Sums of products are irredundant, by Minato's and Morreale's algorithm.

use crate::hash::Map;

/// A Boolean function of a [`Diagrams`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Label(u32);

impl Label {
    /// Never.
    pub const FALSE: Label = Label(0);
    /// Always.
    pub const TRUE: Label = Label(1);
}

/// A conjunction of variables and negated variables: pairs of a variable and whether it is plain, in
/// ascending order.
pub type Cube = Vec<(usize, bool)>;

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    variable: u32,
    low: Label,
    high: Label,
}

/// Boolean functions over variables that are numbered from 0.
#[derive(Clone, Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    numbers: Map<Node, Label>,
    choices: Map<(Label, Label, Label), Label>,
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        Diagrams::new()
    }
}

impl Diagrams {
    /// None but the constants.
    pub fn new() -> Diagrams {
        // The two leaves are never looked into; their variable is below all others.
        let leaf = |label| Node { variable: u32::MAX, low: label, high: label };
        Diagrams {
            nodes: vec![leaf(Label::FALSE), leaf(Label::TRUE)],
            numbers: Map::default(),
            choices: Map::default(),
        }
    }

    fn node(&self, label: Label) -> Node {
        self.nodes[label.0 as usize]
    }

    fn make(&mut self, variable: u32, low: Label, high: Label) -> Label {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        let label = Label(self.nodes.len() as u32);
        self.nodes.push(node);
        self.numbers.insert(node, label);
        label
    }

    /// How many nodes there are: what has been computed so far, in memory.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The function that is one variable.
    pub fn variable(&mut self, variable: usize) -> Label {
        self.make(variable as u32, Label::FALSE, Label::TRUE)
    }

    /// The topmost variable, unless the function is constant.
    pub fn top(&self, label: Label) -> Option<usize> {
        let variable = self.node(label).variable;
        (variable != u32::MAX).then_some(variable as usize)
    }

    /// The function with its topmost variable false, and with it true.
    pub fn branches(&self, label: Label) -> (Label, Label) {
        let node = self.node(label);
        (node.low, node.high)
    }

    fn cofactors(&self, label: Label, variable: u32) -> (Label, Label) {
        let node = self.node(label);
        if node.variable == variable { (node.low, node.high) } else { (label, label) }
    }

    /// `if condition then yes else no`.
    pub fn choice(&mut self, condition: Label, yes: Label, no: Label) -> Label {
        match (condition, yes, no) {
            (Label::TRUE, _, _) => return yes,
            (Label::FALSE, _, _) => return no,
            (_, Label::TRUE, Label::FALSE) => return condition,
            _ if yes == no => return yes,
            _ => {}
        }
        if let Some(known) = self.choices.get(&(condition, yes, no)) {
            return *known;
        }
        let variable = self.node(condition).variable.min(self.node(yes).variable).min(self.node(no).variable);
        let (condition_low, condition_high) = self.cofactors(condition, variable);
        let (yes_low, yes_high) = self.cofactors(yes, variable);
        let (no_low, no_high) = self.cofactors(no, variable);
        let low = self.choice(condition_low, yes_low, no_low);
        let high = self.choice(condition_high, yes_high, no_high);
        let label = self.make(variable, low, high);
        self.choices.insert((condition, yes, no), label);
        label
    }

    /// Negation.
    pub fn not(&mut self, label: Label) -> Label {
        self.choice(label, Label::FALSE, Label::TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, left: Label, right: Label) -> Label {
        self.choice(left, right, Label::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, left: Label, right: Label) -> Label {
        self.choice(left, Label::TRUE, right)
    }

    /// What is in the first and not in the second.
    pub fn minus(&mut self, left: Label, right: Label) -> Label {
        self.choice(right, Label::FALSE, left)
    }

    /// Whether the first implies the second.
    pub fn implies(&mut self, left: Label, right: Label) -> bool {
        self.choice(left, right, Label::TRUE) == Label::TRUE
    }

    /// A conjunction as a function.
    pub fn cube(&mut self, cube: &[(usize, bool)]) -> Label {
        let mut label = Label::TRUE;
        for (variable, plain) in cube {
            let one = self.variable(*variable);
            let one = if *plain { one } else { self.not(one) };
            label = self.and(label, one);
        }
        label
    }

    /// The value under an assignment.
    pub fn holds(&self, label: Label, value: impl Fn(usize) -> bool) -> bool {
        let mut at = label;
        while let Some(variable) = self.top(at) {
            let (low, high) = self.branches(at);
            at = if value(variable) { high } else { low };
        }
        at == Label::TRUE
    }

    /// An irredundant sum of products: no conjunction and no variable in one can be left out.
    pub fn sum_of_products(&mut self, label: Label) -> Vec<Cube> {
        let mut sum = Sum { diagrams: self, known: Map::default() };
        let (cubes, _) = sum.between(label, label);
        cubes
            .into_iter()
            .map(|mut cube| {
                cube.reverse();
                cube
            })
            .collect()
    }

    /// Splits a function by its variables below `count`: pairs of a condition over those and of what the
    /// function is under it. The conditions exclude each other; `false` is left out.
    pub fn split(&mut self, label: Label, count: usize) -> Vec<(Label, Label)> {
        let mut found = Map::default();
        self.split_into(label, count as u32, &mut found)
            .into_iter()
            .filter(|(_, r)| *r != Label::FALSE)
            .collect()
    }

    fn split_into(
        &mut self,
        label: Label,
        count: u32,
        memo: &mut Map<Label, Vec<(Label, Label)>>,
    ) -> Vec<(Label, Label)> {
        let node = self.node(label);
        if node.variable >= count {
            return vec![(Label::TRUE, label)];
        }
        if let Some(known) = memo.get(&label) {
            return known.clone();
        }
        let mut result: Vec<(Label, Label)> = Vec::new();
        for (branch, plain) in [(node.low, false), (node.high, true)] {
            for (condition, rest) in self.split_into(branch, count, memo) {
                let here = if plain {
                    self.make(node.variable, Label::FALSE, condition)
                } else {
                    self.make(node.variable, condition, Label::FALSE)
                };
                match result.iter().position(|(_, other)| *other == rest) {
                    Some(place) => result[place].0 = self.or(result[place].0, here),
                    None => result.push((here, rest)),
                }
            }
        }
        memo.insert(label, result.clone());
        result
    }

    /// A function of another `Diagrams` in this one, its variables renamed. The new numbers must be in the
    /// order of the old ones or not: both are right, the former is faster.
    pub fn import(&mut self, other: &Diagrams, label: Label, rename: &[usize]) -> Label {
        self.import_into(other, label, rename, &mut Map::default())
    }

    fn import_into(
        &mut self,
        other: &Diagrams,
        label: Label,
        rename: &[usize],
        memo: &mut Map<Label, Label>,
    ) -> Label {
        if label == Label::FALSE || label == Label::TRUE {
            return label;
        }
        if let Some(known) = memo.get(&label) {
            return *known;
        }
        let node = other.node(label);
        let low = self.import_into(other, node.low, rename, memo);
        let high = self.import_into(other, node.high, rename, memo);
        let variable = self.variable(rename[node.variable as usize]);
        let result = self.choice(variable, high, low);
        memo.insert(label, result);
        result
    }
}

/// The recursion of Minato and Morreale. Cubes are built from their last variable to their first.
struct Sum<'a> {
    diagrams: &'a mut Diagrams,
    known: Map<(Label, Label), (Vec<Cube>, Label)>,
}

impl Sum<'_> {
    /// A sum of products that covers `lower` and stays within `upper`, and its function.
    fn between(&mut self, lower: Label, upper: Label) -> (Vec<Cube>, Label) {
        if lower == Label::FALSE {
            return (Vec::new(), Label::FALSE);
        }
        if upper == Label::TRUE {
            return (vec![Vec::new()], Label::TRUE);
        }
        if let Some(known) = self.known.get(&(lower, upper)) {
            return known.clone();
        }
        let variable = self.diagrams.node(lower).variable.min(self.diagrams.node(upper).variable);
        let (lower_low, lower_high) = self.diagrams.cofactors(lower, variable);
        let (upper_low, upper_high) = self.diagrams.cofactors(upper, variable);
        let only_low = self.diagrams.minus(lower_low, upper_high);
        let only_high = self.diagrams.minus(lower_high, upper_low);
        let (low_cubes, low) = self.between(only_low, upper_low);
        let (high_cubes, high) = self.between(only_high, upper_high);
        let rest_low = self.diagrams.minus(lower_low, low);
        let rest_high = self.diagrams.minus(lower_high, high);
        let rest = self.diagrams.or(rest_low, rest_high);
        let both = self.diagrams.and(upper_low, upper_high);
        let (mut cubes, either) = self.between(rest, both);
        for (branch, plain) in [(low_cubes, false), (high_cubes, true)] {
            cubes.extend(branch.into_iter().map(|mut cube| {
                cube.push((variable as usize, plain));
                cube
            }));
        }
        let split = self.diagrams.make(variable, low, high);
        let covered = self.diagrams.or(either, split);
        self.known.insert((lower, upper), (cubes.clone(), covered));
        (cubes, covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of four variables by its sixteen values.
    fn by_table(diagrams: &mut Diagrams, table: u16) -> Label {
        let mut label = Label::FALSE;
        for row in 0..16 {
            if table >> row & 1 == 1 {
                let cube: Cube = (0..4).map(|v| (v, row >> v & 1 == 1)).collect();
                let cube = diagrams.cube(&cube);
                label = diagrams.or(label, cube);
            }
        }
        label
    }

    #[test]
    fn functions_are_canonical_and_sums_are_exact() {
        let mut diagrams = Diagrams::new();
        for step in 0..400u32 {
            let table = (step.wrapping_mul(2_654_435_761) >> 8) as u16;
            let label = by_table(&mut diagrams, table);
            for row in 0..16 {
                assert_eq!(diagrams.holds(label, |v| row >> v & 1 == 1), table >> row & 1 == 1);
            }
            let cubes = diagrams.sum_of_products(label);
            let functions: Vec<Label> = cubes.iter().map(|cube| diagrams.cube(cube)).collect();
            let sum = functions.iter().fold(Label::FALSE, |sum, one| diagrams.or(sum, *one));
            assert_eq!(sum, label);
            for left_out in 0..functions.len() {
                let rest = functions.iter().enumerate().filter(|(number, _)| *number != left_out);
                let sum = rest.fold(Label::FALSE, |sum, (_, one)| diagrams.or(sum, *one));
                assert_ne!(sum, label, "a product can be left out");
            }
            let mut joined = Label::FALSE;
            for (condition, rest) in diagrams.split(label, 2) {
                assert!(diagrams.top(rest).is_none_or(|v| v >= 2));
                assert_eq!(diagrams.and(joined, condition), Label::FALSE);
                let part = diagrams.and(condition, rest);
                joined = diagrams.or(joined, part);
            }
            assert_eq!(joined, label);
            let mut other = Diagrams::new();
            let turned = other.import(&diagrams, label, &[3, 2, 1, 0]);
            assert_eq!(diagrams.import(&other, turned, &[3, 2, 1, 0]), label);
        }
    }
}
