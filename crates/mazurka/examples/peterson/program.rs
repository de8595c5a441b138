//! The algorithm as a program. `inside` counts the processes in the critical section for the assertion.

/// The text, of the algorithm or of the variant that yields the turn first.
pub fn text(yields_first: bool) -> String {
    let (first, second) = match yields_first {
        false => ("flag[_pid] = 1", "turn = 1 - _pid"),
        true => ("turn = 1 - _pid", "flag[_pid] = 1"),
    };
    let enter = "inside = inside + 1; assert inside == 1";
    format!(
        "program peterson
         var flag: bit[2]
         var turn: bit
         var inside: byte
         process P() {{
           start away
           away -> announced do {first}
           announced -> looks_at_flag do {second}
           looks_at_flag -> critical when !flag[1 - _pid] do {enter}
           looks_at_flag -> looks_at_turn when flag[1 - _pid]
           looks_at_turn -> critical when turn == _pid do {enter}
           looks_at_turn -> looks_at_flag when turn != _pid
           critical -> away do flag[_pid] = 0; inside = inside - 1
         }}
         start P(), P()"
    )
}
