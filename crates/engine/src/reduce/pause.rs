//! When choosing is not worth what it costs: states are expanded fully for a while, then it is tried again.
//!
//! Full expansion is always right, so only savings are at stake. A pause is decided by the expansions so far and nothing
//! else, no clock: the same search visits the same states again, also when it goes on from a checkpoint, which keeps what
//! the pause has learnt.

use crate::config::{Config, Method};
use mazurka_model::System;

/// What is spent in vain before choosing pauses.
const PATIENCE: i32 = 512;
/// What one expansion in vain spends.
const IN_VAIN: i32 = 2;
/// Expansions between pauses that must be in vain too before the next pause.
const SAMPLE: i32 = 12;
/// The shortest and the longest pause, in expansions.
const SHORTEST: u32 = 256;
const LONGEST: u32 = 4_096;
/// What an expansion that saved something brings back where sets are cheap: they pay if two in five save something. Measured on
/// networks of machines, whose transitions cost no more than their sets.
const CHEAP: i32 = 3;
/// The same where sets are dear: choosing goes on if one expansion in 64 saves something. How much a search saves can't be told from how
/// often it does: one state in ten may be enough for three quarters of the states, and one in five save a tenth.
const DEAR: i32 = 63 * IN_VAIN;
/// Choosing may be given up for good where it saved something in no more than one state in so many.
const HARDLY_EVER: u64 = 200;
/// How much what was saved may outweigh what was spent, where the one is weighed against the other: a part of the system in which nothing
/// can be left out is not yet a reason to pause.
const CREDIT: i32 = 16 * PATIENCE;

/// What is spent in vain before it pauses to seek sets at all where other steps are chosen without that: more if it was ever of use. Savings come in
/// droves, with hundreds of states between them, and thousands in `petersonN`.
const NEVER: i32 = 1_024 * IN_VAIN;
const NOT_LATELY: i32 = 8_192 * IN_VAIN;

/// The numbers that a checkpoint keeps.
pub const LEARNT: usize = 4;

/// Counts what choosing brings. After many states in which nothing was saved, choosing pauses: what is lost are savings in systems
/// where they are rarer than its price.
#[derive(Copy, Clone, Debug)]
pub struct Pause {
    /// What an expansion that saved something brings back of what was spent in vain.
    worth: i32,
    /// What was spent in vain, less what came back, as far as that counts.
    vain: i32,
    /// Where what comes back counts no more.
    least: i32,
    /// How many expansions are left of the present pause.
    left: u32,
    /// How long the last pause was.
    length: u32,
    /// How many expansions saved something.
    savings: u32,
}

impl Default for Pause {
    /// Anything saved is worth all that was spent: choosing pauses where savings are rarer than one state in hundreds.
    fn default() -> Pause {
        Pause { worth: PATIENCE, vain: 0, least: 0, left: 0, length: 0, savings: 0 }
    }
}

impl Pause {
    /// That of a configuration that is resolved; none if sets are to be computed in every state. Only `auto` and its like pause: a
    /// method that is asked for by name, with its own kind of information, is what its paper says.
    pub fn of(system: &dyn System, config: &Config) -> Option<Pause> {
        match config.reduction.method {
            Method::Deletion => Some(Pause::lenient()),
            Method::Persistent => system.relations()?.closed_sets()?.may_pause().then(Pause::thrifty),
            _ => None,
        }
    }

    /// Choosing must pay: it pauses where less than two expansions in five save something.
    pub fn thrifty() -> Pause {
        Pause { worth: CHEAP, least: -CREDIT, ..Pause::default() }
    }

    /// Choosing must save something now and then: it pauses where less than one expansion in 64 does, and half as late where none ever did.
    pub fn lenient() -> Pause {
        Pause { worth: DEAR, vain: PATIENCE / 2, least: -PATIENCE, ..Pause::default() }
    }

    /// Choosing goes on unless it never saved anything, or nothing for very long.
    pub fn hopeful() -> Pause {
        Pause {
            worth: i32::MAX / 2,
            vain: PATIENCE - NEVER,
            least: PATIENCE - NOT_LATELY,
            ..Pause::default()
        }
    }

    /// Whether only sets that leave something out count as savings: where they leave out nothing, sleep sets save no states. Otherwise steps
    /// that fall asleep do, too, and a state in which steps sleep is never within a pause.
    pub fn weighs_sets(&self) -> bool {
        self.worth < PATIENCE
    }

    /// Whether the next expansion is within a pause.
    pub fn goes_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// An expansion with a choice was in vain, or was not.
    pub fn learn(&mut self, vain: bool) {
        if !vain {
            self.savings = self.savings.saturating_add(1);
            self.vain = (self.vain - self.worth).max(self.least);
            if self.vain <= 0 {
                (self.left, self.length) = (0, 0);
            }
            return;
        }
        self.vain += IN_VAIN;
        if self.vain >= PATIENCE {
            self.length = (2 * self.length).clamp(SHORTEST, LONGEST);
            self.left = self.length;
            self.vain = PATIENCE - SAMPLE * IN_VAIN;
        }
    }

    /// Whether choosing has saved next to nothing in so many states, and nothing at all lately: pauses have become as long as they can.
    pub fn is_for_good(&self, states: u64) -> bool {
        self.length == LONGEST && HARDLY_EVER * u64::from(self.savings) <= states
    }

    /// What it has learnt, for a checkpoint.
    pub fn learnt(&self) -> [u32; LEARNT] {
        [(self.vain - self.least) as u32, self.left, self.length, self.savings]
    }

    /// The same again.
    pub fn recall(&mut self, [vain, left, length, savings]: [u32; LEARNT]) {
        // What a damaged file may say must not count further than it can.
        self.vain = vain.min((PATIENCE - self.least) as u32) as i32 + self.least;
        (self.left, self.length) = (left.min(LONGEST), length.min(LONGEST));
        self.savings = savings;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `count` expansions choose, where every `nth` choice saves something.
    fn chosen(mut pause: Pause, count: u32, nth: u32) -> u32 {
        let mut chosen = 0;
        for _ in 0..count {
            if !pause.goes_on() {
                chosen += 1;
                pause.learn(chosen % nth != 0);
            }
        }
        chosen
    }

    #[test]
    fn rare_savings_keep_a_patient_choice_going_and_end_a_thrifty_one() {
        assert_eq!(chosen(Pause::default(), 100_000, 100), 100_000);
        assert!(chosen(Pause::default(), 100_000, 1_000) < 2_500);
        assert!(chosen(Pause::thrifty(), 100_000, 100) < 2_500);
        assert!(chosen(Pause::thrifty(), 100_000, 3) < 7_500);
        assert!(chosen(Pause::lenient(), 100_000, 400) < 2_500);
        assert_eq!(chosen(Pause::lenient(), 100_000, 60), 100_000);
        assert_eq!(chosen(Pause::thrifty(), 100_000, 2), 100_000);
        assert_eq!(chosen(Pause::hopeful(), 100_000, 1_000), 100_000);
        assert!(chosen(Pause::hopeful(), 100_000, 100_001) < 2_000);
        assert!(chosen(Pause::hopeful(), 100_000, 9_000) < 20_000);
    }

    #[test]
    fn choosing_is_given_up_where_nothing_was_saved_for_long() {
        let after = |early: u32, vain: u32| {
            let mut pause = Pause::lenient();
            for turn in 0..early + vain {
                if !pause.goes_on() {
                    pause.learn(turn >= early);
                }
            }
            pause.is_for_good(u64::from(early + vain))
        };
        assert!(after(0, 20_000));
        assert!(!after(0, 2_000), "pauses are short yet");
        assert!(!after(500, 20_000), "one state in forty is not nothing");
        assert!(after(100, 20_000));
    }

    #[test]
    fn a_pause_goes_on_where_it_was_interrupted() {
        let mut whole = Pause::thrifty();
        for turn in 0..5_000 {
            if !whole.goes_on() {
                whole.learn(turn % 7 != 0);
            }
            let mut again = Pause::thrifty();
            again.recall(whole.learnt());
            assert_eq!(format!("{again:?}"), format!("{whole:?}"));
        }
    }
}
