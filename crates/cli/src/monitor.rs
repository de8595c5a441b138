//! Progress on standard error, and Ctrl-C.

use mazurka_engine::{Monitor, Progress};
use mazurka_report::number;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets the first Ctrl-C stop the search, which then says what it has explored, and the second end
/// the program at once.
pub fn catch_interrupts() {
    // Without a handler Ctrl-C ends the program as it always does, which is no reason to refuse work.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(crate::Exit::Unknown.code()));
        }
    });
}

/// Whether the user pressed Ctrl-C.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// How progress is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Style {
    /// Not at all.
    Hidden,
    /// One line that is written again and again.
    Line,
    /// A new line each time, for files.
    Log,
}

/// Watches a run for the user.
pub struct Watch {
    style: Style,
    /// When something was last written; `None`: nothing yet.
    last: Mutex<Option<Instant>>,
}

impl Watch {
    /// A watch that shows progress on a terminal, or anywhere if `asked`, but not if `quiet`.
    pub fn new(asked: bool, quiet: bool) -> Watch {
        let style = match (std::io::stderr().is_terminal(), asked) {
            _ if quiet => Style::Hidden,
            (true, _) => Style::Line,
            (false, true) => Style::Log,
            (false, false) => Style::Hidden,
        };
        Watch { style, last: Mutex::new(None) }
    }

    /// Removes the line of progress, so that results stand on a clean terminal.
    pub fn clear(&self) {
        let written = self.last.lock().is_ok_and(|last| last.is_some());
        if self.style == Style::Line && written {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Monitor for Watch {
    fn progress(&self, progress: &Progress) {
        let pause = match self.style {
            Style::Hidden => return,
            Style::Line => Duration::from_millis(100),
            Style::Log => Duration::from_secs(1),
        };
        let Ok(mut last) = self.last.lock() else { return };
        if last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        *last = Some(Instant::now());
        let line = line(progress);
        // Progress that can't be written is no reason to stop the search.
        let _ = match self.style {
            Style::Line => write!(std::io::stderr(), "\r{line}\x1b[K"),
            Style::Log | Style::Hidden => writeln!(std::io::stderr(), "{line}"),
        };
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

fn line(progress: &Progress) -> String {
    format!(
        "{} states, {}/s, depth {}, {}, {}",
        number::count(progress.states),
        number::count(number::rate(progress.states, progress.elapsed) as u64),
        number::count(progress.depth),
        number::bytes(progress.memory),
        number::time(progress.elapsed),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_fits_a_line() {
        let progress = Progress {
            states: 123_456_789,
            transitions: 999_999_999,
            depth: 12_345_678,
            memory: 3 << 30,
            elapsed: Duration::from_secs(100),
        };
        let line = line(&progress);
        assert_eq!(line, "123,456,789 states, 1,234,567/s, depth 12,345,678, 3.0 GB, 1 min 40 s");
        assert!(line.len() < 80);
    }
}
