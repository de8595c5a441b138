//! The table as a program: one process a philosopher, one bit a fork.

/// The text for this many philosophers.
pub fn text(philosophers: u32) -> String {
    let processes: Vec<String> =
        (0..philosophers).map(|left| format!("Philosopher({left}, {})", (left + 1) % philosophers)).collect();
    format!(
        "program philosophers
         var fork: bit[{philosophers}]
         process Philosopher(left: byte, right: byte) {{
           start thinks
           thinks -> has_left when !fork[left] do fork[left] = 1
           has_left -> eats when !fork[right] do fork[right] = 1
           eats -> has_right do fork[left] = 0
           has_right -> thinks do fork[right] = 0
         }}
         start {}",
        processes.join(", ")
    )
}
