// A deterministic step waits at its beginning.
// states: 8
// transitions: 8
// verdict: deadlock
byte x;
active proctype P() { d_step { x == 1 -> x = 2; x = 3 } }
active proctype Q() { x = 1; x = 5 }
