//! Random Promela programs that SPIN accepts, for the comparison with SPIN.
//!
//! A program is a function of its seed. It first draws a shape, the constructs that it uses at all, so
//! that programs of very different characters arise, and then fills it: two to four processes of a few
//! statements each. Variables whose values could grow are kept small, except where they wrap around.
//!
//! Left out, because SPIN's answer is none: indices outside of an array, division by zero, endless atomic
//! sequences, channel variables without a channel. Constructs that a claim needs are left out as well.

mod communicate;
mod declare;
mod expression;
mod process;
mod scope;
pub mod shrink;
mod statement;

use fastrand::Rng;
use scope::{Channel, Signature, Variable};

/// The constructs that a program uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Shape {
    arrays: bool,
    structures: bool,
    symbols: bool,
    buffered: bool,
    rendezvous: bool,
    /// Channels are passed through variables, parameters and messages.
    channel_values: bool,
    /// `??`, `!!`, `?<>`, polls and questions about channels.
    probes: bool,
    wide: bool,
    atomic: bool,
    d_step: bool,
    unless: bool,
    timeout: bool,
    provided: bool,
    creation: bool,
    jumps: bool,
    loops: bool,
    counting: bool,
    inlines: bool,
    macros: bool,
    /// `_last` is part of the state of whoever uses it.
    last: bool,
}

/// The text of the program of a seed.
pub fn text(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut chance = |percent: u32| random.u32(0..100) < percent;
    let shape = Shape {
        arrays: chance(30),
        structures: chance(20),
        symbols: chance(25),
        buffered: chance(55),
        rendezvous: chance(35),
        channel_values: chance(25),
        probes: chance(40),
        wide: chance(40),
        atomic: chance(45),
        d_step: chance(35),
        unless: chance(30),
        timeout: chance(15),
        provided: chance(12),
        creation: chance(40),
        jumps: chance(35),
        loops: chance(35),
        counting: chance(15),
        inlines: chance(25),
        macros: chance(25),
        last: chance(4),
    };
    let mut generator = Generator {
        random,
        shape,
        variables: Vec::new(),
        channels: Vec::new(),
        signatures: Vec::new(),
        inlines: Vec::new(),
        macros: Vec::new(),
        startable: Vec::new(),
        labels: Vec::new(),
        names: 0,
    };
    generator.model()
}

/// A program under construction.
struct Generator {
    random: Rng,
    shape: Shape,
    /// The variables in scope, the innermost last.
    variables: Vec<Variable>,
    /// The channels and channel variables in scope.
    channels: Vec<Channel>,
    /// The kinds of channel, by what messages they carry.
    signatures: Vec<Signature>,
    /// The names of the inlines; each has a variable and a value as parameters.
    inlines: Vec<String>,
    /// The names of macros that change a variable.
    macros: Vec<String>,
    /// The proctypes that the process under construction may start, with the kinds of their parameters.
    startable: Vec<(String, Vec<scope::Kind>)>,
    /// The labels of the process under construction that stand at its outermost level before this place.
    labels: Vec<String>,
    /// How many names were given, so that all are different.
    names: u32,
}

impl Generator {
    /// Whether something of this likelihood happens.
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    /// One of these words.
    fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.random.usize(0..words.len())]
    }

    /// An index, each as likely as its weight.
    fn pick(&mut self, weights: &[u32]) -> usize {
        let mut left = self.random.u32(0..weights.iter().sum::<u32>().max(1));
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        0
    }

    /// A weight, or none if the construct is not used.
    fn weight(used: bool, weight: u32) -> u32 {
        if used { weight } else { 0 }
    }

    /// A new name.
    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// `;` or `->`, which mean the same.
    fn separator(&mut self) -> &'static str {
        if self.chance(85) { "; " } else { " -> " }
    }
}
