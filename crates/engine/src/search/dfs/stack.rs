//! The stack of a depth-first search: levels, and the successors that wait at each.
//!
//! What waits is the step that leads there; the bytes of the topmost part are kept as well, so that a step is
//! executed again only when a very deep stack unwinds.

use crate::search::component::Link;
use crate::store::StateRef;
use mazurka_model::{Batch, Step};

/// Bytes of waiting successors that are kept, at most.
const CACHE: usize = 32 << 20;
/// The share of the memory limit that they may take.
const CACHE_SHARE: u64 = 16;

/// One level of the stack.
#[derive(Copy, Clone)]
pub struct Frame {
    pub state: StateRef,
    /// What waits at this level starts here.
    pub base: u32,
    /// The colour of the state once this level is done.
    pub after: u8,
    pub link: Link,
    /// The state was visited before; this level is for steps that woke up.
    pub woken: bool,
}

/// A successor that waits.
#[derive(Copy, Clone)]
pub struct Waiting {
    pub step: Step,
    /// Which of the step's successors.
    pub outcome: u32,
    pub sleep: u32,
    pub length: u32,
    /// What the store knows it by.
    pub mark: u64,
}

/// A successor that survived the first probe.
#[derive(Copy, Clone)]
pub struct Survivor {
    pub edge: u32,
    pub sleep: u32,
    /// What the store knows it by.
    pub mark: u64,
}

/// The stack: levels, what waits at each, and the bytes of what waits at the topmost ones.
pub struct Stack {
    pub frames: Vec<Frame>,
    pub waiting: Vec<Waiting>,
    cache: Vec<u8>,
    /// The bytes of `waiting[cached_from..]` are in `cache`, in order.
    pub cached_from: usize,
    /// The most bytes to be kept there.
    most_cached: usize,
}

impl Stack {
    /// A stack of nothing, which keeps its share of this memory in bytes of successors.
    pub fn new(memory: Option<u64>) -> Stack {
        let most_cached = memory.map_or(CACHE, |limit| CACHE.min((limit / CACHE_SHARE) as usize));
        Stack { frames: Vec::new(), waiting: Vec::new(), cache: Vec::new(), cached_from: 0, most_cached }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + self.cache.capacity()) as u64
    }

    /// Lets the survivors of an expansion wait, the first on top.
    pub fn wait(&mut self, edges: &Batch, survivors: &[Survivor]) {
        // Where the successors of the present step begin.
        let mut begin = usize::MAX;
        for survivor in survivors.iter().rev() {
            let index = survivor.edge as usize;
            let step = edges.successors()[index].step;
            if index < begin {
                let same = edges.successors()[..index].iter().rev().take_while(|s| s.step == step);
                begin = index - same.count();
            }
            let state = edges.state(index);
            self.waiting.push(Waiting {
                step,
                outcome: (index - begin) as u32,
                sleep: survivor.sleep,
                length: state.len() as u32,
                mark: survivor.mark,
            });
            self.cache.extend_from_slice(state);
        }
        if self.cache.len() > self.most_cached {
            let mut dropped = 0;
            while self.cache.len() - dropped > self.most_cached / 2 {
                dropped += self.waiting[self.cached_from].length as usize;
                self.cached_from += 1;
            }
            self.cache.drain(..dropped);
        }
    }

    /// The next successor that waits at the top level; its bytes go to `out` if they were kept.
    pub fn next(&mut self, out: &mut Vec<u8>) -> Option<(Waiting, bool)> {
        let base = self.frames.last()?.base as usize;
        if self.waiting.len() == base {
            return None;
        }
        let waiting = self.waiting.pop()?;
        let kept = self.waiting.len() >= self.cached_from;
        if kept {
            let start = self.cache.len() - waiting.length as usize;
            out.clear();
            out.extend_from_slice(&self.cache[start..]);
            self.cache.truncate(start);
        } else {
            self.cached_from = self.waiting.len();
        }
        Some((waiting, kept))
    }
}
