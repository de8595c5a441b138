//! `mazurka simulate`: one run of a model, chosen at random, by a trail, or by the user.
//!
//! A simulation shows what a model does; it proves nothing. Its exit code is that of `check` for the one
//! run: 0 it ended properly (or the user had enough), 1 something was wrong, 3 it was cut short.

mod interactive;
mod random;

use crate::Exit;
use crate::arguments::SimulateArguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::save::Trails;
use crate::{load, monitor, trail};
use mazurka_model::trace::TraceStep;
use mazurka_model::{Describe, EventKind};
use mazurka_replay::{Choice, End, Simulation};
use mazurka_report::number::counted;
use mazurka_report::steps::{Show, Steps, Widths};
use mazurka_report::{Trail, run};
use random::Random;
use std::io::{self, Write};

/// The steps of a random run unless the user says otherwise: many models never end.
const DEFAULT_STEPS: u64 = 10_000;

/// Why a simulation is over.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Over {
    /// The run itself is.
    Ended(End),
    /// The limit on steps.
    Limit(u64),
    /// The trail that guides it has no more steps.
    TrailEnds,
    /// Nor has one whose last steps, so many, are repeated for ever, which breaks a property.
    TrailRepeats(u64, Option<String>),
    /// The user had enough.
    Quit,
    /// Ctrl-C.
    Interrupted,
}

/// Runs the command.
pub fn run(arguments: &SimulateArguments, output: &mut Output) -> Result<Exit, Failure> {
    let guide = arguments.trail.as_ref().map(|path| Ok((path, trail::read(path)?))).transpose()?;
    let how = match &guide {
        Some((_, guide)) => trail::how(guide, &arguments.define, arguments.full_channel),
        None => load::How {
            defines: &arguments.define,
            full_channel: arguments.full_channel,
            ..load::How::default()
        },
    };
    let mut loaded = load::model(&arguments.file, &how)?;
    // A run is short: there is no reason to be narrow with tokens.
    while loaded.widen() {}
    let system = loaded.system();
    let describe = system.describe();
    let save = arguments.save.as_deref();
    let save = save.map(|path| Trails::at("--save", &arguments.file, path)).transpose()?;
    let guide = match guide {
        None => None,
        Some((path, guide)) => {
            trail::check_model(&guide, path, describe, &arguments.file)?;
            Some((path, guide))
        }
    };
    let initial = guide.as_ref().map_or(0, |(_, guide)| guide.finding.trace.initial);
    let Some(simulation) = Simulation::new(system, initial) else {
        return Err(Failure::usage(format!("{}: there is no initial state {initial}", loaded.path)));
    };
    let seed = arguments.seed.unwrap_or_else(Random::fresh_seed);
    let mut session = Session::new(simulation, describe, arguments, seed, output);
    let over = match guide {
        Some((path, guide)) => {
            let trace = guide.finding.trace;
            for (index, step) in trace.steps.iter().enumerate() {
                session.follow(*step, output).map_err(|why| {
                    why.unwrap_or_else(|| {
                        let shown = path.display();
                        Failure::usage(format!("{shown}: step {} is not possible here", index + 1))
                            .help("the trail has been changed by hand or is damaged")
                    })
                })?;
            }
            match (session.simulation.end(), trace.repeats) {
                (_, Some(from)) => Over::TrailRepeats((trace.steps.len() - from) as u64, guide.property),
                (Some(end), None) => Over::Ended(end),
                (None, None) => Over::TrailEnds,
            }
        }
        None if arguments.interactive => Over::Quit,
        None => {
            let line = format!("seed {seed}");
            match arguments.quiet {
                // What the model prints is not to be mixed with anything.
                true => drop(writeln!(io::stderr(), "{line}")),
                false => writeln!(output, "{line}").map_err(unwritten)?,
            }
            monitor::catch_interrupts();
            session.random(arguments.steps.unwrap_or(DEFAULT_STEPS), output).map_err(unwritten)?
        }
    };
    let over = match arguments.interactive {
        true => interactive::run(&mut session, output).map_err(unwritten)?,
        false => over,
    };
    let exit = session.conclude(over, output).map_err(unwritten)?;
    if let Some(trails) = save {
        let trail = Trail {
            model: trails.model_path().to_owned(),
            fingerprint: describe.fingerprint(),
            options: loaded.options.clone(),
            finding: session.simulation.finding(),
            property: None,
        };
        let saved = trails.save(0, &trail).map_err(|message| Failure::usage(format!("--save {message}")))?;
        if let (Some(path), false) = (saved, arguments.quiet) {
            writeln!(output, "Saved as {path}; to see it again: mazurka replay {path}").map_err(unwritten)?;
        }
    }
    Ok(exit)
}

fn unwritten(error: io::Error) -> Failure {
    Failure::Internal(format!("the simulation can't be written: {error}"))
}

/// A simulation that is being shown.
struct Session<'a> {
    simulation: Simulation<'a>,
    describe: &'a dyn Describe,
    steps: Steps<'a>,
    random: Random,
    quiet: bool,
}

impl<'a> Session<'a> {
    fn new(
        simulation: Simulation<'a>,
        describe: &'a dyn Describe,
        arguments: &SimulateArguments,
        seed: u64,
        output: &Output,
    ) -> Session<'a> {
        let show = Show {
            changes: arguments.changes,
            globals: arguments.globals,
            locals: arguments.locals,
            sends: arguments.sends,
            receives: arguments.receives,
            printed: true,
        };
        let mut steps = Steps::new(describe, show, output.colour());
        steps.widths = Widths { number: 5, process: 12, text: 36 };
        Session { simulation, describe, steps, random: Random::new(seed), quiet: arguments.quiet }
    }

    /// Takes a step, and shows it.
    fn advance(&mut self, choice: Choice, output: &mut Output) -> io::Result<()> {
        let before = self.simulation.state().to_vec();
        if self.quiet {
            for event in self.describe.events(&before, choice.executed.step) {
                if let EventKind::Printed(text) = event.kind {
                    output.write_all(text.as_bytes())?;
                }
            }
        } else {
            self.steps.write(output, self.simulation.len() + 1, &before, &choice.executed)?;
        }
        self.simulation.take(choice);
        Ok(())
    }

    /// Takes a step of a trail. Fails without a failure of its own if the step is not possible.
    fn follow(&mut self, step: TraceStep, output: &mut Output) -> Result<(), Option<Failure>> {
        let choice = self.simulation.choice(step).ok_or(None)?;
        self.advance(choice, output).map_err(|error| Some(unwritten(error)))
    }

    /// A process at random, then one of its steps: a process with many ways on is not preferred.
    fn pick(&mut self, choices: &[Choice]) -> usize {
        let process = |choice: &Choice| choice.executed.step.step.process;
        let mut processes: Vec<_> = choices.iter().map(process).collect();
        processes.dedup();
        let chosen = processes[self.random.below(processes.len())];
        let mine: Vec<usize> = (0..choices.len()).filter(|i| process(&choices[*i]) == chosen).collect();
        mine[self.random.below(mine.len())]
    }

    /// Takes one random step, if there is any.
    fn random_step(&mut self, output: &mut Output) -> io::Result<bool> {
        let mut choices = self.simulation.choices();
        if choices.is_empty() {
            return Ok(false);
        }
        let picked = self.pick(&choices);
        self.advance(choices.swap_remove(picked), output)?;
        Ok(true)
    }

    /// Takes random steps until something ends the run.
    fn random(&mut self, limit: u64, output: &mut Output) -> io::Result<Over> {
        loop {
            if let Some(end) = self.simulation.end() {
                return Ok(Over::Ended(end));
            }
            if monitor::interrupted() {
                return Ok(Over::Interrupted);
            }
            if self.simulation.len() as u64 >= limit {
                return Ok(Over::Limit(limit));
            }
            self.random_step(output)?;
        }
    }

    /// Says why it is over.
    fn conclude(&mut self, over: Over, output: &mut Output) -> io::Result<Exit> {
        let colour = output.colour();
        let steps = counted(self.simulation.len() as u64, "step");
        let (word, text, exit) = match over {
            Over::Ended(End::Proper) => (
                colour.good("valid end:"),
                format!("every process may stop where it is (after {steps})"),
                Exit::Holds,
            ),
            Over::Ended(End::Wrong(_)) => {
                let text = run::ending(&self.simulation.run(), self.describe);
                (colour.bad("error:"), text, Exit::Violated)
            }
            Over::Limit(limit) => {
                let limit = counted(limit, "step");
                (
                    colour.warn("stopped:"),
                    format!("the limit of {limit} was reached (--steps)"),
                    Exit::Unknown,
                )
            }
            Over::Interrupted => {
                (colour.warn("stopped:"), format!("interrupted after {steps}"), Exit::Unknown)
            }
            Over::TrailEnds => {
                let text = format!("the trail ends here, after {steps}; nothing is wrong so far");
                (colour.warn("stopped:"), text, Exit::Holds)
            }
            Over::TrailRepeats(last, property) => {
                let again = match last {
                    0 => "where nothing moves any more".to_owned(),
                    last => format!("of which the last {last} are repeated for ever"),
                };
                let property = property.map_or_else(String::new, |property| format!(" ({property})"));
                let text = format!(
                    "the trail ends here, after {steps}, {again}{property}; `mazurka replay` judges that"
                );
                (colour.warn("stopped:"), text, Exit::Holds)
            }
            Over::Quit => (colour.warn("stopped:"), format!("after {steps}, as you wished"), Exit::Holds),
        };
        match self.quiet {
            true => drop(writeln!(io::stderr(), "{word} {text}")),
            false => writeln!(output, "{word} {text}")?,
        }
        Ok(exit)
    }
}
