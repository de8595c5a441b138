// Steps that touch nothing shared are seen through the labels they leave and reach.
// states: 230
// transitions: 499
// verdict: assertion
byte bad;
active proctype P() { byte n; n = 1; one: n = 2; two: n = 3; three: n = 4 }
active proctype Q() { byte m; m = 1; uno: m = 2; due: m = 3; tre: m = 4 }
active proctype R() { if :: P@two && Q@uno -> bad = 1 :: P@one && Q@tre -> bad = 2 :: P[0]:n == 3 && Q[1]:m == 1 -> bad = 3 :: skip fi; assert(bad != 2) }
