//! What executes a program: machine code, or the interpreter; and what is done to it before.

use crate::load::Model;
use mazurka_jit::Compiled;
use mazurka_program::{Interpreter, Optimisations};

/// What executes a program. Both give the same states and steps.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// Machine code, where the machine and the program allow it.
    Jit,
    /// The interpreter.
    #[default]
    Interpreter,
}

/// Reads the value of `--engine`.
pub fn parse(text: &str) -> Result<Engine, String> {
    match text {
        "jit" => Ok(Engine::Jit),
        "interpreter" => Ok(Engine::Interpreter),
        _ => Err("the engines are jit and interpreter".to_owned()),
    }
}

/// Reads the value of `--optimise`.
pub fn parse_optimise(text: &str) -> Result<Optimisations, String> {
    let mut found = Optimisations::default();
    for part in text.split(',') {
        match part {
            "none" if text == part => {}
            "all" if text == part => found = Optimisations::ALL,
            "dead" => found.dead = true,
            "merge" => found.merge = true,
            "fold" => found.fold = true,
            _ => {
                let kinds =
                    "dead (dead-variable resets), merge (of local statements) and fold (of constants)";
                return Err(format!("the optimisations are none, all, or a list of {kinds}"));
            }
        }
    }
    Ok(found)
}

/// Optimisations as `--optimise` is given them.
pub fn name_optimisations(which: Optimisations) -> String {
    let Optimisations { dead, merge, fold } = which;
    let names: Vec<&str> = [(dead, "dead"), (merge, "merge"), (fold, "fold")]
        .into_iter()
        .filter_map(|(on, name)| on.then_some(name))
        .collect();
    match which {
        Optimisations::ALL => "all".to_owned(),
        _ if names.is_empty() => "none".to_owned(),
        _ => names.join(","),
    }
}

/// The model that is explored, and why it is not the one asked for.
pub fn choose(engine: Engine, interpreter: Interpreter) -> (Model, Option<String>) {
    let interpreter = Box::new(interpreter);
    if engine == Engine::Interpreter {
        return (Model::Program(interpreter), None);
    }
    match Compiled::new(interpreter) {
        Ok(compiled) => {
            let coverage = compiled.coverage();
            let note =
                (coverage.interpreted > 0).then(|| format!("the model is compiled in part: {coverage}"));
            (Model::Compiled(Box::new(compiled)), note)
        }
        Err((interpreter, reason)) => {
            (Model::Program(interpreter), Some(format!("the model is interpreted, not compiled: {reason}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optimisations_are_named_as_they_are_asked_for() {
        for text in ["none", "all", "dead", "merge", "fold", "dead,merge", "dead,fold", "merge,fold"] {
            assert_eq!(parse_optimise(text).map(name_optimisations), Ok(text.to_owned()));
        }
        assert!(parse_optimise("dead,none").is_err());
    }
}
