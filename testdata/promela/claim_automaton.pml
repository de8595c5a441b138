// A never claim, a formula and a trace are carried along.
// states: 11
// transitions: 14
// verdict: holds
byte x;
chan q = [1] of { byte, byte };
active proctype P() { x = 1; here: q!1, 2; progress: x = 2 }
active proctype Q() { q?_, x; end: skip }
ltl reached { []<> (P@here || x == 2) && (x < 3 U x == 3) }
