// An else is taken if nothing else can be.
// states: 8
// transitions: 8
// verdict: holds
byte x;
active proctype P() { do :: x == 0 -> x = 1 :: x == 1 -> x = 2 :: else -> break od; if :: x > 5 -> x = 9 :: else fi }
