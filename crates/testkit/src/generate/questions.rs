//! Questions about other processes, priorities and timeouts, added to programs that are otherwise complete: with randomness of
//! their own, so that programs without them are what they were.
//!
//! A process that asks whether one can move that asks it back is a fault, so most programs have one type that asks.

use fastrand::Rng;
use mazurka_program::ir::{BinaryOperator, Effect, Expression, ProcessQuestion, Program};

/// Adds questions to the program of a seed, or does not.
pub fn add(seed: u64, program: &mut Program) {
    let mut random = Rng::with_seed(seed ^ 0x6c6f_6f6b);
    let mut chance = |percent: u32| random.u32(0..100) < percent;
    let (asks, outranks, waits) = (chance(20), chance(15), chance(6));
    let mut questions = Questions { random, slots: program.initial.len() as i32 + 1 };
    if outranks {
        questions.priorities(program);
    }
    if asks {
        questions.questions(program);
    }
    if waits {
        questions.timeout(program);
    }
}

struct Questions {
    random: Rng,
    /// The slots that are asked about: one more than there are at first.
    slots: i32,
}

impl Questions {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    /// The process that is asked about: most often a certain one.
    fn slot(&mut self) -> Expression {
        match self.random.u32(0..10) {
            0 => Expression::Pid + 1,
            1 => (Expression::Pid + 1) % self.slots,
            _ => self.random.i32(0..self.slots).into(),
        }
    }

    /// A condition on another process.
    fn condition(&mut self) -> Expression {
        let ask = |question, slot| Expression::Process(question, Box::new(slot));
        let slot = self.slot();
        match self.random.u32(0..10) {
            0..=3 => ask(ProcessQuestion::Enabled, slot),
            4..=5 => !ask(ProcessQuestion::Enabled, slot),
            6..=8 => {
                let operators =
                    [BinaryOperator::Equal, BinaryOperator::NotEqual, BinaryOperator::GreaterEqual];
                let operator = operators[self.random.usize(0..operators.len())];
                Expression::binary(operator, ask(ProcessQuestion::Location, slot), self.random.i32(1..4))
            }
            _ => Expression::binary(
                BinaryOperator::Equal,
                ask(ProcessQuestion::Priority, slot),
                self.random.i32(1..3),
            ),
        }
    }

    /// Lets some transitions, of one type most often, depend on what others are about to do.
    fn questions(&mut self, program: &mut Program) {
        let all = self.chance(20);
        let asker = self.random.usize(0..program.types.len());
        for kind in (0..program.types.len()).filter(|kind| all || *kind == asker) {
            for number in 0..program.types[kind].transitions.len() {
                if !self.chance(30) {
                    continue;
                }
                let condition = self.condition();
                let transition = &mut program.types[kind].transitions[number];
                match transition.effects.iter_mut().find(|effect| matches!(effect, Effect::Assert(_))) {
                    Some(Effect::Assert(asserted)) => *asserted = condition,
                    _ if transition.otherwise => {}
                    _ => transition.guard.push(condition),
                }
            }
        }
    }

    /// Gives processes different priorities, and lets some change them.
    fn priorities(&mut self, program: &mut Program) {
        for start in &mut program.initial {
            start.priority = self.random.u8(1..=3);
        }
        let changes = self.chance(30);
        for kind in 0..program.types.len() {
            for number in 0..program.types[kind].transitions.len() {
                let at_birth = self.chance(60);
                let later = changes && self.chance(15);
                let (slot, priority) = (self.slot(), self.random.i32(1..=3));
                let effects = &mut program.types[kind].transitions[number].effects;
                let run = effects.iter().position(|effect| matches!(effect, Effect::Run { .. }));
                if let Some(run) = run.filter(|_| at_birth) {
                    let process = Expression::ProcessCount - 1;
                    effects.insert(run + 1, Effect::SetPriority { process, priority: priority.into() });
                } else if later && !matches!(effects.last(), Some(Effect::Exit)) {
                    effects.push(Effect::SetPriority { process: slot, priority: priority.into() });
                }
            }
        }
    }

    /// Lets a transition wait until nothing else can move.
    fn timeout(&mut self, program: &mut Program) {
        let kind = self.random.usize(0..program.types.len());
        let transitions = &mut program.types[kind].transitions;
        if transitions.is_empty() {
            return;
        }
        let number = self.random.usize(0..transitions.len());
        let transition = &mut transitions[number];
        if !transition.otherwise {
            transition.guard.push(Expression::Timeout);
        }
    }
}
