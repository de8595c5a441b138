//! SPIN as an oracle of temporal properties: random Promela programs with random formulas, with and without weak fairness.
//!
//! A question is a function of its seed: the program of [`crate::promela`] with a formula over its globals and channels. SPIN's verifier is made
//! without its reduction, which is known to lose errors, and with room for many processes under fairness. What it assumes with `-f` is the justice of
//! processes: who can always move, moves again and again.
//!
//! Passed over, because claims change what they mean in SPIN or its answer is another one: `timeout`, `_last`, `_nr_pr`, priorities, programs that go wrong by
//! themselves (a false assertion ends SPIN's search), and programs that are large.

use super::{in_scratch, program};
use crate::promela;
use crate::temporal::{Answer, Case, Way, config};
use fastrand::Rng;
use mazurka_engine::Verdict;
use mazurka_engine::temporal::Fairness;
use mazurka_program::Program;
use std::path::Path;
use std::process::Command;

/// A program with a formula.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its text.
    pub text: String,
    /// What it means here.
    pub program: Program,
}

/// Whether every run satisfies the formula: all runs, and the weakly fair ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// All runs do.
    pub all: bool,
    /// All weakly fair runs do.
    pub fair: bool,
}

/// Product states that either tool may meet.
const MOST_STATES: u64 = 20_000;

/// The question of a seed, if there is one.
pub fn question(seed: u64) -> Option<Question> {
    // SPIN looks for cycles through acceptance labels of processes too, whatever the claim.
    let mut text = promela::text(seed).replace("accept", "mark");
    // Beside a process that always goes round fairness matters.
    if seed.is_multiple_of(2) {
        text.push_str("active proctype Idle() { do :: skip od }\n");
    }
    if ["timeout", "_last", "_nr_pr", "priority"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let bare = program("random.pml", &text).ok()?;
    let counts = super::ours(bare.clone(), MOST_STATES / 4).ok().filter(|counts| !counts.assertion)?;
    if counts.states < 4 {
        return None;
    }
    let mut random = Rng::with_seed(seed ^ 0x51a7);
    let atoms = atoms(&bare, &mut random);
    if atoms.is_empty() {
        return None;
    }
    let size = random.usize(2..7);
    let formula = formula(&atoms, &mut random, size);
    let text = format!("{text}ltl f {{ {formula} }}\n");
    let program = program("random.pml", &text).ok()?;
    Some(Question { text, program })
}

/// Some conditions on globals and channels that can be named in a formula.
fn atoms(program: &Program, random: &mut Rng) -> Vec<String> {
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut places = Vec::new();
    for global in program.globals.iter().filter(|global| plain(&global.name)) {
        match global.length {
            None => places.push(global.name.clone()),
            Some(length) => places.push(format!("{}[{}]", global.name, random.u32(0..length.max(1)))),
        }
    }
    let channels = program.channels.iter().filter(|channel| plain(&channel.name) && channel.capacity > 0);
    places.extend(channels.map(|channel| format!("len({})", channel.name)));
    if places.is_empty() {
        return Vec::new();
    }
    (0..random.usize(1..4))
        .map(|_| {
            let place = &places[random.usize(0..places.len())];
            let operator = ["==", "==", "!=", ">"][random.usize(0..4)];
            format!("({place} {operator} {})", random.u32(0..3))
        })
        .collect()
}

fn formula(atoms: &[String], random: &mut Rng, size: usize) -> String {
    if size <= 1 {
        return atoms[random.usize(0..atoms.len())].clone();
    }
    if size == 2 || random.bool() {
        let operator = ["[] ", "<> ", "[] ", "<> ", "! "][random.usize(0..5)];
        return format!("({operator}{})", formula(atoms, random, size - 1));
    }
    let left = random.usize(1..size - 1);
    let operator = ["&&", "||", "->", "U", "U"][random.usize(0..5)];
    let (left, right) = (formula(atoms, random, left), formula(atoms, random, size - 1 - left));
    format!("({left} {operator} {right})")
}

/// What the engine answers: the same with every way that is tried, else what differs.
pub fn ours(question: &Question) -> Result<Answers, String> {
    let case = Case::new(question.program.clone())?;
    let ask = |fairness: Fairness| {
        let mut found: Option<Verdict> = None;
        for method in ["none", "auto", "persistent"] {
            for order in ["forward", "reverse"] {
                let way = Way { fairness, ..Way::default() };
                let Answer { verdict, .. } = case.search(way, &config(method, order))?;
                if found.is_some_and(|found| found != verdict) {
                    return Err(format!("{fairness}, {method} {order}: {verdict:?}, unlike before"));
                }
                found = Some(verdict);
            }
        }
        match found {
            Some(Verdict::Holds) => Ok(true),
            Some(Verdict::Violated) => Ok(false),
            _ => Err(format!("{fairness}: no answer")),
        }
    };
    Ok(Answers { all: ask(Fairness::None)?, fair: ask(Fairness::Weak)? })
}

/// Whether all weakly fair runs that go on for ever satisfy the formula. SPIN with `-f` does not find some runs that end, though nobody is wronged where
/// nobody can move: this is what it can be held to.
pub fn holds_of_endless_fair_runs(question: &Question) -> Result<bool, String> {
    let mut case = Case::new(question.program.clone())?;
    case.prepared.acceptor = case.prepared.acceptor.of_endless_runs();
    let way = Way { fairness: Fairness::Weak, ..Way::default() };
    Ok(case.search(way, &config("none", "forward"))?.verdict == Verdict::Holds)
}

/// What SPIN answers.
pub fn theirs(text: &str) -> Result<Answers, String> {
    in_scratch(|directory| {
        std::fs::write(directory.join("text.pml"), text).map_err(|e| e.to_string())?;
        let run = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(directory).output();
            output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).map_err(|e| e.to_string())
        };
        run("spin", &["-o1", "-o2", "-o3", "-a", "text.pml"])?;
        if !Path::exists(&directory.join("pan.c")) {
            return Err("SPIN refuses it".to_owned());
        }
        run("gcc", &["-O0", "-w", "-DNOREDUCE", "-DNFAIR=3", "-o", "pan", "pan.c"])?;
        let holds = |more: &[&str]| {
            let arguments = [&["10", "./pan", "-a", "-E", "-n", "-m200000", "-w18"], more].concat();
            let said = run("timeout", &arguments)?;
            if said.contains("max search depth too small") {
                return Err("the search is not complete".to_owned());
            }
            let errors = said.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
            match errors.and_then(|count| count.parse::<u32>().ok()) {
                Some(count) => Ok(count == 0),
                None => Err("no result".to_owned()),
            }
        };
        Ok(Answers { all: holds(&[])?, fair: holds(&["-f"])? })
    })
}

/// A number that tells texts apart (FNV-1a).
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Answers {
    /// As one word.
    pub fn word(self) -> &'static str {
        match (self.all, self.fair) {
            (true, true) => "holds",
            (false, true) => "fair",
            (false, false) => "violated",
            // What all runs do, the fair ones do.
            (true, false) => "contradiction",
        }
    }
}
