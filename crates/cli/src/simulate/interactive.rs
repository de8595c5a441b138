//! `simulate --interactive`: the user picks each step, and may go back.
//!
//! Commands are read from standard input, one a line, so a script can give them as well; the end of the
//! input is a wish to quit.

use super::{Over, Session};
use crate::output::Output;
use mazurka_replay::{Choice, End};
use std::io::{self, BufRead, IsTerminal, Write};

const HELP: &str = "  NUMBER   take this step
  r [N]    take one random step, or N
  b [N]    step back once, or N times
  s        show the state
  l        list the steps again
  q        quit
  ?        this help
";

/// What the user asks for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Wish {
    Step(usize),
    Random(u64),
    Back(u64),
    State,
    List,
    Quit,
    Help,
}

/// A line of input as a wish; `None` if it makes no sense.
fn wish(line: &str) -> Option<Wish> {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("l");
    let second = words.next();
    if words.next().is_some() {
        return None;
    }
    let count = || second.map_or(Some(1), |word| word.parse().ok());
    match first {
        "r" => Some(Wish::Random(count()?)),
        "b" => Some(Wish::Back(count()?)),
        _ if second.is_some() => None,
        "s" => Some(Wish::State),
        "l" => Some(Wish::List),
        "q" => Some(Wish::Quit),
        "?" | "h" | "help" => Some(Wish::Help),
        number => number.parse().ok().map(Wish::Step),
    }
}

/// Does as the user wishes until they quit or the input ends.
pub fn run(session: &mut Session<'_>, output: &mut Output) -> io::Result<Over> {
    let input = io::stdin();
    let echoed = input.is_terminal();
    let mut list = true;
    loop {
        let end = session.simulation.end();
        let choices = match end {
            None => session.simulation.choices(),
            Some(_) => Vec::new(),
        };
        if list {
            show(session, end, &choices, output)?;
        }
        list = true;
        let prompt = match choices.len() {
            0 => "b, s, q or ?".to_owned(),
            1 => "1 (? for help)".to_owned(),
            many => format!("1 to {many} (? for help)"),
        };
        write!(output, "{prompt}: ")?;
        output.flush()?;
        let mut line = Vec::new();
        let read = input.lock().read_until(b'\n', &mut line).unwrap_or(0);
        if !echoed || read == 0 {
            writeln!(output)?;
        }
        if read == 0 {
            return Ok(end.map_or(Over::Quit, Over::Ended));
        }
        match wish(&String::from_utf8_lossy(&line)) {
            Some(Wish::Quit) => return Ok(end.map_or(Over::Quit, Over::Ended)),
            Some(Wish::List) => {}
            Some(Wish::Help) => {
                output.write_all(HELP.as_bytes())?;
                list = false;
            }
            Some(Wish::State) => {
                for (name, value) in session.describe.values(session.simulation.state()) {
                    writeln!(output, "    {name} = {value}")?;
                }
                list = false;
            }
            Some(Wish::Step(number)) => {
                match number.checked_sub(1).and_then(|i| choices.into_iter().nth(i)) {
                    Some(choice) => session.advance(choice, output)?,
                    None => {
                        writeln!(output, "there is no step {number} here")?;
                        list = false;
                    }
                }
            }
            Some(Wish::Random(count)) => {
                for _ in 0..count {
                    if session.simulation.end().is_some() || !session.random_step(output)? {
                        break;
                    }
                }
            }
            Some(Wish::Back(count)) => {
                let taken = (0..count).take_while(|_| session.simulation.back()).count();
                session.steps.jump();
                match taken {
                    0 => writeln!(output, "this is the initial state")?,
                    _ => writeln!(output, "back after step {}", session.simulation.len())?,
                }
            }
            None => {
                let line = String::from_utf8_lossy(&line);
                writeln!(output, "`{}` means nothing here; ? for help", line.trim())?;
                list = false;
            }
        }
    }
}

/// Lists the steps that can be taken, or says that there are none.
fn show(
    session: &mut Session<'_>,
    end: Option<End>,
    choices: &[Choice],
    output: &mut Output,
) -> io::Result<()> {
    if let Some(end) = end {
        return session.conclude(Over::Ended(end), output).map(drop);
    }
    let state = session.simulation.state().to_vec();
    for (index, choice) in choices.iter().enumerate() {
        let step = choice.executed.step;
        let mut text = session.steps.text(&state, step);
        // A step with several outcomes is listed once for each.
        let same = choices.iter().filter(|other| other.executed.step.step == step.step).count();
        if same > 1 {
            text.text = format!("{} (outcome {})", text.text, step.outcome + 1);
        }
        session.steps.line(output, &format!("{:>4})", index + 1), &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wishes() {
        assert_eq!(wish("3\n"), Some(Wish::Step(3)));
        assert_eq!(wish(" r \n"), Some(Wish::Random(1)));
        assert_eq!(wish("r 20"), Some(Wish::Random(20)));
        assert_eq!(wish("b 2"), Some(Wish::Back(2)));
        assert_eq!(wish(""), Some(Wish::List));
        assert_eq!(wish("?"), Some(Wish::Help));
        for wrong in ["x", "-1", "r x", "3 4", "s 1", "b 1 2", "99999999999999999999999"] {
            assert_eq!(wish(wrong), None, "{wrong}");
        }
    }
}
