//! How many states are opened together where nothing is chosen: as many as have enough edges for the processor to fetch at a time, as
//! far as that can be foreseen from the states before.

/// The most states; and about how many edges are enough.
const MOST_STATES: u64 = 16;
const ENOUGH_EDGES: u64 = 32;

/// How many states to open, if so many states had so many edges.
#[inline]
pub fn size(states: u64, edges: u64) -> usize {
    let foreseen = (ENOUGH_EDGES * states + edges / 2) / edges.max(1);
    foreseen.clamp(1, MOST_STATES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_with_many_edges_are_opened_with_few_others() {
        for (edges, expected) in [(0, 16), (1, 16), (2, 16), (4, 8), (30, 1), (1000, 1)] {
            assert_eq!(size(1000, 1000 * edges), expected, "{edges} edges each");
        }
    }
}
