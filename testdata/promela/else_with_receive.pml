// An else beside a receive.
// states: 19
// transitions: 29
// verdict: holds
chan q = [1] of { byte }; byte x;
active proctype P() { do :: q?x -> break :: else -> x = 1 - x od }
active proctype Q() { x == 1; q!7 }
