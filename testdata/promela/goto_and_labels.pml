// Jumps are no steps.
// states: 17
// transitions: 17
// verdict: holds
byte x;
active proctype P() { again: x++; if :: x < 4 -> goto again :: x >= 2 -> goto done fi; x = 99; done: skip }
