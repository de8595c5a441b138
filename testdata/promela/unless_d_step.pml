// An escape that begins with a deterministic step of several alternatives.
// states: 42
// transitions: 61
// verdict: holds
byte x, y;
active proctype P() { { y = 1; y = 2; y = 3 } unless { d_step { if :: x == 1 -> x = 5 :: x < 3 && x > 0 -> x = 6 :: x == 3 -> x = 7 fi; y = 9 } }; y++ }
active proctype Q() { x = 1; x = 2; x = 3 }
