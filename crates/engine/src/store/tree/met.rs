//! Roots that were met lately, by their marks, for searches that ask of a visited state only whether it is one.

use super::keys::{Key, Keys};
use super::mark::mark_of;
use super::table::Column;
use crate::store::budget::Budget;
use crate::store::interface::Insert;
use crate::store::lately::Lately;

/// From how many roots on those met lately are remembered: one of eight, at most so many.
const MANY: u64 = 1 << 14;
const ONE_OF: u64 = 8;
const MOST: u64 = 1 << 16;

/// What is known of a root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// It is there.
    Met,
    /// It is most likely new; it is looked for when its turn comes.
    Later,
    /// Nothing.
    None,
}

/// What is known of a root with this hash, as a [word](Key::root), by those met lately.
#[inline]
pub fn ask(lately: &Lately, root: u64, hash: u64, generation: u64) -> Foresight {
    match mark_of(root, generation) {
        0 => Foresight::None,
        mark if lately.has(hash, mark) => Foresight::Met,
        _ if lately.is_foreseen() => Foresight::Later,
        _ => Foresight::None,
    }
}

/// A root with this mark was inserted in its turn.
#[inline]
pub fn learn(lately: &mut Option<Lately>, root: Key, mark: u64, inserted: Insert) {
    if let Some(lately) = lately
        && inserted != Insert::Full
    {
        lately.learn(matches!(inserted, Insert::New(_)));
        lately.note(Keys::hash(&root), mark);
    }
}

/// There are so many roots now: makes room for more that were met lately, if it is time for that and the budget allows.
#[inline]
pub fn follow(lately: &mut Option<Lately>, roots: u64, budget: &mut Budget) {
    if roots >= MANY && roots.is_power_of_two() && roots / ONE_OF <= MOST {
        let before = lately.as_ref().map_or(0, Lately::bytes) as usize;
        let bits = (roots / ONE_OF).trailing_zeros();
        if budget.exchange(before, size_of::<u64>() << bits) {
            *lately = Some(Lately::of_names(bits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::arena::StateRef;

    #[test]
    fn a_root_that_was_met_is_known_until_the_set_is_made_anew() {
        let mut budget = Budget::new(None);
        let mut lately = None;
        (1..=4 * MANY).for_each(|roots| follow(&mut lately, roots, &mut budget));
        assert_eq!(lately.as_ref().map(Lately::bytes), Some(budget.used()));
        assert_eq!(budget.used(), 4 * MANY / ONE_OF * 8);
        let root = Key { left: 3, right: 4, shape: 1 };
        let mark = |root: Key, generation| mark_of(root.root(), generation);
        let asked = |lately: &Option<Lately>, generation| {
            lately.as_ref().map(|lately| ask(lately, root.root(), Keys::hash(&root), generation))
        };
        assert_eq!(asked(&lately, 1), Some(Foresight::Later));
        learn(&mut lately, root, mark(root, 1), Insert::Full);
        assert_eq!(asked(&lately, 1), Some(Foresight::Later));
        learn(&mut lately, root, mark(root, 1), Insert::New(StateRef(0)));
        assert_eq!(asked(&lately, 1), Some(Foresight::Met));
        assert_eq!(asked(&lately, 2), Some(Foresight::Later));
        (0..4 * MANY).for_each(|_| learn(&mut lately, root, mark(root, 1), Insert::Passed(0)));
        assert_eq!(asked(&lately, 2), Some(Foresight::None));
    }
}
