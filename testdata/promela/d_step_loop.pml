// A loop in a deterministic step.
// states: 10
// transitions: 13
// verdict: assertion
byte x, s;
active proctype P() { d_step { do :: x < 10 -> s = s + x; x++ :: else -> break od; x = 0 }; assert(s == 45) }
active proctype Q() { s == 45 -> s = 1 }
