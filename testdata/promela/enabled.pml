// Whether another process can move.
// states: 39
// transitions: 50
// verdict: deadlock
byte x, y;
active proctype P() { x == 1; x = 2; x == 3; y = 1 }
active proctype Q() { !enabled(0); x = 1; enabled(0); x = 3; do :: enabled(0) -> y++ ; break :: y == 1 -> break od; assert(!enabled(7)) }
