//! Runs the binary in a directory of its own and keeps what it said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Two processes that take two forks in opposite order.
pub const FORKS: &str = "\
program forks
var fork: bit[2]
process P(mine: byte, other: byte) {
  start think
  end location done
  think -> hold when fork[mine] == 0 do fork[mine] = 1
  hold -> eat when fork[other] == 0 do fork[other] = 1
  eat -> done do fork[mine] = 0; fork[other] = 0
}
start P(0, 1), P(1, 0)
";

/// Two processes that increment without a lock, and one that checks the sum.
pub const LOST_UPDATE: &str = "\
program lost
var x: byte
var ready: byte
process Adder() {
  local seen: byte
  start read
  end location done
  read -> write do seen = x
  write -> done do x = seen + 1; ready = ready + 1
}
process Judge() {
  start wait
  end location done
  wait -> done when ready == 2 do assert x == 2
}
start Adder(), Adder(), Judge()
";

/// Nothing wrong, and a line that is never executed.
pub const FINE: &str = "\
program fine
var x: byte
process P() {
  start a
  end location b
  a -> b do x = 1
  a -> b when x == 7 do x = 2
}
start P()
";

/// A million states and more without an error.
pub fn large() -> String {
    let processes = ["P()"; 8].join(", ");
    format!(
        "program large\nvar x: byte\nprocess P() {{\n  local i: byte\n  start a\n  \
         a -> a do i = i + 1; x = x + 1\n}}\nstart {processes}\n"
    )
}

/// A directory for one test.
pub struct Place {
    directory: PathBuf,
}

/// What a command said.
#[derive(Debug)]
pub struct Said {
    /// The exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Place {
    /// An empty directory.
    pub fn new() -> Place {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{number}", env!("CARGO_CRATE_NAME"), std::process::id());
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory for the test");
        Place { directory }
    }

    /// With a file in it.
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Place {
        self.write(name, content);
        self
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file for the test");
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// Whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The binary, to be started here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args(arguments).current_dir(&self.directory).stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end.
    pub fn run(&self, arguments: &[&str]) -> Said {
        self.command(arguments).output().expect("mazurka runs").into()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}
