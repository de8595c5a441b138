//! Why a reduction explores some steps of a state and not others, in words.
//!
//! Every move that belongs to the closed set is named with the reason it came along, so that the chain
//! from the first step to any other can be followed by the numbers.

mod json;
mod text;

pub use json::json;

use mazurka_engine::Explanation;
use mazurka_engine::reduce::explain::{Member, Reason, Whole};
use mazurka_engine::reduce::moves::why::Link;
use mazurka_model::{Access, Describe, Operand, OperationKind, StepText, System};

/// The explanation of one state.
pub struct Explained<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// The state.
    pub state: &'a [u8],
    /// What the state is called: its number, or its place in a run.
    pub title: String,
    /// What the reduction makes of it.
    pub explanation: &'a Explanation,
}

impl Explained<'_> {
    fn describe(&self) -> &dyn Describe {
        self.system.describe()
    }

    /// Where a step or a move stands in the source.
    fn place(&self, text: &StepText) -> Option<String> {
        let sources = self.describe().sources()?;
        text.span.and_then(|span| sources.locate(span)).map(|at| format!("{}:{}", at.file, at.line))
    }

    fn step(&self, index: usize) -> StepText {
        self.describe().step(self.state, self.explanation.enabled[index])
    }

    /// A move of the closed set: as the step that takes it, where there is one.
    fn member(&self, member: &Member) -> StepText {
        self.describe().alternative(self.state, member.process, member.alternative)
    }

    /// Why all steps are explored, in words.
    fn whole(&self) -> Option<&'static str> {
        self.explanation.whole.map(|whole| match whole {
            Whole::NoChoice if self.explanation.enabled.is_empty() => "no step is enabled",
            Whole::NoChoice => "there is only one step",
            Whole::NoReduction => "nothing is reduced: all steps are explored",
            Whole::LastResort => {
                "these steps wait until nothing else can move, so they depend on all others: all are explored"
            }
            Whole::AllComeAlong => "whatever step one starts from, all others come along: all are explored",
        })
    }

    /// Why a move came along, in words. Other moves are named by their numbers, from 1.
    fn reason(&self, member: &Member) -> String {
        match member.reason {
            Reason::Seed => "the set is built from here".to_owned(),
            Reason::Method => {
                let method = self.explanation.reduction;
                format!("{method} asks for it by processes and objects; the operations do not")
            }
            Reason::Along(by, Link::SameProcess) => {
                format!("it belongs to a process that move {} moves", by + 1)
            }
            Reason::Along(by, Link::Everything) => {
                format!("it, or move {}, may do anything to every object", by + 1)
            }
            Reason::Along(by, Link::Interacts(ours, theirs)) => format!(
                "{} of move {} on {} might interact with {}, here or behind it",
                self.operation(&ours),
                by + 1,
                self.object(&ours),
                self.operation(&theirs)
            ),
            Reason::Along(by, Link::Awaits(ours, theirs)) => format!(
                "move {} is not enabled: what {} on {} says must change, and {}, here or behind it, might change it",
                by + 1,
                self.operation(&ours),
                self.object(&ours),
                self.operation(&theirs)
            ),
        }
    }

    /// What a move waits for, in words, if it is not enabled.
    fn waiting(&self, member: &Member) -> Option<String> {
        if !member.steps.is_empty() {
            return None;
        }
        if member.awaits.is_empty() {
            return Some("not enabled, and nothing that others do can enable it from here".to_owned());
        }
        let operations =
            member.awaits.iter().map(|one| format!("{} on {}", self.operation(one), self.object(one)));
        Some(format!("not enabled: waits until this changes: {}", operations.collect::<Vec<_>>().join(", ")))
    }

    /// An object with its value, where that is known.
    fn object(&self, access: &Access) -> String {
        let name = self.describe().object(access.object);
        let values = self.describe().values(self.state);
        match values.into_iter().find(|(other, _)| *other == name) {
            Some((_, value)) => format!("{name} (= {value})"),
            None => name,
        }
    }

    /// An operation by its name in the object library, with the inputs that are known.
    fn operation(&self, access: &Access) -> String {
        let operation = &access.operation;
        if operation.kind == OperationKind::ANY {
            return "any operation".to_owned();
        }
        let object = self.system.relations().and_then(|r| r.objects().get(access.object.index()));
        let Some(object) = object else { return "an operation".to_owned() };
        let name = object.kind_name(operation.kind);
        let inputs = object.kinds().get(operation.kind.index()).map_or(0, |kind| kind.inputs.len());
        let inputs: Vec<String> = operation.operands[..inputs.min(2)]
            .iter()
            .map(|operand| match operand {
                Operand::Is(value) => value.to_string(),
                Operand::Any => "?".to_owned(),
            })
            .collect();
        if inputs.is_empty() { name.to_owned() } else { format!("{name}({})", inputs.join(", ")) }
    }
}
