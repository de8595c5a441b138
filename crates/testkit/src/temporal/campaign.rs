//! Random models with random properties: every reduction, mode and fairness against the whole product.
//!
//! What is compared is a function of a seed. Two of three models are programs, with a formula or a never claim; the third is
//! a net with a formula.

use super::generate::{claim, formula, linear};
use super::{Case, METHODS, Way, config, violated};
use fastrand::Rng;
use mazurka_engine::temporal::{Fairness, Representatives};
use mazurka_engine::{Codec, Config, Verdict};
use mazurka_front::petri::{NetSystem, Width};
use mazurka_model::{Batch, Chosen, System};
use mazurka_program::ir::{Property, PropertyKind};
use mazurka_program::text;
use std::collections::HashSet;

/// What came of the models and properties so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Compared.
    pub cases: u64,
    /// Of those, nets.
    pub nets: u64,
    /// Too large, or not checkable.
    pub passed_over: u64,
    /// Proven not to tell how often a letter is repeated.
    pub invariant: u64,
    /// Of those, claims.
    pub claims: u64,
    /// Known to be properties of safety.
    pub safety: u64,
    /// Broken by some run.
    pub violated: u64,
    /// Broken by some weakly fair run.
    pub weakly: u64,
    /// Broken by some strongly fair run.
    pub strongly: u64,
    /// Broken by some run that is fair in the sense of traces.
    pub by_traces: u64,
    /// Product states of the full search where the property holds, and of the strongest reduction.
    pub full: u64,
    /// See `full`.
    pub reduced: u64,
    /// Product states of the full search under weak fairness where the property holds, and of the reduction.
    pub fair_full: u64,
    /// See `fair_full`.
    pub fair_reduced: u64,
    /// The same under the fairness of traces.
    pub trace_full: u64,
    /// See `trace_full`.
    pub trace_reduced: u64,
}

/// How states are kept, by seed.
const CODECS: [Codec; 6] =
    [Codec::Auto, Codec::Plain, Codec::Tree, Codec::Collapse, Codec::Huffman, Codec::Packed];

/// The methods compared with several threads.
const IN_SEVERAL_THREADS: [&str; 3] = ["none", "stubborn", "auto"];

/// The methods whose sets are checked, and the kinds of fairness that take turns.
const CHECKED: [&str; 6] = ["local", "persistent", "stubborn", "conditional", "ample", "deletion"];
const FAIR: [Fairness; 3] = [Fairness::Weak, Fairness::Strong, Fairness::Trace];

/// The methods compared in trace mode.
const IN_TRACE_MODE: [&str; 8] =
    ["none+sleep", "local", "persistent", "stubborn", "conditional", "ample", "auto", "overman"];

/// A model and a property by seed, in words and ready; `None` if the property can't be checked.
fn case(seed: u64) -> (String, Option<Case>, bool) {
    let mut random = Rng::with_seed(seed ^ 0x7e3a);
    if seed % 3 == 2 {
        let net = crate::petri::net(seed);
        let formula = linear(&net, &mut random);
        let printed = format!("{formula:?}\n{:?}\n{:?}", net.places, net.transitions);
        // Places that grow for ever shall exceed the number of states first.
        let system = NetSystem::new(net).with_width(Width::Two);
        return (printed, Case::of_net(system, &formula).ok(), false);
    }
    let mut program = crate::generate::program(seed);
    // Every third property is a claim.
    let kind = match random.u32(0..3) {
        0 => PropertyKind::Never(claim(&program, &mut random)),
        _ => PropertyKind::Formula(formula(&program, &mut random)),
    };
    let name = "random".to_owned();
    program.properties = vec![Property { name, kind: kind.clone(), span: Default::default() }];
    let printed = format!("{kind:?}\n{}", text::print(&program));
    let is_claim = matches!(kind, PropertyKind::Never(_));
    (printed, Case::new(program).ok(), is_claim)
}

/// Whether a system has no more than so many states.
fn has_at_most(system: &dyn System, most: usize) -> bool {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut waiting: Vec<Vec<u8>> = (0..batch.len()).map(|index| batch.state(index).to_vec()).collect();
    let mut known: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop().filter(|_| known.len() <= most) {
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        for index in 0..batch.len() {
            if known.insert(batch.state(index).to_vec()) {
                waiting.push(batch.state(index).to_vec());
            }
        }
    }
    known.len() <= most
}

fn verdict(violated: bool) -> Verdict {
    if violated { Verdict::Violated } else { Verdict::Holds }
}

/// Compares all methods on the model and the property of a seed.
pub fn compare(seed: u64, most_states: usize, tally: &mut Tally) -> Result<(), String> {
    let (printed, case, is_claim) = case(seed);
    let describe = |message: String| format!("seed {seed}: {message}\n{printed}");
    // With sleep sets the whole system is explored before the property is looked at.
    let case = case.filter(|case| has_at_most(case.system(), 2 * most_states));
    let expected = case.as_ref().and_then(|case| violated(case, Fairness::None, most_states));
    let (Some(case), Some(expected)) = (case, expected) else {
        tally.passed_over += 1;
        return Ok(());
    };
    let expected = verdict(expected);
    for method in METHODS {
        for order in ["forward", "reverse"] {
            let config = Config { codec: CODECS[seed as usize % CODECS.len()], ..config(method, order) };
            let (found, states) = case
                .check(Fairness::None, &config)
                .map_err(|e| describe(format!("{method} {order}: {e}")))?;
            if found != expected {
                return Err(describe(format!("{method} {order}: {found:?}, expected {expected:?}")));
            }
            if found == Verdict::Holds && order == "forward" {
                match method {
                    "none" => tally.full += states,
                    "auto" => tally.reduced += states,
                    _ => {}
                }
            }
        }
    }
    for method in IN_SEVERAL_THREADS {
        let config = Config { threads: 2 + seed as usize % 2, ..config(method, "forward") };
        for representatives in [Representatives::Auto, Representatives::Trace] {
            let way = Way { representatives, ..Way::default() };
            let said = |message: String| describe(format!("{method}, {} threads: {message}", config.threads));
            let found = case.search(way, &config).map_err(said)?.verdict;
            if found != expected {
                return Err(said(format!("{found:?}, expected {expected:?}")));
            }
        }
    }
    compare_in_trace_mode(seed, &case, Fairness::None, expected, &describe)?;
    let mut fair = Vec::new();
    for fairness in [Fairness::Weak, Fairness::Strong, Fairness::Trace] {
        let full = config("none", "forward");
        let (found, states) = case.check(fairness, &full).map_err(&describe)?;
        if let Some(expected) = violated(&case, fairness, most_states).map(verdict)
            && expected != found
        {
            return Err(describe(format!("{fairness}: {found:?}, expected {expected:?}")));
        }
        let reduced = compare_in_trace_mode(seed, &case, fairness, found, &describe)?;
        if found == Verdict::Holds && fairness == Fairness::Weak {
            (tally.fair_full, tally.fair_reduced) = (tally.fair_full + states, tally.fair_reduced + reduced);
        }
        if found == Verdict::Holds && fairness == Fairness::Trace {
            (tally.trace_full, tally.trace_reduced) =
                (tally.trace_full + states, tally.trace_reduced + reduced);
        }
        fair.push(found);
    }
    let [weak, strong, trace] = fair[..] else { return Err(describe("a fairness is missing".to_owned())) };
    // What a run of fewer breaks, one of more breaks too.
    let order = [strong, weak, trace, expected];
    if order.windows(2).any(|pair| pair[0] == Verdict::Violated && pair[1] == Verdict::Holds) {
        return Err(describe(format!("strong, weak, trace, none: {order:?}")));
    }
    tally.cases += 1;
    tally.nets += u64::from(seed % 3 == 2);
    tally.claims += u64::from(is_claim && case.prepared.stutter_invariant);
    tally.invariant += u64::from(case.prepared.stutter_invariant);
    tally.safety += u64::from(case.prepared.safety);
    tally.violated += u64::from(expected == Verdict::Violated);
    tally.weakly += u64::from(weak == Verdict::Violated);
    tally.strongly += u64::from(strong == Verdict::Violated);
    tally.by_traces += u64::from(trace == Verdict::Violated);
    Ok(())
}

/// Has what is left out of a model for a property, both by seed, checked by the engine's checked mode, in stutter mode and in trace mode; in how many states
/// something was left out. Larger models are passed over.
pub fn check_reductions(seed: u64, most_states: usize) -> Result<u64, String> {
    let (printed, case, _) = case(seed);
    let Some(case) = case.filter(|case| has_at_most(case.system(), most_states)) else { return Ok(0) };
    let atoms = case.atoms();
    let mut sets = 0;
    for (index, method) in CHECKED.into_iter().enumerate() {
        let order = ["forward", "reverse"][(seed as usize + index) % 2];
        // Now and then by two threads.
        let config = Config {
            threads: 1 + usize::from((seed as usize + index).is_multiple_of(4)),
            ..config(method, order)
        };
        for (representatives, fairness) in [
            (Representatives::Stutter, Fairness::None),
            (Representatives::Trace, Fairness::None),
            (Representatives::Auto, FAIR[(seed as usize + index) % FAIR.len()]),
        ] {
            let way = Way { representatives, fairness, ..Way::default() };
            let report = case.check_reduction(&*atoms, way, &config);
            sets += report.sets;
            if let Some(breach) = report.breaches.first() {
                return Err(format!("seed {seed}, {method} {order}, {way:?}: {breach:?}\n{printed}"));
            }
        }
    }
    Ok(sets)
}

/// Compares the methods in trace mode; how many product states the strongest met.
fn compare_in_trace_mode(
    seed: u64,
    case: &Case,
    fairness: Fairness,
    expected: Verdict,
    describe: &dyn Fn(String) -> String,
) -> Result<u64, String> {
    let mut reduced = 0;
    for (index, method) in IN_TRACE_MODE.into_iter().enumerate() {
        let order = ["forward", "reverse"][(seed as usize + index) % 2];
        let way = Way { fairness, representatives: Representatives::Trace, ..Way::default() };
        let said = |message: String| describe(format!("{fairness}, trace mode, {method} {order}: {message}"));
        let answer = case.search(way, &config(method, order)).map_err(&said)?;
        if answer.verdict != expected {
            return Err(said(format!("{:?}, expected {expected:?}", answer.verdict)));
        }
        // With sleep sets more than the product asks for is explored.
        if method == "auto" {
            reduced = answer.states;
        }
    }
    Ok(reduced)
}
