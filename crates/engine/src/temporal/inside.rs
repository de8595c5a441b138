//! Whether a process can stay inside an atomic region for ever.
//!
//! Such a run is fair: nobody else can move. But it is fair only because of the region, and a run in which others
//! moved before the region began is none of the same trace, though their steps are independent of all that
//! the region does. So a graph that keeps one run of each trace may keep only the other one (Peled 1993 knows no
//! regions).
//!
//! If the whole graph has such a region, the reduced one has it as well, wherever the property stopped looking. Take a run into the region
//! and on until a state within it comes back. The reduced graph keeps finite runs up to the order of independent steps: it has a run with all
//! of these steps, and perhaps more. There too they are taken in one go from where the region begins, because no one else moves within a region; what was
//! moved in front of them, or left behind, is independent of all that the region may do, which counts as one footprint. So the same
//! state within the region comes back. Inside regions, and where one begins, nothing is left out.
//!
//! Systems that are known to have no such region need not be asked ([`mazurka_model::System::regions_end`]).

use super::graph::Graph;
use crate::search::Run;

/// Chooses the edges of all states that can be reached from `starts`, and looks for a cycle inside a region. True also
/// if a limit ended that.
pub fn may_last_for_ever(graph: &mut Graph<'_>, run: &mut Run<'_>, starts: &[u32]) -> bool {
    let mut work = starts.to_vec();
    let mut seen: Vec<bool> = Vec::new();
    let mut inside = Vec::new();
    while let Some(node) = work.pop() {
        let index = node as usize;
        if seen.len() <= index {
            seen.resize(index + 1, false);
        }
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        let bytes = graph.bytes() + seen.len() as u64;
        if !run.go_on(1, || (0, bytes)) {
            return true;
        }
        graph.choose(node);
        run.stopped = run.stopped.or(graph.stopped);
        if run.stopped.is_some() {
            return true;
        }
        work.extend_from_slice(graph.successors(node));
        if graph.is_interior(node) {
            inside.push(node);
        }
    }
    has_cycle(graph, &inside)
}

/// Whether that is so among the states that the search came to, if nothing else looked further. Where the property
/// stopped looking, it holds or not whatever follows.
pub fn lasts_where_looked(graph: &Graph<'_>) -> bool {
    let looked_at = |node: &u32| graph.is_interior(*node) && graph.was_looked_at(*node);
    let inside: Vec<u32> = (0..graph.len() as u32).filter(looked_at).collect();
    has_cycle(graph, &inside)
}

/// Whether some of these states, all inside regions and looked at, lie on a cycle of such states.
fn has_cycle(graph: &Graph<'_>, inside: &[u32]) -> bool {
    // A state that no state inside a region leads to any more lies on no cycle, and is taken away.
    let mut entering = std::collections::HashMap::new();
    let among = |next: &u32| graph.is_interior(*next) && graph.was_looked_at(*next);
    let within = |node: u32| graph.successors(node).iter().copied().filter(among);
    for &node in inside {
        within(node).for_each(|next| *entering.entry(next).or_insert(0_u32) += 1);
    }
    let mut free: Vec<u32> = inside.iter().copied().filter(|node| !entering.contains_key(node)).collect();
    let mut gone = 0;
    while let Some(node) = free.pop() {
        gone += 1;
        for next in within(node) {
            if let Some(left) = entering.get_mut(&next) {
                *left -= 1;
                if *left == 0 {
                    free.push(next);
                }
            }
        }
    }
    gone < inside.len()
}
