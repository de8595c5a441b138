//! The interpreter as the oracle of compiled code: the same state graph, state by state.
//!
//! Every state that can be reached, interior ones included, is expanded by both: the successors with their
//! steps and bytes, their order, the violations, the enabled steps, and what comes of asking for one process or for
//! some steps must be the same; in the end the statements that were executed too. Also the same must lie behind atomic regions
//! ([`through`](crate::through)), which is the only part that shares something with the engine; and several states that are expanded together have the
//! edges that they have one by one ([`together`](crate::together)); and searches that leave out what is met elsewhere come to the same ([`elsewhere`]).

use crate::elsewhere;
use crate::through::Ways;
use crate::together::Together;
use fastrand::Rng;
use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, ProcessId, Step, System};
use mazurka_program::{Interpreter, Program};
use std::collections::HashSet;
use std::fmt;

/// How much was compared.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// States, interior ones included.
    pub states: u64,
    /// Successors of all states.
    pub edges: u64,
    /// Violations of all states.
    pub violations: u64,
    /// States with an interior successor.
    pub interior: u64,
    /// How often compiled code left a process to the interpreter, one step at a time.
    pub left: u64,
    /// Steps inside atomic regions that compiled code took by itself.
    pub walked: u64,
    /// Edges of states that compiled code expanded together.
    pub together: u64,
    /// Steps that were left out because they are met elsewhere.
    pub left_out: u64,
    /// Process types that were not compiled.
    pub interpreted: u64,
    /// Some states were left out, because there were too many.
    pub cut: bool,
}

/// Where compiled code and interpreter differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What was asked.
    pub question: String,
    /// The state.
    pub state: Vec<u8>,
    /// The interpreter's answer.
    pub interpreted: String,
    /// That of compiled code.
    pub compiled: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { question, state, interpreted, compiled } = self;
        write!(f, "{question} of {state:?}:\ninterpreted {interpreted}\ncompiled    {compiled}")
    }
}

/// Both answers to one question.
struct Both<'a> {
    interpreter: &'a Interpreter,
    compiled: &'a Compiled,
    interpreted: Batch,
    machine: Batch,
}

fn summary(batch: &Batch) -> String {
    let successors = batch.successors().iter().enumerate();
    let successors: Vec<_> = successors.map(|(i, s)| (s.step, s.interior, batch.state(i))).collect();
    format!("{successors:?} {:?}", batch.violations())
}

fn same(a: &Batch, b: &Batch) -> bool {
    let edge = |batch: &Batch, index: usize| {
        let successor = batch.successors()[index];
        (successor.step, successor.interior)
    };
    a.len() == b.len()
        && a.violations() == b.violations()
        && (0..a.len()).all(|i| edge(a, i) == edge(b, i) && a.state(i) == b.state(i))
}

impl Both<'_> {
    fn expand(&mut self, state: &[u8], chosen: Chosen<'_>) -> Result<(), Disagreement> {
        self.interpreted.clear();
        self.machine.clear();
        self.interpreter.expand(state, chosen, &mut self.interpreted);
        self.compiled.expand(state, chosen, &mut self.machine);
        if same(&self.interpreted, &self.machine) {
            return Ok(());
        }
        Err(Disagreement {
            question: format!("the successors under {chosen:?}"),
            state: state.to_vec(),
            interpreted: summary(&self.interpreted),
            compiled: summary(&self.machine),
        })
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) -> Result<(), Disagreement> {
        out.clear();
        self.interpreter.enabled(state, out);
        let mut machine = Vec::new();
        self.compiled.enabled(state, &mut machine);
        if *out == machine {
            return Ok(());
        }
        Err(Disagreement {
            question: "the enabled steps".to_owned(),
            state: state.to_vec(),
            interpreted: format!("{out:?}"),
            compiled: format!("{machine:?}"),
        })
    }
}

/// Compares both on every state of a program, at most `most_states` of them; `None` if the program is not valid or
/// can't be compiled.
pub fn compare(program: Program, most_states: u64) -> Option<Result<Agreement, Disagreement>> {
    let interpreter = Interpreter::new(program).ok()?;
    let compiled = Compiled::new(Box::new(interpreter)).ok()?;
    Some(compare_systems(&compiled, most_states))
}

/// Compares compiled code with its interpreter.
pub fn compare_systems(compiled: &Compiled, most_states: u64) -> Result<Agreement, Disagreement> {
    let interpreter = compiled.interpreter();
    let (interpreted, machine) = (Batch::default(), Batch::default());
    let mut both = Both { interpreter, compiled, interpreted, machine };
    let mut ways = Ways::new(compiled);
    let mut together = Together::new(compiled);
    let mut agreement = Agreement::default();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut pending: Vec<Vec<u8>> = vec![interpreter.layout().initial.clone()];
    let mut random = Rng::with_seed(7);
    let mut enabled = Vec::new();
    while let Some(state) = pending.pop() {
        if agreement.states >= most_states {
            agreement.cut = true;
            break;
        }
        agreement.states += 1;
        both.enabled(&state, &mut enabled)?;
        for pid in 0..interpreter.process_count(&state) {
            both.expand(&state, Chosen::Process(ProcessId(pid as u16)))?;
        }
        both.expand(&state, Chosen::Steps(&enabled))?;
        // Some of them, sometimes in an order of their own.
        enabled.retain(|_| random.bool());
        if random.u8(..4) == 0 {
            random.shuffle(&mut enabled);
        }
        both.expand(&state, Chosen::Steps(&enabled))?;
        both.expand(&state, Chosen::All)?;
        ways.compare(&state, Chosen::Steps(&enabled))?;
        ways.compare(&state, Chosen::All)?;
        together.add(&state)?;
        let batch = &both.interpreted;
        agreement.edges += batch.len() as u64;
        agreement.violations += batch.violations().len() as u64;
        agreement.interior += u64::from(batch.successors().iter().any(|s| s.interior));
        for index in 0..batch.len() {
            if !seen.contains(batch.state(index)) {
                seen.insert(batch.state(index).to_vec());
                pending.push(batch.state(index).to_vec());
            }
        }
    }
    let executed = |batch: &Batch| {
        let covered = batch.covered().iter().enumerate();
        covered.filter_map(|(place, executed)| executed.then_some(place)).collect::<Vec<_>>()
    };
    let (interpreted, machine) = (executed(&both.interpreted), executed(&both.machine));
    if interpreted != machine {
        return Err(Disagreement {
            question: "the statements executed".to_owned(),
            state: Vec::new(),
            interpreted: format!("{interpreted:?}"),
            compiled: format!("{machine:?}"),
        });
    }
    ways.compare_covered()?;
    agreement.walked = ways.walked;
    agreement.together = together.edges;
    agreement.left = compiled.left() - ways.left - together.left;
    // Only what was compared whole so far.
    if !agreement.cut && !ways.are_long() {
        agreement.left_out = elsewhere::compare(compiled, most_states, &mut random)?;
    }
    agreement.interpreted = compiled.coverage().interpreted as u64;
    Ok(agreement)
}
