//! An interactive simulator: a person chooses each step, goes back, and sees what happens.
//!
//! The execution waits while the person thinks. There is no undo of real code: going back is executing again from the start.

use crate::check::Checker;
use crate::report::token;
use crate::search::manual::{Moment, Wish};
use crate::search::replay::Schedule;
use std::io::{self, BufRead, Write};
use std::panic::Location;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What can be typed.
const HELP: &str = "number: take that step · enter: the same thread goes on · r: run to the end · b: back · \
                    l: all steps so far · t: token · q: quit";

impl Checker {
    /// Lets a person choose the steps: shows what has happened and what can, reads commands from `input`, and ends at the end of
    /// the input or at `q`.
    #[track_caller]
    pub fn simulate(
        &self,
        f: impl Fn() + Sync,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let location = Location::caller();
        let mut session = Session { schedule: Schedule::new(), told: 0, input, output };
        writeln!(session.output, "{HELP}")?;
        loop {
            let (tell, moments) = channel();
            let (wish, wishes) = channel();
            let prefix = session.schedule.clone();
            let again = std::thread::scope(|scope| {
                scope.spawn(|| self.by_hand(location, &f, prefix, tell, wishes));
                // When it returns, nobody wishes anything any more, which ends the execution.
                session.attend(&moments, wish)
            })?;
            if !again {
                return Ok(());
            }
        }
    }
}

/// A person who simulates.
struct Session<'a> {
    /// The steps up to now.
    schedule: Schedule,
    /// How many of them were shown.
    told: usize,
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

/// What to do with an execution.
enum Command {
    Wish(Wish),
    Back,
    Quit,
}

impl Session<'_> {
    /// Goes along with an execution; whether there is to be another one, from the schedule.
    fn attend(&mut self, moments: &Receiver<Moment>, wish: Sender<Wish>) -> io::Result<bool> {
        while let Ok(moment) = moments.recv() {
            self.schedule.clone_from(&moment.schedule);
            self.show(&moment)?;
            match self.command(&moment)? {
                Command::Wish(what) if wish.send(what).is_ok() => {}
                Command::Wish(_) | Command::Quit => return Ok(false),
                Command::Back => {
                    self.schedule.pop();
                    self.told = self.schedule.len().saturating_sub(1);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn show(&mut self, moment: &Moment) -> io::Result<()> {
        let timeline = &moment.timeline;
        for (number, line) in timeline.lines.iter().enumerate().skip(self.told) {
            let thread = &timeline.threads[line.column];
            let row = format!("{:4}  {thread}: {}  {}", number + 1, line.text, line.location);
            writeln!(self.output, "{}", row.trim_end())?;
        }
        self.told = timeline.lines.len();
        if let Some(end) = &moment.end {
            writeln!(self.output, "{end}")?;
        }
        for line in &timeline.waits {
            writeln!(
                self.output,
                "      {} {}  {}",
                timeline.threads[line.column], line.text, line.location
            )?;
        }
        for (number, step) in moment.possible.iter().enumerate() {
            writeln!(self.output, "  {}) {}", number + 1, step.text.trim_end())?;
        }
        Ok(())
    }

    /// Reads a command that can be obeyed.
    fn command(&mut self, moment: &Moment) -> io::Result<Command> {
        loop {
            write!(self.output, "> ")?;
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                writeln!(self.output)?;
                return Ok(Command::Quit);
            }
            let over = moment.possible.is_empty();
            match line.trim() {
                "q" => return Ok(Command::Quit),
                "b" if self.schedule.is_empty() => writeln!(self.output, "this is the start")?,
                "b" => return Ok(Command::Back),
                "t" => writeln!(self.output, "{}", token::write(&self.schedule))?,
                "l" => writeln!(self.output, "{}", moment.timeline)?,
                "" | "r" if over => writeln!(self.output, "this is the end; b goes back, q quits")?,
                "r" => return Ok(Command::Wish(Wish::Run)),
                "" => {
                    let last = self.schedule.last().map(|step| step.0);
                    let same = moment.possible.iter().position(|step| Some(step.step.0) == last);
                    return Ok(Command::Wish(Wish::Step(same.unwrap_or(0))));
                }
                text => match text.parse::<usize>() {
                    Ok(number) if (1..=moment.possible.len()).contains(&number) => {
                        return Ok(Command::Wish(Wish::Step(number - 1)));
                    }
                    _ => writeln!(self.output, "{HELP}")?,
                },
            }
        }
    }
}
