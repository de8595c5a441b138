//! What is remembered of states that are no longer on the stack: bits, hashes, or as many states as there is room for.

use super::bitstate::Bitstate;
use super::cache::Cache;
use super::codec::Fixed;
use super::compact::{Added, Compact};
use super::interface::Recollection;
use super::saved::Saved;
use super::sketch::Sketch;

/// What became of a state whose turn has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Met {
    /// It was visited, and left with this sleep set.
    Visited(u32),
    /// It was new.
    Entered,
    /// It was new, and there is no room for it.
    Full,
}

/// What is remembered of states that are no longer on the stack.
pub trait Visited: Saved {
    /// Where a hash is looked for; what belongs there is on its way from memory.
    type Place: Copy;

    /// The place of a hash. `next` says whether what has this hash will be the next to enter the stack if it is new; if it can't be
    /// new, the one after it will.
    fn place(&self, hash: u64, next: &mut bool) -> Self::Place;

    /// The place of a hash will soon be asked for.
    fn announce(&self, _hash: u64) {}

    /// Fetches what belongs to a hash.
    fn fetch(&self, hash: u64) {
        self.place(hash, &mut false);
    }

    /// The number of the sleep set of a state that was visited.
    fn find(&self, place: Self::Place, hash: u64, state: &[u8]) -> Option<u32>;

    /// A state that is looked for again, because its turn has come.
    fn meet(&mut self, hash: u64, state: &[u8]) -> Option<u32> {
        self.find(self.place(hash, &mut false), hash, state)
    }

    /// A new state enters the stack. False: there is no room for it.
    fn enter(&mut self, hash: u64, state: &[u8]) -> bool;

    /// A state that is looked for again, because its turn has come, enters the stack if it is new and the stack has room for it.
    fn meet_or_enter(&mut self, hash: u64, state: &[u8], room: bool) -> Met {
        match self.meet(hash, state) {
            Some(sleep) => Met::Visited(sleep),
            None if room && self.enter(hash, state) => Met::Entered,
            None => Met::Full,
        }
    }

    /// Whether a state that was asked for together with many others, so that it has been fetched, is known to have been visited, and left with no sleep
    /// set. It may have been all the same if it is not known.
    fn is_fetched(&self, _hash: u64) -> bool {
        false
    }

    /// The same as [`Visited::meet_or_enter`] for a state that has been fetched, and was not known.
    fn meet_fetched(&mut self, hash: u64, state: &[u8], room: bool) -> Met {
        self.meet_or_enter(hash, state, room)
    }

    /// A state leaves the stack with this sleep set.
    fn leave(&mut self, hash: u64, state: &[u8], sleep: u32);

    /// A visited state enters the stack again.
    fn recall(&mut self, _hash: u64, _state: &[u8]) {}

    /// Bytes allocated.
    fn bytes(&self) -> u64;

    /// The bytes that may be used from now on.
    fn set_limit(&mut self, bytes: u64);

    /// What became of the states.
    fn recollection(&self, entered: &Sketch) -> Recollection;
}

/// A set that has every state as soon as it enters the stack: what is not in it, is not on the stack either.
pub trait Prompt: Visited {}

impl Prompt for Bitstate {}

impl Prompt for Compact {}

/// What is known of a state among the bits.
#[derive(Copy, Clone, Debug)]
pub struct Known {
    /// It is there.
    yes: bool,
    /// Its bits are looked at when its turn comes.
    later: bool,
}

impl Visited for Bitstate {
    type Place = Known;

    /// What was not met lately is most often new. So its bits are waited for when its turn comes, by when they are there; unless that is far off, and
    /// experience says that it would lie on the stack in vain.
    #[inline]
    fn place(&self, hash: u64, next: &mut bool) -> Known {
        let yes = self.is_known(hash);
        let later = *next | self.is_foreseen();
        *next &= yes;
        Known { yes, later }
    }

    #[inline]
    fn announce(&self, hash: u64) {
        Bitstate::announce(self, hash);
    }

    #[inline]
    fn fetch(&self, hash: u64) {
        Bitstate::place(self, hash);
    }

    #[inline]
    fn find(&self, known: Known, hash: u64, _state: &[u8]) -> Option<u32> {
        (known.yes || !known.later && self.contains(Bitstate::place(self, hash))).then_some(0)
    }

    fn meet(&mut self, hash: u64, _state: &[u8]) -> Option<u32> {
        self.contains(Bitstate::place(self, hash)).then_some(0)
    }

    fn enter(&mut self, hash: u64, _state: &[u8]) -> bool {
        let place = Bitstate::place(self, hash);
        self.insert(place);
        true
    }

    #[inline]
    fn meet_or_enter(&mut self, hash: u64, _state: &[u8], room: bool) -> Met {
        let place = Bitstate::place(self, hash);
        if !room {
            return if self.contains(place) { Met::Visited(0) } else { Met::Full };
        }
        if self.insert_in_turn(place) { Met::Entered } else { Met::Visited(0) }
    }

    #[inline]
    fn is_fetched(&self, hash: u64) -> bool {
        Bitstate::is_fetched(self, hash)
    }

    #[inline]
    fn meet_fetched(&mut self, hash: u64, _state: &[u8], room: bool) -> Met {
        let place = Bitstate::place(self, hash);
        if !room {
            return if self.contains(place) { Met::Visited(0) } else { Met::Full };
        }
        if self.add(place) { Met::Entered } else { Met::Visited(0) }
    }

    fn leave(&mut self, _hash: u64, _state: &[u8], _sleep: u32) {}

    fn bytes(&self) -> u64 {
        Bitstate::bytes(self)
    }

    fn set_limit(&mut self, _bytes: u64) {}

    fn recollection(&self, entered: &Sketch) -> Recollection {
        Recollection {
            omissions: Some(self.omissions()),
            distinct: Some(entered.clone()),
            ..Recollection::default()
        }
    }
}

impl Visited for Compact {
    type Place = ();

    #[inline]
    fn place(&self, hash: u64, _next: &mut bool) {
        self.prefetch(hash);
    }

    #[inline]
    fn find(&self, (): (), hash: u64, _state: &[u8]) -> Option<u32> {
        Compact::find(self, hash).map(|slot| self.side(slot))
    }

    fn enter(&mut self, hash: u64, _state: &[u8]) -> bool {
        self.insert(hash) != Added::Full
    }

    fn leave(&mut self, hash: u64, _state: &[u8], sleep: u32) {
        if let Some(slot) = Compact::find(self, hash) {
            self.set_side(slot, sleep);
        }
    }

    fn bytes(&self) -> u64 {
        Compact::bytes(self)
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit(bytes);
    }

    fn recollection(&self, _entered: &Sketch) -> Recollection {
        Recollection { omissions: Some(self.omissions()), ..Recollection::default() }
    }
}

impl<C: Fixed> Visited for Cache<C> {
    type Place = ();

    #[inline]
    fn place(&self, hash: u64, _next: &mut bool) {
        self.prefetch(hash);
    }

    #[inline]
    fn find(&self, (): (), hash: u64, state: &[u8]) -> Option<u32> {
        Cache::find(self, hash, state)
    }

    fn meet(&mut self, hash: u64, state: &[u8]) -> Option<u32> {
        Cache::meet(self, hash, state)
    }

    fn enter(&mut self, _hash: u64, _state: &[u8]) -> bool {
        true
    }

    fn leave(&mut self, hash: u64, state: &[u8], sleep: u32) {
        self.insert(hash, state, sleep);
    }

    fn recall(&mut self, hash: u64, state: &[u8]) {
        self.remove(hash, state);
    }

    fn bytes(&self) -> u64 {
        Cache::bytes(self)
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit(bytes);
    }

    fn recollection(&self, entered: &Sketch) -> Recollection {
        let distinct = (self.replaced() > 0).then(|| entered.clone());
        Recollection { replaced: self.replaced(), distinct, ..Recollection::default() }
    }
}
