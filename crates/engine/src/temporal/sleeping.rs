//! The modified sleep sets of Peled (1993, Figure 1): a graph with a run of every *infinite* trace.
//!
//! Sleep sets alone keep a representative of every finite trace, not of every infinite one: a step that was put to sleep
//! because it was explored before may have been explored by an edge that closes a cycle, behind which it is put
//! off again. So a step whose edge leads to a state that is still *open* is *unreliable*, and puts nothing to sleep.
//! An edge is made when the search comes back over it, if it leads to a state that is *fixed* (has edges
//! itself, or nothing to do) or open; states that are never fixed are no part of the graph.
//!
//! The procedure `ample` of the figure is one of the methods of the reduction, asked for sets none of whose steps leads to an
//! open state; without a method it is all steps that can be taken. Properties are checked without a method only: a set that is chosen
//! where a step sleeps may put off for good what the sleeping step was relied on to do, and the printed test does not
//! prevent that once states are expanded again.
//!
//! Where the printed text and the figure differ, this follows the text: a state is expanded again
//! if its old sleep set has a step that the new one lacks. Beside the figure: a step may have several
//! results, or fail; inside atomic regions, and where a step waits until nothing else can move, nothing sleeps; and a step
//! into a region is unreliable.
//!
//! That sleep sets keep every infinite trace rests on the argument of the paper, which is no full proof, and on comparison with
//! whole graphs. They are used only if asked for. The whole graph is made before the property is looked at.

use super::extended::Extended;
use super::graph::Graph;
use crate::config::Config;
use crate::outcome::Stop;
use crate::reduce::dependency::Judge;
use crate::search::Run;
use mazurka_model::{Footprint, Relations, Step};

/// What the figure keeps of a state.
#[derive(Default)]
struct Mark {
    known: bool,
    open: bool,
    fixed: bool,
    /// Some step of it leads somewhere.
    leads_on: bool,
    sleep: Vec<Step>,
    explored: Vec<Step>,
    unreliable: Vec<Step>,
    working: Vec<Step>,
    edges: Vec<(u32, Step)>,
}

/// A state under expansion, and the step that is being explored from it.
struct Frame {
    node: u32,
    step: Step,
    targets: Vec<u32>,
    /// How many of the targets were visited.
    visited: usize,
    /// The search went down to the last one, and has come back.
    back: bool,
    /// The sleep set behind the step.
    sleep: Vec<Step>,
}

/// The construction.
pub struct Sleeping<'g, 's> {
    graph: &'g mut Graph<'s>,
    extended: &'s Extended<'s>,
    judge: Judge<'s>,
    /// Whether anything sleeps at all.
    sleeps: bool,
    marks: Vec<Mark>,
    frames: Vec<Frame>,
    first: Footprint,
    second: Footprint,
}

impl<'g, 's> Sleeping<'g, 's> {
    /// The construction on an empty graph.
    pub fn new(graph: &'g mut Graph<'s>, extended: &'s Extended<'s>, config: &Config) -> Sleeping<'g, 's> {
        Sleeping {
            graph,
            extended,
            judge: Judge::new(extended, config.dependency),
            sleeps: config.reduction.sleep,
            marks: Vec::new(),
            frames: Vec::new(),
            first: Footprint::default(),
            second: Footprint::default(),
        }
    }

    /// Makes the graph from these initial states. False if a limit ended that.
    pub fn make(&mut self, run: &mut Run<'_>, starts: &[u32]) -> bool {
        for &start in starts {
            self.mark(start);
            if !self.marks[start as usize].known {
                self.enter(start, Vec::new());
            }
            while !self.frames.is_empty() {
                let bytes = self.graph.bytes() + (self.marks.len() * size_of::<Mark>()) as u64;
                if run.config.limits.states.is_some_and(|limit| self.graph.len() as u64 >= limit) {
                    run.stopped = run.stopped.or(Some(Stop::States));
                }
                if !run.go_on(1, || (self.frames.len() as u64, bytes)) || self.graph.stopped.is_some() {
                    run.stopped = run.stopped.or(self.graph.stopped);
                    return false;
                }
                self.go_on();
            }
        }
        for (node, mark) in self.marks.iter().enumerate() {
            if mark.fixed {
                self.graph.set_edges(node as u32, &mark.edges);
            }
        }
        true
    }

    /// How many states and edges the graph has.
    pub fn size(&self) -> (usize, usize) {
        let fixed = self.marks.iter().filter(|mark| mark.fixed);
        fixed.fold((0, 0), |(states, edges), mark| (states + 1, edges + mark.edges.len()))
    }

    fn mark(&mut self, node: u32) -> &mut Mark {
        if self.marks.len() <= node as usize {
            self.marks.resize_with(node as usize + 1, Mark::default);
        }
        &mut self.marks[node as usize]
    }

    /// Begins to expand a state, which is not open, with this sleep set.
    fn enter(&mut self, node: u32, sleep: Vec<Step>) {
        let mark = self.mark(node);
        (mark.known, mark.open, mark.sleep) = (true, true, sleep);
        self.restart(node);
        let frame = Frame {
            node,
            step: Step::default(),
            targets: Vec::new(),
            visited: 0,
            back: false,
            sleep: Vec::new(),
        };
        self.frames.push(frame);
    }

    /// Sets out to explore what does not sleep in an open state.
    fn restart(&mut self, node: u32) {
        let state = self.graph.state(node).to_vec();
        let enabled = self.graph.steps_of(node, &state);
        let wakes = self.graph.must_expand_fully(node, &state, &enabled);
        let chosen = match wakes || enabled.len() < 2 {
            true => None,
            false => self.ample(node, &state, &enabled),
        };
        let mark = self.mark(node);
        if wakes {
            mark.sleep.clear();
        }
        mark.fixed |= enabled.is_empty();
        mark.explored.clear();
        mark.unreliable.clear();
        mark.working = chosen.unwrap_or(enabled);
        let Mark { working, sleep, .. } = mark;
        working.retain(|step| !sleep.contains(step));
        working.reverse();
    }

    /// The first set none of whose steps leads to an open state.
    fn ample(&mut self, node: u32, state: &[u8], enabled: &[Step]) -> Option<Vec<Step>> {
        let mut attempt = 0;
        while let Some(steps) = self.graph.propose(state, enabled, attempt) {
            attempt += 1;
            let marks = &self.marks;
            let open = |target: u32| marks.get(target as usize).is_some_and(|mark| mark.open);
            let targets = self.graph.known_targets(node, state, &steps);
            if targets.is_some_and(|targets| !targets.into_iter().flatten().any(open)) {
                return Some(steps);
            }
        }
        None
    }

    /// Does the next thing in the state expanded last.
    fn go_on(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let node = frame.node;
        if frame.back {
            frame.back = false;
            let (step, target) = (frame.step, frame.targets[frame.visited - 1]);
            self.finish(node, step, target);
        } else if let Some(&target) = frame.targets.get(frame.visited) {
            frame.visited += 1;
            let (step, sleep) = (frame.step, frame.sleep.clone());
            self.visit(node, step, target, sleep);
        } else if let Some(step) = self.marks[node as usize].working.pop() {
            self.explore(node, step);
        } else {
            self.leave(node);
        }
    }

    /// Explores a step.
    fn explore(&mut self, node: u32, step: Step) {
        let state = self.graph.state(node).to_vec();
        self.marks[node as usize].explored.push(step);
        let (targets, region) = self.graph.targets_of(node, &state, step);
        let inside = region || self.graph.is_interior(node);
        let mark = &self.marks[node as usize];
        let mut sleep: Vec<Step> = Vec::new();
        if self.sleeps && !inside {
            self.extended.step(&state, step, &mut self.first);
            for &other in mark.sleep.iter().chain(&mark.explored) {
                if other == step || sleep.contains(&other) || mark.unreliable.contains(&other) {
                    continue;
                }
                self.extended.step(&state, other, &mut self.second);
                if !self.judge.dependent(&state, &self.first, &self.second) {
                    sleep.push(other);
                }
            }
        }
        let mark = &mut self.marks[node as usize];
        mark.leads_on |= !targets.is_empty();
        if inside {
            // Within a region nothing else is explored, so whoever relies on this step relies on where the region ends,
            // which may be open.
            mark.unreliable.push(step);
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.step, frame.targets, frame.visited, frame.sleep) = (step, targets, 0, sleep);
        }
    }

    /// Follows an edge to a state.
    fn visit(&mut self, node: u32, step: Step, target: u32, sleep: Vec<Step>) {
        let mark = self.mark(target);
        if !mark.known {
            return self.descend(target, sleep);
        }
        if mark.sleep.iter().all(|asleep| sleep.contains(asleep)) {
            return self.finish(node, step, target);
        }
        // It was left with more asleep than may sleep now.
        mark.sleep.retain(|asleep| sleep.contains(asleep));
        if mark.open {
            self.restart(target);
            return self.finish(node, step, target);
        }
        let sleep = std::mem::take(&mut mark.sleep);
        self.descend(target, sleep);
    }

    fn descend(&mut self, target: u32, sleep: Vec<Step>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.back = true;
        }
        self.enter(target, sleep);
    }

    /// Makes an edge, if it leads to what is part of the graph.
    fn finish(&mut self, node: u32, step: Step, target: u32) {
        let Mark { open, fixed, .. } = self.marks[target as usize];
        if !open && !fixed {
            return;
        }
        let mark = &mut self.marks[node as usize];
        mark.fixed = true;
        if !mark.edges.contains(&(target, step)) {
            mark.edges.push((target, step));
        }
        if open && !mark.unreliable.contains(&step) {
            mark.unreliable.push(step);
        }
    }

    /// Leaves a state from which all was explored.
    fn leave(&mut self, node: u32) {
        // If whatever it could do fails, runs end here.
        let dead = !self.marks[node as usize].leads_on && self.graph.is_dead(node);
        let mark = &mut self.marks[node as usize];
        mark.fixed |= dead;
        mark.open = false;
        self.frames.pop();
    }
}
