// A process waits until another stands at a label, by number and without.
// states: 92
// transitions: 148
// verdict: assertion, deadlock
byte x;
active proctype P() { x = 1; here: x = 2; there: x = 3; P_end: skip }
active proctype Q() { P@here; assert(x == 1); x = 7 }
active proctype R() { (P[0]@there && x >= 1) -> x = 9 }
