// A hidden variable that nobody reads is no part of the state.
// states: 248
// transitions: 518
// verdict: deadlock
hidden byte seen, count[3];
byte x;
chan q = [2] of { byte };
active proctype P() { do :: x < 3 -> x++; seen = x; count[1] = x; seen++; q!x :: x == 3 -> break od; x = 0 }
active proctype Q() { do :: q?seen :: q?[seen] -> q?x od }
