// Jumps inside a deterministic step.
// states: 13
// transitions: 19
// verdict: holds
byte x, n;
active [2] proctype P() { d_step { n = 0; again: x = (x + 3) % 7; n++; if :: n < 3 -> goto again :: else fi; n = 0 }; x++ }
