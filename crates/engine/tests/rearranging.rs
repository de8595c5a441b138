//! Trees that are arranged anew: what moves together gets a place together, and nothing is lost.

mod support;

use mazurka_engine::store::{Insert, Ordered, Side, Store, Tree};
use support::Walkers;

/// States of four words. The first moves with the last and the second with the third, and these two pairs are
/// free of each other: side by side are just those that are not together.
fn states() -> impl Iterator<Item = Vec<u8>> {
    (0..64u64 * 64).map(|i| [i % 64, i / 64, 7 * (i / 64), 3 * (i % 64)].map(u64::to_le_bytes).concat())
}

fn filled(limit: Option<u64>, system: &Walkers) -> Tree<'_> {
    let mut tree = Tree::new(system, Side { colour: true, ..Side::default() }, limit);
    for (index, state) in states().enumerate() {
        let Insert::New(reference) = tree.insert(&state) else { panic!("state {index} is not new") };
        tree.set_colour(reference, (index % 3) as u8);
    }
    tree
}

fn is_whole(tree: &mut Tree<'_>) {
    assert_eq!(tree.len(), 64 * 64);
    let mut reference = tree.first();
    let mut bytes = Vec::new();
    for (index, state) in states().enumerate() {
        let found = reference.expect("all are there");
        tree.load(found, &mut bytes);
        assert_eq!((&bytes, tree.colour(found)), (&state, (index % 3) as u8));
        assert_eq!(tree.insert(&state), Insert::Seen(found));
        reference = tree.after(found);
    }
}

#[test]
fn a_tree_arranged_anew_is_smaller_and_has_the_same_states_under_the_same_references() {
    let system = Walkers::new(2, 2, false, false);
    let mut tree = filled(None, &system);
    let before = tree.bytes();
    tree.rearrange();
    assert!(tree.bytes() * 3 < before * 2, "{before} bytes became {}", tree.bytes());
    is_whole(&mut tree);
    // Nothing better is found a second time.
    let arranged = tree.bytes();
    tree.rearrange();
    assert_eq!(tree.bytes(), arranged);
}

#[test]
fn where_there_is_no_room_for_two_trees_all_stays_as_it_is() {
    let system = Walkers::new(2, 2, false, false);
    let needed = filled(None, &system).bytes();
    let mut tree = filled(Some(needed + 5_000), &system);
    tree.rearrange();
    assert_eq!(tree.bytes(), needed);
    is_whole(&mut tree);
}

#[test]
fn where_numbers_outgrow_a_root_the_tree_is_made_anew_and_nothing_is_lost() {
    let system = Walkers::new(2, 2, false, false);
    let mut tree = Tree::new(&system, Side::default(), None);
    // Three words of few values, free of each other: the root joins all three once the tree is arranged.
    let few = |i: u64| {
        let random = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 17;
        [random >> 20 & 255, random >> 35 & 255, random >> 50 & 255].map(u64::to_le_bytes).concat()
    };
    let first: Vec<Insert> = (0..20_000).map(|i| tree.insert(&few(i))).collect();
    let pairs = tree.bytes();
    tree.rearrange();
    assert!(tree.bytes() * 5 < pairs * 4, "{pairs} bytes became {}", tree.bytes());
    // Then the first has more values than its part of the root has room for.
    let many = |i: u64| [1000 + i, i % 7, i % 5].map(u64::to_le_bytes).concat();
    for i in 0..300_000 {
        assert!(matches!(tree.insert(&many(i)), Insert::New(_)), "state {i} is not new");
    }
    for (i, inserted) in (0..).zip(first) {
        let (Insert::New(state) | Insert::Seen(state)) = inserted else { panic!("there was no room") };
        assert_eq!(tree.insert(&few(i)), Insert::Seen(state));
    }
    let mut bytes = Vec::new();
    for i in 0..300_000 {
        let Insert::Seen(state) = tree.insert(&many(i)) else { panic!("state {i} was lost") };
        tree.load(state, &mut bytes);
        assert_eq!(bytes, many(i));
    }
}
