//! Numbers as people read them: counts in groups of three, sizes and times with units.

use std::time::Duration;

/// A count with separators: `100,001`.
///
/// ```
/// assert_eq!(mazurka_report::number::count(100_001), "100,001");
/// ```
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun: `1 step`, `2 steps`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A size in binary units: `1.5 MB`.
///
/// ```
/// assert_eq!(mazurka_report::number::bytes(1536 * 1024), "1.5 MB");
/// ```
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A time: `4 ms`, `0.42 s`, `3 min 20 s`, `2 h 5 min`.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 if duration < Duration::from_millis(1) => "under 1 ms".to_owned(),
        0 if duration < Duration::from_millis(100) => format!("{} ms", duration.as_millis()),
        0..60 => format!("{:.2} s", duration.as_secs_f64()),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// How many a second; 0 if no time has passed.
pub fn rate(number: u64, duration: Duration) -> f64 {
    let seconds = duration.as_secs_f64();
    if seconds > 0.0 { number as f64 / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_from_the_right() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(12_345_678), "12,345,678");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(1_000, "step"), "1,000 steps");
    }

    #[test]
    fn sizes_and_times_have_fitting_units() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 kB");
        assert_eq!(bytes(u64::MAX), "16384.0 PB");
        assert_eq!(time(Duration::from_micros(420)), "under 1 ms");
        assert_eq!(time(Duration::from_millis(42)), "42 ms");
        assert_eq!(time(Duration::from_millis(420)), "0.42 s");
        assert_eq!(time(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(time(Duration::from_secs(7500)), "2 h 5 min");
        assert_eq!(rate(5, Duration::ZERO), 0.0);
    }
}
