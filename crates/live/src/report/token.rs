//! Schedules as short text: `mz1:0x5.1.2=1` is five steps of thread 0, one of thread 1, and one of thread 2 with
//! outcome 1.

use crate::runtime::operation::NONE;
use crate::search::replay::Schedule;

const START: &str = "mz1:";

/// Writes a schedule.
pub(crate) fn write(schedule: &Schedule) -> String {
    let mut parts: Vec<(u32, u32, usize)> = Vec::new();
    for &(thread, choice) in schedule {
        match parts.last_mut() {
            Some((last, NONE, count)) if choice == NONE && *last == thread => *count += 1,
            _ => parts.push((thread, choice, 1)),
        }
    }
    let texts: Vec<String> = parts
        .into_iter()
        .map(|(thread, choice, count)| match (choice, count) {
            (NONE, 1) => format!("{thread}"),
            (NONE, _) => format!("{thread}x{count}"),
            _ => format!("{thread}={choice}"),
        })
        .collect();
    format!("{START}{}", texts.join("."))
}

/// Reads a schedule; `None` if the text is none.
pub(crate) fn read(text: &str) -> Option<Schedule> {
    let rest = text.trim().strip_prefix(START)?;
    let mut schedule = Schedule::new();
    for part in rest.split('.').filter(|part| !part.is_empty()) {
        if let Some((thread, choice)) = part.split_once('=') {
            schedule.push((thread.parse().ok()?, choice.parse().ok()?));
            continue;
        }
        let (thread, count) = part.split_once('x').unwrap_or((part, "1"));
        let (thread, count): (u32, usize) = (thread.parse().ok()?, count.parse().ok()?);
        if count > 10_000_000 {
            return None;
        }
        schedule.extend(std::iter::repeat_n((thread, NONE), count));
    }
    Some(schedule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_back() {
        let schedule = vec![(0, NONE), (0, NONE), (1, NONE), (2, 1), (2, 0), (0, NONE)];
        let text = write(&schedule);
        assert_eq!(text, "mz1:0x2.1.2=1.2=0.0");
        assert_eq!(read(&text), Some(schedule));
        assert_eq!(read("mz1:a"), None);
        assert_eq!(read("0.1"), None);
        assert_eq!(read("mz1:0x99999999999"), None);
    }
}
