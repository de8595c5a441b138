//! The protocol as a program. The counters repeat what the locations of the managers tell, so that the
//! assertions can see it; they add no states.

/// The text for this many resource managers.
pub fn text(managers: u32) -> String {
    let all_heard: Vec<String> = (0..managers).map(|manager| format!("heard[{manager}]")).collect();
    let receive: String = (0..managers)
        .map(|manager| format!("deciding -> deciding when prepared[{manager}] do heard[{manager}] = 1\n"))
        .collect();
    let processes: String = (0..managers).map(|manager| format!(", Manager({manager})")).collect();
    let commit = "when commit do committed = committed + 1; assert !aborted";
    let abort = "do aborted = aborted + 1; assert !committed";
    format!(
        "program two_phase_commit
         var prepared: bit[{managers}]
         var heard: bit[{managers}]
         var commit: bit
         var abort: bit
         var committed: byte
         var aborted: byte
         process Coordinator() {{
           start deciding
           end location decided
           deciding -> decided when {} do commit = 1
           deciding -> decided do abort = 1
           {receive}
         }}
         process Manager(me: byte) {{
           start working
           working -> ready do prepared[me] = 1
           working -> out {abort}
           working -> done {commit}
           working -> out when abort {abort}
           ready -> done {commit}
           ready -> out when abort {abort}
           done -> done when commit
           out -> out when abort
         }}
         start Coordinator(){processes}",
        all_heard.join(", ")
    )
}
