//! Divergence: a thread that performs no visible operation for too long (Godefroid 1997, "responsiveness").
//!
//! Code that never gets to a visible operation can't be stopped from outside: all that can be done is to say where it was
//! seen last, and to end the process.

use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What the watched search tells.
#[derive(Debug)]
pub(crate) struct Pulse {
    steps: AtomicU64,
    thread: AtomicU64,
    last: Mutex<Option<&'static Location<'static>>>,
    over: AtomicBool,
    bell: (Mutex<()>, Condvar),
}

impl Pulse {
    /// A thread goes on after an operation at this place.
    pub(crate) fn beat(&self, thread: u32, place: &'static Location<'static>) {
        self.steps.fetch_add(1, Ordering::Relaxed);
        self.thread.store(u64::from(thread), Ordering::Relaxed);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
    }
}

/// Watches until it is dropped.
#[derive(Debug)]
pub(crate) struct Watchdog {
    pub(crate) pulse: Arc<Pulse>,
    guard: Option<std::thread::JoinHandle<()>>,
}

impl Watchdog {
    /// Starts to watch: after so long without a visible operation, `alarm` is called with what is known.
    pub(crate) fn new(limit: Duration, alarm: impl Fn(&str) + Send + 'static) -> Watchdog {
        let pulse = Arc::new(Pulse {
            steps: AtomicU64::new(0),
            thread: AtomicU64::new(0),
            last: Mutex::new(None),
            over: AtomicBool::new(false),
            bell: (Mutex::new(()), Condvar::new()),
        });
        let watched = Arc::clone(&pulse);
        let guard = std::thread::spawn(move || {
            let mut seen = watched.steps.load(Ordering::Relaxed);
            while !watched.over.load(Ordering::SeqCst) {
                let held = watched.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = watched.bell.1.wait_timeout(held, limit).unwrap_or_else(PoisonError::into_inner);
                drop(waited);
                let now = watched.steps.load(Ordering::Relaxed);
                if now == seen && !watched.over.load(Ordering::SeqCst) {
                    let thread = watched.thread.load(Ordering::Relaxed);
                    let last = *watched.last.lock().unwrap_or_else(PoisonError::into_inner);
                    let last = last.map_or_else(|| "its start".to_owned(), |place| place.to_string());
                    alarm(&format!(
                        "divergence: thread {thread} has performed no visible operation for {:.1} seconds after {last}",
                        limit.as_secs_f64()
                    ));
                }
                seen = now;
            }
        });
        Watchdog { pulse, guard: Some(guard) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.pulse.over.store(true, Ordering::SeqCst);
        self.pulse.bell.1.notify_all();
        if let Some(guard) = self.guard.take() {
            let _ = guard.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn silence_is_noticed() {
        let heard = Arc::new(Mutex::new(String::new()));
        let ear = Arc::clone(&heard);
        let dog =
            Watchdog::new(Duration::from_millis(20), move |text| *ear.lock().unwrap() = text.to_owned());
        dog.pulse.beat(3, Location::caller());
        let start = Instant::now();
        while heard.lock().unwrap().is_empty() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        let text = heard.lock().unwrap().clone();
        assert!(text.contains("thread 3") && text.contains("watchdog.rs"), "{text}");
    }
}
