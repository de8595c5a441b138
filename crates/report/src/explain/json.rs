//! Explanations as one JSON object, for scripts. The names of its fields are a contract: fields may be
//! added, never changed.

use super::Explained;
use mazurka_engine::reduce::explain::Reason;
use mazurka_engine::reduce::moves::why::Link;
use mazurka_model::StepText;
use serde::Serialize;

/// The explanations of some states of a model, over several lines, without a newline at the end.
pub fn json(version: &str, model: &str, states: &[Explained<'_>]) -> serde_json::Result<String> {
    let states = states.iter().map(state).collect();
    serde_json::to_string_pretty(&Report { version, model, states })
}

fn state<'a>(explained: &'a Explained<'_>) -> State<'a> {
    let explanation = explained.explanation;
    let step = |index| {
        let text = explained.step(index);
        let (place, chosen) = (explained.place(&text), explanation.chosen.contains(&index));
        let StepText { process, text, .. } = text;
        Step { process, text, place, chosen }
    };
    State {
        state: &explained.title,
        reduce: explanation.reduction.to_string(),
        dependency: explanation.dependency.to_string(),
        enabled: (0..explanation.enabled.len()).map(step).collect(),
        all_because: explained.whole(),
        moves: explanation.moves.iter().map(|member| one(explained, member)).collect(),
    }
}

fn one(explained: &Explained<'_>, member: &mazurka_engine::reduce::explain::Member) -> Move {
    let text = explained.member(member);
    let place = explained.place(&text);
    let (relation, by) = match member.reason {
        Reason::Seed => ("seed", None),
        Reason::Method => ("method", None),
        Reason::Along(by, Link::SameProcess) => ("same-process", Some(by)),
        Reason::Along(by, Link::Everything) => ("everything", Some(by)),
        Reason::Along(by, Link::Interacts(..)) => ("interacts", Some(by)),
        Reason::Along(by, Link::Awaits(..)) => ("awaits", Some(by)),
    };
    let operations = match member.reason {
        Reason::Along(_, Link::Interacts(ours, theirs) | Link::Awaits(ours, theirs)) => Some(Operations {
            object: explained.describe().object(ours.object),
            theirs: explained.operation(&ours),
            own: explained.operation(&theirs),
        }),
        _ => None,
    };
    Move {
        process: text.process,
        text: text.text,
        place,
        steps: member.steps.clone(),
        relation,
        by,
        operations,
        reason: explained.reason(member),
        waiting: explained.waiting(member),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'a str,
    model: &'a str,
    states: Vec<State<'a>>,
}

#[derive(Serialize)]
struct State<'a> {
    state: &'a str,
    reduce: String,
    dependency: String,
    enabled: Vec<Step>,
    /// Why all steps are chosen, if they are.
    all_because: Option<&'static str>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Step {
    process: String,
    text: String,
    place: Option<String>,
    chosen: bool,
}

#[derive(Serialize)]
struct Move {
    process: String,
    text: String,
    place: Option<String>,
    /// The enabled steps that take it, as indices into `enabled`.
    steps: Vec<usize>,
    relation: &'static str,
    /// The move that brought it along, as an index into `moves`.
    by: Option<usize>,
    operations: Option<Operations>,
    reason: String,
    waiting: Option<String>,
}

/// The operation of the move that brought this one along, and that of this one or behind it.
#[derive(Serialize)]
struct Operations {
    object: String,
    theirs: String,
    own: String,
}
