// The first executable alternative is taken.
// states: 19
// transitions: 25
// verdict: holds
byte x;
active [2] proctype P() { d_step { if :: x == 0 -> x = 1 :: x <= 1 -> x = 2 :: else -> x = 3 fi; x = x + 4 }; x++ }
