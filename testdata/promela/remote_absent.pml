// What a process that does not exist answers is 0.
// states: 21
// transitions: 22
// verdict: deadlock
byte y;
proctype P() { byte n = 5; here: n = 6 }
init { byte p; y = P[1]:n; assert(y == 0); assert(!P[1]@here); p = run P(); y = P[p]:n; P[p]:n == 6; (_nr_pr == 1); y = 2 }
