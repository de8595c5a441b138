//! Standard output that survives a closed pipe, and the decision whether there are colours.

use crate::failure::Failure;
use mazurka_report::Colour;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

/// Buffered standard output. Once the reader has gone away (`| head`), the rest is dropped without a
/// word: the exit code still tells the result.
pub struct Output {
    out: BufWriter<Stdout>,
    closed: bool,
    failed: Option<io::Error>,
    colour: Colour,
    error_colour: Colour,
}

impl Output {
    /// Standard output.
    pub fn standard() -> Output {
        Output {
            out: BufWriter::new(io::stdout()),
            closed: false,
            failed: None,
            colour: colour(io::stdout().is_terminal()),
            error_colour: colour(io::stderr().is_terminal()),
        }
    }

    /// Colours on standard output.
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// Colours on standard error.
    pub fn error_colour(&self) -> Colour {
        self.error_colour
    }

    /// Writes out what is still held back. Fails if something could not be written, unless the
    /// reader has gone away.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let flushed = self.flush();
        match self.failed.take().map_or(flushed, Err) {
            Ok(()) => Ok(()),
            Err(error) => Err(Failure::usage(format!("standard output can't be written: {error}"))),
        }
    }

    /// Swallows the error of a closed pipe and remembers any other.
    fn judge(&mut self, result: io::Result<()>) {
        match result {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => {
                self.closed = true;
                self.failed = Some(error);
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.closed {
            let result = self.out.write_all(bytes);
            self.judge(result);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.closed {
            let result = self.out.flush();
            self.judge(result);
        }
        Ok(())
    }
}

/// Colours only on a terminal that understands them, and never against the user's will
/// (<https://no-color.org>).
fn colour(terminal: bool) -> Colour {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    if terminal && !refused && !dumb { Colour::Always } else { Colour::Never }
}
