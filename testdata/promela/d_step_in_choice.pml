// A deterministic step as an option.
// states: 14
// transitions: 14
// verdict: holds
byte x;
active proctype P() { do :: d_step { x < 3 -> x++; x++ } :: x > 1 -> break :: d_step { if :: x == 0 -> x = 9 :: x == 9 -> x = 1 fi } od }
