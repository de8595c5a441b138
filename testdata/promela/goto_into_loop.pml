// Jumps into a loop, into an option, and to the end.
// states: 19
// transitions: 22
// verdict: holds
byte x;
active proctype P() { if :: goto in :: goto deep :: x = 1 fi; do :: x < 3 -> in: x++ :: x >= 2 -> if :: x == 3 -> deep: x = 5 :: else -> goto done fi :: x > 4 -> break od; done: skip }
