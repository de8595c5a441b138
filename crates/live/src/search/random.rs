//! Random searches: uniformly at each step, or by priorities that change at few random moments (PCT: Burckhardt,
//! Kothari, Musuvathi and Nagarakatte 2010), which finds a bug of depth d in a run of n threads and k steps with
//! probability at least 1/(n·k^(d-1)).

use super::{Choice, Strategy};
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::NONE;

/// A small generator of random numbers (xorshift64*, Vigna 2016), the same everywhere for one seed.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound.max(1))) >> 64) as u64
    }
}

/// A random search.
#[derive(Debug)]
pub(crate) struct Random {
    numbers: Numbers,
    /// How many executions are left.
    left: u64,
    total: u64,
    /// PCT: the number of moments at which a priority falls; `None`: every step is random.
    depth: Option<u32>,
    priorities: Vec<u64>,
    moments: Vec<u64>,
    steps: u64,
    longest: u64,
    enabled: Vec<u32>,
}

impl Random {
    pub(crate) fn new(seed: u64, executions: u64, depth: Option<u32>) -> Random {
        Random {
            numbers: Numbers::new(seed),
            left: executions,
            total: executions,
            depth,
            priorities: Vec::new(),
            moments: Vec::new(),
            steps: 0,
            longest: 0,
            enabled: Vec::new(),
        }
    }

    fn by_priority(&mut self) -> u32 {
        for &thread in &self.enabled {
            while self.priorities.len() <= thread as usize {
                // Above all priorities that a fallen thread can have.
                let high = self.numbers.next() | 1 << 63;
                self.priorities.push(high);
            }
        }
        let highest = |enabled: &[u32], priorities: &[u64]| {
            enabled.iter().copied().max_by_key(|&thread| priorities[thread as usize]).unwrap_or(NONE)
        };
        let mut thread = highest(&self.enabled, &self.priorities);
        if let Some(place) = self.moments.iter().position(|&moment| moment == self.steps) {
            self.priorities[thread as usize] = place as u64;
            thread = highest(&self.enabled, &self.priorities);
        }
        thread
    }
}

impl Strategy for Random {
    fn begin(&mut self) -> u32 {
        self.priorities.clear();
        self.steps = 0;
        self.moments.clear();
        let horizon = self.longest.max(16);
        for _ in 1..self.depth.unwrap_or(1) {
            let moment = self.numbers.below(horizon);
            self.moments.push(moment);
        }
        NONE
    }

    fn choose(&mut self, runtime: &Runtime) -> Choice {
        self.enabled.clear();
        self.enabled.extend(runtime.born.iter().copied().filter(|&thread| runtime.enabled(thread)));
        if self.enabled.is_empty() {
            return Choice::Nobody;
        }
        let thread = match self.depth {
            None => self.enabled[self.numbers.below(self.enabled.len() as u64) as usize],
            Some(_) => self.by_priority(),
        };
        self.steps += 1;
        let which = self.numbers.below(u64::from(runtime.alternatives(thread))) as u32;
        Choice::Step { thread, choice: runtime.alternative(thread, which) }
    }

    fn performed(&mut self, _runtime: &Runtime) {}

    fn finished(&mut self, _runtime: &mut Runtime, _end: &End) -> bool {
        self.longest = self.longest.max(self.steps);
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn exhaustive(&self) -> bool {
        false
    }

    fn progress(&self) -> f64 {
        1.0 - self.left as f64 / self.total.max(1) as f64
    }
}
