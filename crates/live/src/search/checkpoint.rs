//! A depth-first search as text, so that it can go on in another process.
//!
//! What is kept: the steps that lead to where the search is, what sleeps and what waits at each state, and the names of threads and
//! objects. Everything else is found again by executing. Text that is not a checkpoint, or one of another
//! version, is refused.

use super::dfs::{Dfs, Node};
use super::wakeup::{Branch, Sleeper};
use crate::runtime::operation::{Access, Class};
use mazurka_model::ObjectId;
use std::fmt::Write;

/// The first line of every checkpoint.
pub(crate) const VERSION: &str = "mazurka live checkpoint 2";

const CLASSES: [Class; 7] =
    [Class::Local, Class::Read, Class::Write, Class::Add, Class::Share, Class::Send, Class::Receive];

fn write_access(out: &mut String, access: &Access) {
    let class = CLASSES.iter().position(|&class| class == access.class).unwrap_or(0);
    let Access { thread, object, number, room, looks, choice, .. } = access;
    let looks = u8::from(*looks);
    let _ = write!(out, "{thread} {} {class} {number} {room} {looks} {choice} ", object.0);
}

fn write_branches(out: &mut String, branches: &[Branch]) {
    let _ = write!(out, "{} ", branches.len());
    for branch in branches {
        write_access(out, &branch.step);
        write_branches(out, &branch.children);
    }
}

/// Numbers, one after another.
pub(crate) struct Numbers<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Numbers<'a> {
    pub(crate) fn new(text: &'a str) -> Numbers<'a> {
        Numbers(text.split_whitespace())
    }

    pub(crate) fn next<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.0.next()?.parse().ok()
    }

    fn access(&mut self) -> Option<Access> {
        Some(Access {
            thread: self.next()?,
            object: ObjectId(self.next()?),
            class: *CLASSES.get(self.next::<usize>()?)?,
            number: self.next()?,
            room: self.next()?,
            looks: self.next::<u8>()? == 1,
            choice: self.next()?,
        })
    }

    /// A list; it can't be longer than the text.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Numbers<'a>) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.next()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(one(self)?);
        }
        Some(list)
    }

    fn branches(&mut self, depth: usize) -> Option<Vec<Branch>> {
        // Trees are as deep as executions are long; text that nests deeper is damaged.
        if depth > 100_000 {
            return None;
        }
        self.list(|numbers| Some(Branch { step: numbers.access()?, children: numbers.branches(depth + 1)? }))
    }
}

impl Dfs {
    /// The search as a line of text.
    pub(crate) fn save(&self) -> String {
        let mut out = String::new();
        let _ = write!(out, "{} ", self.depth);
        for node in &self.stack[..self.depth] {
            write_access(&mut out, &node.step);
            let _ = write!(out, "{} {} {} ", node.preemptions, node.explored, node.sleep.len());
            for sleeper in &node.sleep {
                write_access(&mut out, &sleeper.step);
            }
            write_branches(&mut out, &node.tree);
        }
        write_branches(&mut out, &self.prescribed);
        let _ = write!(out, "{} {}", self.fresh, u8::from(self.cut));
        out
    }

    /// Goes on with a search from its text; `None` if the text is damaged.
    pub(crate) fn load(mut self, text: &str) -> Option<Dfs> {
        let mut numbers = Numbers::new(text);
        self.stack = numbers.list(|numbers| {
            let step = numbers.access()?;
            let (preemptions, explored) = (numbers.next()?, numbers.next()?);
            let sleep = numbers.list(|numbers| Some(Sleeper { step: numbers.access()?, explored: true }))?;
            let tree = numbers.branches(0)?;
            Some(Node { step, kind: None, sleep, tree, preemptions, explored, shared: None, entry: 0 })
        })?;
        self.depth = self.stack.len();
        self.prescribed = numbers.branches(0)?;
        self.fresh = numbers.next()?;
        self.cut = numbers.next::<u8>()? == 1;
        numbers.0.next().is_none().then_some(self)
    }
}
