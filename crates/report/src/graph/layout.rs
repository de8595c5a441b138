//! A layered layout: a node lies as deep as it is far from the start, and edges that lead back up pass
//! between the nodes of the layers on their way.
//!
//! Distances give layers between which no edge leads down by more than one, so only edges upwards need
//! points on their way; these take part in the ordering like nodes. Layers are ordered by barycentres,
//! a few sweeps down and up.

use super::Graph;
use std::collections::VecDeque;

/// Where everything lies, in columns of one character and in layers.
pub struct Layout {
    /// For each node its middle and its layer.
    pub nodes: Vec<(f64, usize)>,
    /// For each bundle of parallel edges, the points on its way from node to node.
    pub bundles: Vec<Bundle>,
    /// How wide everything is.
    pub width: f64,
    /// How many layers there are.
    pub layers: usize,
}

/// Edges between the same two nodes.
pub struct Bundle {
    /// From.
    pub from: usize,
    /// To.
    pub to: usize,
    /// The edges, by index.
    pub edges: Vec<usize>,
    /// Middle and layer of each point between the two.
    pub points: Vec<(f64, usize)>,
}

/// What lies in a layer: a node, or a point of a bundle.
#[derive(Copy, Clone, PartialEq)]
enum Item {
    Node(usize),
    Point(usize, usize),
}

/// Sweeps over the layers.
const SWEEPS: usize = 6;

/// Space between neighbours.
const SPACE: f64 = 3.0;

/// Lays out a graph whose nodes need these widths.
pub fn layout(graph: &Graph, widths: &[f64]) -> Layout {
    let depths = depths(graph);
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        let bundle = *known.entry((edge.from, edge.to)).or_insert_with(|| {
            bundles.push(Bundle { from: edge.from, to: edge.to, edges: Vec::new(), points: Vec::new() });
            bundles.len() - 1
        });
        bundles[bundle].edges.push(index);
    }
    let layers = depths.iter().max().map_or(0, |deepest| deepest + 1);
    let mut rows: Vec<Vec<Item>> = vec![Vec::new(); layers];
    for (node, depth) in depths.iter().enumerate() {
        rows[*depth].push(Item::Node(node));
    }
    for (number, bundle) in bundles.iter_mut().enumerate() {
        let (from, to) = (depths[bundle.from], depths[bundle.to]);
        for layer in (to + 1..from).rev() {
            rows[layer].push(Item::Point(number, bundle.points.len()));
            bundle.points.push((0.0, layer));
        }
    }
    let mut placed = Placed {
        nodes: vec![0.0; graph.nodes.len()],
        bundles,
        widths,
        neighbours: vec![Vec::new(); graph.nodes.len()],
    };
    for (number, bundle) in placed.bundles.iter().enumerate() {
        placed.neighbours[bundle.from].push(number);
        placed.neighbours[bundle.to].push(number);
    }
    let mut width: f64 = 0.0;
    rows.iter().for_each(|row| width = width.max(placed.spread(row, 0.0)));
    for sweep in 0..SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..layers).collect() } else { (0..layers).rev().collect() };
        for layer in order {
            let mut row = std::mem::take(&mut rows[layer]);
            let mut keyed: Vec<(f64, Item)> =
                row.iter().map(|i| (placed.barycentre(*i, &depths), *i)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            row = keyed.into_iter().map(|(_, item)| item).collect();
            placed.spread(&row, width);
            rows[layer] = row;
        }
    }
    let Placed { nodes, bundles, .. } = placed;
    Layout { nodes: nodes.into_iter().zip(depths).collect(), bundles, width, layers }
}

/// How far each node is from an initial one; what can't be reached counts as a start of its own.
fn depths(graph: &Graph) -> Vec<usize> {
    let mut after = vec![Vec::new(); graph.nodes.len()];
    graph.edges.iter().for_each(|edge| after[edge.from].push(edge.to));
    let mut depths = vec![usize::MAX; graph.nodes.len()];
    let mut queue: VecDeque<usize> =
        (0..graph.nodes.len()).filter(|node| graph.nodes[*node].initial).collect();
    queue.iter().for_each(|start| depths[*start] = 0);
    for start in 0..graph.nodes.len() {
        while let Some(node) = queue.pop_front() {
            for &next in &after[node] {
                if depths[next] == usize::MAX {
                    depths[next] = depths[node] + 1;
                    queue.push_back(next);
                }
            }
        }
        if depths[start] == usize::MAX {
            depths[start] = 0;
            queue.push_back(start);
        }
    }
    depths
}

struct Placed<'a> {
    nodes: Vec<f64>,
    bundles: Vec<Bundle>,
    widths: &'a [f64],
    /// The bundles at each node.
    neighbours: Vec<Vec<usize>>,
}

impl Placed<'_> {
    /// Puts the items of a layer side by side, in the middle of `width`; returns how wide they are.
    fn spread(&mut self, row: &[Item], width: f64) -> f64 {
        let room = |item: &Item| match item {
            Item::Node(node) => self.widths[*node],
            Item::Point(..) => 2.0,
        };
        let total: f64 = row.iter().map(|item| room(item) + SPACE).sum();
        let mut at = ((width - total) / 2.0).max(0.0);
        let middles: Vec<f64> = row
            .iter()
            .map(|item| {
                let middle = at + (room(item) + SPACE) / 2.0;
                at += room(item) + SPACE;
                middle
            })
            .collect();
        for (item, middle) in row.iter().zip(middles) {
            match item {
                Item::Node(node) => self.nodes[*node] = middle,
                Item::Point(bundle, point) => self.bundles[*bundle].points[*point].0 = middle,
            }
        }
        total
    }

    /// The middle of what an item is connected with in other layers.
    fn barycentre(&self, item: Item, depths: &[usize]) -> f64 {
        let (own, others): (f64, Vec<f64>) = match item {
            Item::Point(bundle, point) => {
                let Bundle { from, to, points, .. } = &self.bundles[bundle];
                let before = point.checked_sub(1).map_or(self.nodes[*from], |before| points[before].0);
                let after = points.get(point + 1).map_or(self.nodes[*to], |after| after.0);
                (points[point].0, vec![before, after])
            }
            Item::Node(node) => {
                let connected = self.neighbours[node].iter().filter_map(|bundle| {
                    let Bundle { from, to, points, .. } = &self.bundles[*bundle];
                    let (other, nearest) =
                        if *from == node { (*to, points.first()) } else { (*from, points.last()) };
                    let at = nearest.map_or(self.nodes[other], |point| point.0);
                    (depths[other] != depths[node]).then_some(at)
                });
                (self.nodes[node], connected.collect())
            }
        };
        if others.is_empty() { own } else { others.iter().sum::<f64>() / others.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, Node};
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph { nodes: vec![Node::default(); nodes], ..Graph::default() };
        graph.nodes[0].initial = true;
        graph.edges =
            edges.iter().map(|(from, to)| Edge { from: *from, to: *to, ..Edge::default() }).collect();
        graph
    }

    #[test]
    fn layers_are_distances_and_ways_back_have_points() {
        let graph = graph(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (1, 1), (0, 1)]);
        let layout = layout(&graph, &[5.0; 5]);
        let layers: Vec<usize> = layout.nodes.iter().map(|(_, layer)| *layer).collect();
        assert_eq!(layers, [0, 1, 1, 2, 0]);
        let back = layout.bundles.iter().find(|b| (b.from, b.to) == (3, 0)).unwrap();
        assert_eq!(back.points.len(), 1);
        let double = layout.bundles.iter().find(|b| (b.from, b.to) == (0, 1)).unwrap();
        assert_eq!(double.edges, [0, 6]);
    }

    #[test]
    fn nothing_in_a_layer_overlaps() {
        let edges: Vec<(usize, usize)> =
            (1..20).map(|n| (0, n)).chain((20..40).map(|n| (n - 19, n))).collect();
        let graph = graph(40, &edges);
        let layout = layout(&graph, &[7.0; 40]);
        for (a, (x, layer)) in layout.nodes.iter().enumerate() {
            for (y, other) in &layout.nodes[a + 1..] {
                assert!(layer != other || (x - y).abs() >= 7.0, "{x} {y}");
            }
        }
    }
}
