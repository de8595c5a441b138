// Assertions that fail inside atomic sequences and deterministic steps.
// states: 15
// transitions: 19
// verdict: assertion
byte x;
active proctype P() { atomic { x++; assert(x == 1); x++ }; d_step { x++; assert(x > 3); x = 0 } }
active proctype Q() { x = 5 }
