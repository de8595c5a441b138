// Choices in choices in deterministic steps.
// states: 24
// transitions: 36
// verdict: holds
byte x, y;
active [2] proctype P() { d_step { if :: x < 2 -> if :: y == 0 -> y = 1 :: else -> y = 2 fi; x++ :: x == 1 -> x = 7 :: else -> do :: x > 0 -> x-- :: else -> break od fi; y++ } }
active proctype Q() { y = 5 }
