// An else of an inner choice counts only what stands before it.
// states: 7
// transitions: 7
// verdict: holds
byte x = 1;
active proctype P() { if :: if :: x == 0 -> x = 2 :: else -> x = 3 fi :: x == 1 -> x = 4 fi }
