//! Executable content: what is done on the way from one situation to another, and what becomes of data.
//!
//! Conditions that are not known are guessed: the answers are a script, which is extended where it ends, so that every combination
//! of answers can be gone through. A value outside the bounds of its datum ends the way.

use super::expression::{Expression, Scope, Value};
use super::flatten::Chart;
use super::tree::{Action, Guard};
use mazurka_model::source::Span;

/// The most guesses on one way.
pub const MOST_GUESSES: usize = 6;

/// What is done on a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An action of the document that others notice.
    Action(Action),
    /// A machine begins.
    Invoke(usize),
    /// A machine is ended.
    Quit(usize),
    /// A state is done.
    Done(String),
    /// What was to be sent later never is.
    Silence,
    /// The document is done.
    Finished,
}

/// A datum would get a value outside of its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// What is wrong, in words.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Answers to conditions that are not known: number of the guess, and the answer.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The answers of the present way.
    pub answers: Vec<(usize, bool)>,
    at: usize,
    /// There are more guesses on one way than are followed.
    pub too_long: bool,
}

impl Script {
    /// Back to its beginning.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// The next answer.
    fn next(&mut self, guess: usize) -> bool {
        if self.at == self.answers.len() {
            if self.answers.len() == MOST_GUESSES {
                self.too_long = true;
                return false;
            }
            self.answers.push((guess, false));
        }
        self.at += 1;
        self.answers[self.at - 1].1
    }

    /// On to the next combination of answers; false if there is none.
    pub fn advance(&mut self) -> bool {
        while self.answers.pop_if(|(_, answer)| *answer).is_some() {}
        match self.answers.last_mut() {
            Some((_, answer)) => {
                *answer = true;
                true
            }
            None => false,
        }
    }
}

/// What is under way.
pub struct Doing<'c, 'd> {
    chart: &'c mut Chart<'d>,
    script: &'c mut Script,
    /// The active states.
    pub active: Vec<usize>,
    /// The values of data.
    pub data: Vec<Value>,
    /// What was done.
    pub deeds: Vec<Deed>,
    /// What went wrong.
    pub outside: Option<Outside>,
    /// How many conditions of executable content were guessed.
    guessed: usize,
}

impl<'c, 'd> Doing<'c, 'd> {
    /// From a situation.
    pub fn new(
        chart: &'c mut Chart<'d>,
        script: &'c mut Script,
        active: Vec<usize>,
        data: Vec<Value>,
    ) -> Doing<'c, 'd> {
        Doing { chart, script, active, data, deeds: Vec::new(), outside: None, guessed: 0 }
    }

    /// The chart.
    pub fn chart(&self) -> &Chart<'d> {
        self.chart
    }

    fn evaluate<T>(&self, with: impl Fn(&Scope<'_>) -> T) -> T {
        let active = |name: &str| self.chart.find(name).is_some_and(|one| self.active.contains(&one));
        let value = |name: &str| {
            let data = &self.chart.document().data;
            data.iter()
                .position(|datum| datum.name == name)
                .map_or(Value::Unknown, |number| self.data[number])
        };
        with(&Scope { active: &active, value: &value })
    }

    /// Whether the condition of a transition holds; one that was asked before on this way has the same answer again.
    pub fn allows(&mut self, guard: Option<&Guard>) -> bool {
        let Some(guard) = guard else { return true };
        match self.truth(guard) {
            Some(truth) => truth,
            None => {
                let guess = self.chart.guess(&guard.text, guard);
                let before = self.script.answers[..self.script.at].iter().find(|(known, _)| *known == guess);
                match before.copied() {
                    Some((_, answer)) => answer,
                    None => self.script.next(guess),
                }
            }
        }
    }

    fn truth(&self, guard: &Guard) -> Option<bool> {
        let parsed = guard.parsed.as_ref()?;
        self.evaluate(|scope| parsed.truth(scope))
    }

    /// Does what is to be done.
    pub fn perform(&mut self, actions: &[Action]) {
        for action in actions {
            if self.outside.is_some() {
                return;
            }
            match action {
                Action::Raise(..) | Action::Send { .. } | Action::Cancel(_) => {
                    self.deeds.push(Deed::Action(action.clone()));
                }
                Action::Assign { location, expression, text, span } => {
                    self.assign(location, expression.as_ref(), text, *span);
                }
                Action::If(branches) => {
                    let chosen = branches.iter().find(|branch| match &branch.condition {
                        None => true,
                        Some(guard) => match self.truth(guard) {
                            Some(truth) => truth,
                            None => {
                                // What was done before may have changed the answer.
                                self.guessed += 1;
                                let name = format!("{} ({})", guard.text, self.guessed);
                                let guess = self.chart.guess(&name, guard);
                                self.script.next(guess)
                            }
                        },
                    });
                    if let Some(branch) = chosen {
                        self.perform(&branch.actions);
                    }
                }
                Action::Script(span) => self.forget_all(*span, "a script is not executed"),
            }
        }
    }

    fn forget_all(&mut self, span: Span, why: &str) {
        if !self.data.is_empty() {
            self.data.fill(Value::Unknown);
            self.chart.note(span, format!("{why}: no datum is known behind it"));
        }
    }

    fn assign(&mut self, location: &str, expression: Option<&Expression>, text: &str, span: Span) {
        if expression.is_none_or(|one| one.any(&|part| *part == Expression::Call)) {
            // Nobody knows what else it does.
            let may_change = ["(", "=", "++", "--", "`"].iter().any(|sign| text.contains(sign));
            let harmless = expression.is_none() && !may_change;
            if !harmless {
                self.forget_all(span, &format!("`{text}` is not evaluated"));
            }
        }
        let data = &self.chart.document().data;
        let Some(number) = data.iter().position(|datum| {
            let rest = location.strip_prefix(datum.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        }) else {
            return;
        };
        let datum = &data[number];
        let value = match expression {
            Some(expression) if location == datum.name => self.evaluate(|scope| expression.value(scope)),
            _ => Value::Unknown,
        };
        if value == Value::Unknown {
            let name = datum.name.clone();
            self.chart.note(span, format!("`{text}` is not evaluated: `{name}` is not known behind it"));
        }
        if let Value::Number(value) = value
            && !(datum.bounds.0..=datum.bounds.1).contains(&value)
        {
            let (least, most) = datum.bounds;
            let message = format!("`{}` would be {value}, outside of {least}..{most}", datum.name);
            self.outside = Some(Outside { message, span });
            return;
        }
        self.data[number] = value;
    }
}
