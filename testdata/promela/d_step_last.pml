// A deterministic step at the end of a process, and at the end of an option.
// states: 18
// transitions: 21
// verdict: holds
byte x;
active proctype P() { if :: d_step { x == 0 -> x = 1; x++ } :: d_step { x > 0; x = 9; x++ } fi; d_step { skip; x++ } }
active proctype Q() { x = 4 }
