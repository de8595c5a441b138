// Only the guard of a deterministic step can be escaped from.
// states: 31
// transitions: 39
// verdict: holds
byte x, y;
active proctype P() { { d_step { x == 1 -> y = 2; x = 3 }; x = 4 } unless { y > 0 -> x = 8 } }
active proctype Q() { x = 1; y = y + 5; x = 1 }
