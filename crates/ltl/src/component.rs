//! Strongly connected components of graphs with marked edges (Tarjan 1972, without recursion).

use crate::automaton::Marks;

/// A graph: for each node, where its edges lead and their marks.
pub(crate) type Graph = Vec<Vec<(usize, Marks)>>;

/// The components of the part of a graph that is reachable from a node.
pub(crate) struct Components {
    /// The component of each node; none if it is not reachable. Edges lead to components with smaller or
    /// equal numbers.
    pub(crate) of: Vec<Option<usize>>,
    /// Of each component, the marks of the edges within it; none if there is no such edge.
    pub(crate) marks: Vec<Option<Marks>>,
}

impl Components {
    /// The components of the part of `graph` that is reachable from `start`.
    pub(crate) fn new(graph: &Graph, start: usize) -> Components {
        const UNSEEN: usize = usize::MAX;
        let mut found = Components { of: vec![None; graph.len()], marks: Vec::new() };
        let mut order = vec![UNSEEN; graph.len()];
        let mut lowest = vec![UNSEEN; graph.len()];
        let mut open = Vec::new();
        let mut path = vec![(start, 0)];
        let mut count = 0;
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 && order[node] == UNSEEN {
                order[node] = count;
                lowest[node] = count;
                count += 1;
                open.push(node);
            }
            if let Some((target, _)) = graph[node].get(*edge) {
                *edge += 1;
                if order[*target] == UNSEEN {
                    path.push((*target, 0));
                } else if found.of[*target].is_none() {
                    lowest[node] = lowest[node].min(order[*target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                found.close(graph, &mut open, node);
            }
        }
        found
    }

    /// The nodes above `root`, and `root`, are a component.
    fn close(&mut self, graph: &Graph, open: &mut Vec<usize>, root: usize) {
        let number = self.marks.len();
        let first = open.iter().rposition(|node| *node == root).unwrap_or(0);
        let members = open.split_off(first);
        for member in &members {
            self.of[*member] = Some(number);
        }
        let inner = members.iter().flat_map(|member| &graph[*member]);
        let inner = inner.filter(|(target, _)| self.of[*target] == Some(number));
        let marks = inner.fold(None, |all: Option<Marks>, (_, marks)| Some(all.unwrap_or(0) | marks));
        self.marks.push(marks);
    }

    /// Whether a component has a cycle with all these marks.
    pub(crate) fn accepting(&self, component: usize, all: Marks) -> bool {
        self.marks[component] == Some(all)
    }
}

/// Whether a cycle with all these marks is reachable from a node.
pub(crate) fn accepting_cycle(graph: &Graph, start: usize, all: Marks) -> bool {
    let components = Components::new(graph, start);
    (0..components.marks.len()).any(|component| components.accepting(component, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_and_their_marks() {
        let graph: Graph =
            vec![vec![(1, 1)], vec![(2, 1), (3, 0)], vec![(1, 2)], vec![(4, 3)], vec![], vec![(5, 3)]];
        let components = Components::new(&graph, 0);
        assert_eq!(components.of[1], components.of[2]);
        assert_ne!(components.of[0], components.of[1]);
        assert_eq!(components.of[5], None);
        assert_eq!(components.marks[components.of[1].unwrap()], Some(3));
        assert_eq!(components.marks[components.of[3].unwrap()], None);
        assert!(accepting_cycle(&graph, 0, 3));
        assert!(!accepting_cycle(&graph, 3, 3) && !accepting_cycle(&graph, 0, 7));
        assert!(accepting_cycle(&graph, 5, 3));
    }
}
