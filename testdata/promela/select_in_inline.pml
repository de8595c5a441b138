// select in an inline is a loop.
// states: 42
// transitions: 59
// verdict: holds
byte x;
inline choose(v) { select(v : 1 .. 3) }
active proctype P() { choose(x) }
active proctype Q() { x = 9 }
