// A process looks at the variables of others.
// states: 66
// transitions: 97
// verdict: deadlock
byte total;
active [2] proctype P() { byte n; bit b[3]; n = 1; b[1] = 1; n = 3; n = 2 }
active proctype Q() { P[0]:n == 3 && P[1]:n == 3; total = P[0]:n + P[1]:n; assert(P[0]:b[1] == 1); P:n == 2; total = total + 1 }
