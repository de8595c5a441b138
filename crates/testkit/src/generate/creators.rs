//! Random programs that are about processes which come and go.
//!
//! A few types, each of which may create those behind it, most of them several times: so there are several creators, and creation is nested. Processes
//! run through a row of simple steps, end, and are removed. Their own channels are passed on to whom they create; some types create their like for each message
//! that they take. In most programs nobody can tell the numbers of processes; in one of four somebody can, in one of the ways there are:
//! by asking, by a limit, by an end that is not valid or has a condition, or by a channel that outlives its owner or gets another number.

use fastrand::Rng;
use mazurka_program::Program;
use mazurka_program::text;
use std::fmt::Write as _;

/// How somebody can tell.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Tell {
    Not,
    OwnNumber,
    NumberOfChild,
    Count,
    Limit,
    InvalidEnd,
    ConditionalEnd,
    LeakedChannel,
    ChannelNumber,
}

struct Creators {
    random: Rng,
    tell: Tell,
    types: usize,
    /// By type: it owns a channel, and gets one as its parameter.
    owns: Vec<bool>,
    takes: Vec<bool>,
    /// A channel with room for messages, and one without.
    fifo: bool,
    meet: bool,
}

/// The program of a seed. It is always valid.
pub fn creators(seed: u64) -> Program {
    let mut random = Rng::with_seed(seed ^ 0x5eed_c4ea);
    let ways = [
        Tell::OwnNumber,
        Tell::NumberOfChild,
        Tell::Count,
        Tell::Limit,
        Tell::InvalidEnd,
        Tell::ConditionalEnd,
        Tell::LeakedChannel,
        Tell::ChannelNumber,
    ];
    let tell = if random.u32(0..4) == 0 { ways[random.usize(0..ways.len())] } else { Tell::Not };
    let types = random.usize(2..=3);
    let mut chances = |percent: u32| (0..types).map(|_| random.u32(0..100) < percent).collect::<Vec<bool>>();
    let (mut owns, mut takes) = (chances(35), chances(40));
    // The first type is there from the beginning, when there is nobody whose channel it could get.
    takes[0] = false;
    let wants = matches!(tell, Tell::LeakedChannel | Tell::ChannelNumber);
    if wants {
        (owns[0], takes[types - 1]) = (true, true);
    }
    let (fifo, meet) = (random.bool(), random.u32(0..100) < 35);
    let mut creators = Creators { random, tell, types, owns, takes, fifo, meet };
    let written = creators.write(seed);
    text::parse("creators", &written).program.unwrap_or_default()
}

impl Creators {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    fn write(&mut self, seed: u64) -> String {
        let limit = if self.tell == Tell::Limit { self.random.u32(3..=5) } else { 60 };
        let mut out = format!(
            "program creators_{seed}\nlimit {limit}\nvar g: unsigned(2)\nvar h: bit\nvar way: chan\n"
        );
        if self.fifo {
            out.push_str("chan q[2]: bit\n");
        }
        if self.meet {
            out.push_str("chan m[0]: bit\n");
        }
        for at in 0..self.types {
            self.process(at, &mut out);
        }
        let started = self.random.usize(1..=2);
        let starts: Vec<String> = (0..started).map(|_| "P0()".to_owned()).collect();
        let _ = writeln!(out, "start {}", starts.join(", "));
        out
    }

    fn process(&mut self, at: usize, out: &mut String) {
        let parameter = if self.takes[at] { "c: chan" } else { "" };
        let _ = writeln!(out, "process P{at}({parameter}) {{\n  local x: bit");
        if self.tell == Tell::NumberOfChild {
            out.push_str("  local n: byte\n");
        }
        if self.owns[at] {
            let _ = writeln!(out, "  chan own[{}]: bit", self.random.u32(0..=1));
        }
        let steps = self.random.usize(1..=3) + usize::from(at + 1 < self.types);
        let mut lines = String::new();
        let mut held = Vec::new();
        for index in 0..steps {
            if index > 0 && self.chance(12) {
                held.push(index);
            }
            for _ in 0..1 + usize::from(self.chance(30)) {
                let back = index > 0 && self.chance(6);
                let to = if back { 0 } else { index + 1 };
                let step = self.step(at);
                let _ = writeln!(lines, "  l{index} -> l{to} {step}");
            }
            if self.chance(10) {
                let _ = writeln!(lines, "  l{index} -> l{} otherwise", index + 1);
            }
        }
        for index in 0..steps {
            let atomic = if held.contains(&index) { "atomic " } else { "" };
            let _ = writeln!(out, "  {atomic}location l{index}");
        }
        let valid = self.tell != Tell::InvalidEnd || self.chance(50);
        let _ = writeln!(out, "  {}location l{steps}\n  start l0\n{lines}", if valid { "end " } else { "" });
        if !self.chance(10) {
            let conditional = self.tell == Tell::ConditionalEnd && self.chance(50);
            let _ = writeln!(
                out,
                "  l{steps} -> l{steps} {}do exit",
                if conditional { "when g == 1 " } else { "" }
            );
        }
        out.push_str("}\n");
    }

    /// A channel that a process of a type can name.
    fn channel(&mut self, at: usize) -> Option<&'static str> {
        let mut all = Vec::new();
        all.extend(self.fifo.then_some("q"));
        all.extend(self.meet.then_some("m"));
        all.extend(self.owns[at].then_some("own"));
        all.extend(self.takes[at].then_some("c"));
        all.extend((self.tell == Tell::LeakedChannel).then_some("way"));
        if all.is_empty() { None } else { Some(all[self.random.usize(0..all.len())]) }
    }

    fn creation(&mut self, at: usize) -> Option<String> {
        // Its like, once for each message.
        if self.fifo && at > 0 && self.chance(15) {
            return Some(format!("do q?1; {}", self.run(at, at)));
        }
        if at + 1 >= self.types {
            return None;
        }
        let process = self.random.usize(at + 1..self.types);
        Some(format!("do {}", self.run(at, process)))
    }

    fn run(&mut self, at: usize, process: usize) -> String {
        let argument = match () {
            () if !self.takes[process] => "",
            () if self.owns[at] && self.chance(70) => "own",
            () if self.takes[at] => "c",
            () if self.owns[at] => "own",
            () if self.fifo => "q",
            () if self.meet => "m",
            () => "0",
        };
        let target = if self.tell == Tell::NumberOfChild && self.chance(60) { "n = " } else { "" };
        format!("{target}run P{process}({argument})")
    }

    fn step(&mut self, at: usize) -> String {
        if self.chance(45)
            && let Some(creation) = self.creation(at)
        {
            return creation;
        }
        if self.chance(35) {
            let told = match self.tell {
                Tell::OwnNumber => Some("do assert _pid != 2".to_owned()),
                Tell::NumberOfChild => Some("do assert n != 2".to_owned()),
                Tell::Count => Some("when _processes == 2".to_owned()),
                Tell::LeakedChannel if self.owns[at] => Some("do way = own".to_owned()),
                Tell::ChannelNumber if self.takes[at] => Some("when c == 2".to_owned()),
                _ => None,
            };
            if let Some(told) = told {
                return told;
            }
        }
        let (v, w) = (self.random.u32(0..3), self.random.u32(0..2));
        let channel = self.channel(at);
        match (self.random.u32(0..10), channel) {
            (0, _) => format!("do g = {v}"),
            (1, _) => "do g = g + 1".to_owned(),
            (2, _) => format!("do h = {w}"),
            (3, _) => format!("when g == {v}"),
            (4, _) => format!("do assert g != {v} || h == {w}"),
            (5, _) => "do x = h".to_owned(),
            (6 | 7, Some(channel)) => format!("do {channel}!{w}"),
            (8, Some(channel)) => format!("do {channel}?x"),
            (9, Some("q")) => "when empty(q)".to_owned(),
            (9, Some(channel)) => format!("do {channel}?{w}"),
            _ => "do x = 1".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_model::System;
    use mazurka_program::Interpreter;

    #[test]
    fn programs_are_valid_and_most_don_t_tell_numbers() {
        let mut hidden = 0;
        for seed in 0..500 {
            let program = creators(seed);
            assert!(!program.types.is_empty(), "seed {seed} is not valid");
            let system = Interpreter::new(program).expect("the program is valid");
            let mut bytes = Vec::new();
            let state = system.layout().initial.clone();
            system.relations_up_to_numbers().expect("programs have relations").likeness(&state, &mut bytes);
            hidden += u32::from(bytes != state);
        }
        assert!(hidden > 250, "{hidden} of 500");
    }
}
