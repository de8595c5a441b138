//! Constant folding: what is known before anything runs is computed once.
//!
//! Variables that nothing ever stores in are what they were at first, and operators on constants have one result. Guards and effects
//! get simpler, and mention fewer objects; what could fail is left where it is. No transition is taken out, so that steps keep their numbers.

use crate::ir::{
    BinaryOperator, Expression, ProcessType, Program, Target, Type, UnaryOperator, Variable, VariableRef,
};
use std::collections::HashSet;

impl Program {
    /// Computes what is constant. How many expressions became simpler.
    pub fn fold_constants(&mut self) -> usize {
        let mut globals: HashSet<u32> = HashSet::new();
        let mut locals: Vec<HashSet<u32>> = Vec::new();
        for process in &self.types {
            let mut own: HashSet<u32> = (0..process.parameters as u32).collect();
            let mut store = |target: &Target| {
                let _: bool = match target.variable() {
                    VariableRef::Global(id) => globals.insert(id.0),
                    VariableRef::Local(id) => own.insert(id.0),
                };
            };
            process.prologue.iter().for_each(|(target, _)| store(target));
            for effect in process.transitions.iter().flat_map(|transition| &transition.effects) {
                effect.for_each_part(&mut |_| {}, &mut store);
            }
            locals.push(own);
        }
        let known = |variables: &[Variable], stored: &HashSet<u32>| -> Vec<Option<Variable>> {
            // Channels stay names, by which it is known who uses which.
            let known = |(index, variable): (u32, &Variable)| {
                (!stored.contains(&index) && variable.ty != Type::Channel).then(|| variable.clone())
            };
            (0..).zip(variables).map(known).collect()
        };
        let shared = known(&self.globals, &globals);
        let mut folded = 0;
        for (process, stored) in self.types.iter_mut().zip(&locals) {
            let own = known(&process.locals, stored);
            folded += fold(process, &shared, &own);
        }
        folded
    }
}

fn fold(process: &mut ProcessType, globals: &[Option<Variable>], locals: &[Option<Variable>]) -> usize {
    let known = |variable: VariableRef| match variable {
        VariableRef::Global(id) => globals[id.index()].as_ref(),
        VariableRef::Local(id) => locals[id.index()].as_ref(),
    };
    let mut folded = 0;
    process.rewrite(&mut |expression| {
        if let Some(simple) = simpler(expression, &known) {
            *expression = simple;
            folded += 1;
        }
    });
    folded
}

/// A constant or a part that an expression amounts to, whose parts are folded already.
fn simpler<'v>(
    expression: &Expression,
    known: &dyn Fn(VariableRef) -> Option<&'v Variable>,
) -> Option<Expression> {
    let constant = |expression: &Expression| match expression {
        Expression::Constant(value) => Some(*value),
        _ => None,
    };
    // What a variable holds is cut to its type where it is stored, and so is what it holds at first.
    let value = |variable: &Variable, place: usize| {
        let value = variable.initial.get(place).copied().unwrap_or(0);
        Expression::Constant(variable.ty.wrap(value))
    };
    match expression {
        Expression::Variable(variable) => {
            known(*variable).filter(|v| v.length.is_none()).map(|variable| value(variable, 0))
        }
        Expression::Element(array, index) => {
            let place = usize::try_from(constant(index)?).ok()?;
            known(*array).filter(|array| place < array.values()).map(|array| value(array, place))
        }
        Expression::Unary(operator, a) => Some(Expression::Constant(operator.compute(constant(a)?))),
        Expression::Binary(operator, a, b) => match (operator, constant(a), constant(b)) {
            (operator, Some(a), Some(b)) => operator.compute(a, b).map(Expression::Constant),
            // The right side is not evaluated then.
            (BinaryOperator::And, Some(0), _) => Some(Expression::Constant(0)),
            (BinaryOperator::Or, Some(a), _) if a != 0 => Some(Expression::Constant(1)),
            (BinaryOperator::And, Some(_), None) | (BinaryOperator::Or, Some(0), None) => Some(truth(b)),
            _ => None,
        },
        Expression::Conditional(condition, a, b) => {
            Some(if constant(condition)? != 0 { (**a).clone() } else { (**b).clone() })
        }
        _ => None,
    }
}

/// 1 if an expression is other than 0.
fn truth(expression: &Expression) -> Expression {
    let is_truth = match expression {
        Expression::Unary(UnaryOperator::Not, _) => true,
        Expression::Binary(operator, ..) => matches!(
            operator,
            BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterEqual
                | BinaryOperator::And
                | BinaryOperator::Or
        ),
        _ => false,
    };
    match is_truth {
        true => expression.clone(),
        false => Expression::binary(BinaryOperator::NotEqual, expression.clone(), 0),
    }
}

#[cfg(test)]
mod tests {
    use crate::text;

    #[test]
    fn what_is_known_is_computed() {
        let source = "program p\nvar n: byte = 3\nvar g: byte\nvar t: byte[2] = [5, 6]\nprocess P(k: byte) {\n  local a: byte = 2\n  \
                      one -> two when n == 3 && k > 1 do g = n * a + t[1]\n  two -> one when n == 2 && g / 0 == 1 do g = t[2] + 1 / 0\n}\n\
                      start P(1)\n";
        let mut program = text::parse("p.mzk", source).program.expect("valid");
        program.fold_constants();
        let printed = text::print(&program);
        assert!(printed.contains("when k > 1"), "{printed}");
        assert!(printed.contains("g = 12"), "{printed}");
        assert!(printed.contains("when 0"), "{printed}");
        // What fails still does, when it is executed.
        assert!(printed.contains("g = t[2] + 1 / 0"), "{printed}");
    }
}
