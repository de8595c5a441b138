//! Runs a command and measures what it costs: processor time, user and system apart, because the machine may be
//! shared; wall time; and the peak of its memory.

use serde::Serialize;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a command cost.
#[derive(Copy, Clone, Debug, Default, Serialize)]
pub struct Cost {
    /// Processor seconds in the program.
    pub user: f64,
    /// Processor seconds in the system.
    pub system: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// The most memory that it had.
    pub peak_bytes: u64,
}

impl Cost {
    /// Processor seconds.
    pub fn processor(&self) -> f64 {
        self.user + self.system
    }
}

/// Runs a command in a folder, and gives its standard output and its cost.
pub fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(String, Cost), String> {
    let out = folder.join("output");
    let file = std::fs::File::create(&out).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and nobody else waits for it; both places are written by the call only.
    let usage = unsafe {
        if libc::wait4(child.id() as i32, &mut status, 0, usage.as_mut_ptr()) < 0 {
            return Err(format!("{program}: it can't be waited for"));
        }
        usage.assume_init()
    };
    let wall = start.elapsed().as_secs_f64();
    if std::process::ExitStatus::from_raw(status).code().is_none() {
        return Err(format!("{program} was ended by a signal"));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let text = std::fs::read_to_string(&out).map_err(|error| error.to_string())?;
    let peak_bytes = usage.ru_maxrss as u64 * 1024;
    Ok((text, Cost { user: seconds(usage.ru_utime), system: seconds(usage.ru_stime), wall, peak_bytes }))
}
