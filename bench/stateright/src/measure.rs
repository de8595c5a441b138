//! Time and memory of one piece of work, in a process of its own.
//!
//! Time is processor time, user and system together, because the machine may be shared. Memory is the
//! peak of the resident set minus what was resident before the work began, as `/proc/self/status` tells
//! it (`getrusage` would report the peak of the parent that forked). The address space of a child is
//! limited, so that a tool that runs out of memory fails alone.

use crate::work::{Counts, Work};
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// The most that a child may map.
const ADDRESS_SPACE: u64 = 8 << 30;

/// What one piece of work took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    pub counts: Counts,
    pub user_seconds: f64,
    pub system_seconds: f64,
    pub peak_bytes: u64,
}

impl Sample {
    pub fn seconds(&self) -> f64 {
        self.user_seconds + self.system_seconds
    }

    pub fn states_per_second(&self) -> f64 {
        self.counts.states as f64 / self.seconds()
    }

    pub fn bytes_per_state(&self) -> f64 {
        self.peak_bytes as f64 / self.counts.states as f64
    }
}

/// Does the work in this process.
pub fn take(work: impl FnOnce() -> Counts) -> Sample {
    limit_address_space();
    let resident = status("VmRSS:");
    let (user, system) = processor_seconds();
    let counts = work();
    let (user_after, system_after) = processor_seconds();
    Sample {
        counts,
        user_seconds: user_after - user,
        system_seconds: system_after - system,
        peak_bytes: status("VmHWM:").saturating_sub(resident),
    }
}

/// Does the work in a child process. `None`: it ran out of memory or failed otherwise, and said why on its
/// standard error.
pub fn spawn(work: &Work) -> Result<Option<Sample>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let argument = serde_json::to_string(work).map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(["--child", &argument])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the child can't be started: {error}"))?;
    if !output.status.success() {
        return Ok(None);
    }
    let sample: Sample = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    if sample.counts.states != work.subject.states() {
        return Err(format!(
            "{argument} found {} states instead of {}",
            sample.counts.states,
            work.subject.states()
        ));
    }
    Ok(Some(sample))
}

/// A line of `/proc/self/status`, in bytes; 0 where there is no such thing.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}

fn processor_seconds() -> (f64, f64) {
    // SAFETY: an all-zero `rusage` is a valid value, and `getrusage` only writes into it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    (seconds(usage.ru_utime), seconds(usage.ru_stime))
}

fn limit_address_space() {
    let limit = libc::rlimit { rlim_cur: ADDRESS_SPACE, rlim_max: ADDRESS_SPACE };
    // SAFETY: the structure is valid for the duration of the call. A refusal is harmless.
    unsafe {
        libc::setrlimit(libc::RLIMIT_AS, &limit);
    }
}
