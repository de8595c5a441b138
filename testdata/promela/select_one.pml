// select with one value, and in a loop.
// states: 19
// transitions: 21
// verdict: holds
byte x, y;
active proctype P() { select(x : 2 .. 2); do :: x > 0 -> select(y : 0 .. 1); x = x - 1 :: else -> break od; assert(y < 2) }
