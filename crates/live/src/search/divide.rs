//! How a depth-first search gives a part of its work to others, and takes over a part of theirs.

use super::dfs::{Dfs, Node};
use super::method::Method;
use super::team::{Level, Shared, Team};
use std::sync::Arc;

impl Dfs {
    /// A search that explores together with others. Only the first one starts from the beginning.
    pub(crate) fn in_team(method: Method, team: Arc<Team>) -> Dfs {
        Dfs { team: Some(team), ..Dfs::new(method) }
    }

    /// Takes over a part of the search from others; `false` at the end of all work.
    pub(crate) fn join(&mut self) -> bool {
        let Some(team) = self.team.clone() else { return false };
        while let Some(levels) = team.task() {
            self.depth = 0;
            for level in levels {
                self.make_node();
                let node = &mut self.stack[self.depth];
                node.step = level.step;
                node.kind = level.kind;
                node.preemptions = level.preemptions;
                node.shared = Some(level.shared);
                node.entry = level.entry;
                self.depth += 1;
            }
            if self.backtrack() {
                self.fresh = self.depth.saturating_sub(1);
                return true;
            }
        }
        false
    }

    /// Gives others the uppermost part of the search that waits.
    pub(super) fn donate(&mut self) {
        let Some(team) = &self.team else { return };
        if !team.hungry() {
            return;
        }
        let waits = |node: &Node| match &node.shared {
            Some(shared) => shared.waits(),
            None => !node.tree.is_empty(),
        };
        // What the topmost step is, is not known yet.
        let below = self.depth.saturating_sub(1);
        let Some(level) = self.stack[..below].iter().position(waits) else { return };
        let levels = self.stack[..=level].iter_mut().map(|node| {
            let shared = node.shared.get_or_insert_with(|| {
                node.entry = node.sleep.len();
                Arc::new(Shared::new(node.sleep.clone(), node.step, std::mem::take(&mut node.tree)))
            });
            shared.enter(node.entry);
            let Node { step, kind, preemptions, entry, .. } = *node;
            Level { step, kind, preemptions, entry, shared: Arc::clone(shared) }
        });
        team.offer(levels.collect());
    }
}
