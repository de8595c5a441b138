// A deterministic step.
// states: 13
// transitions: 19
// verdict: holds
byte x, y;
active [2] proctype P() { d_step { x++; y = x; x = x - 1 }; assert(x == 0) }
