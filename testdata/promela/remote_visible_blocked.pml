// A deadlock that exists only if another process passes a label while its local steps are left out.
// states: 19
// transitions: 25
// verdict: deadlock
active proctype P() { byte n; n = 1; here: n = 2; n = 3 }
active proctype Q() { byte m; m = 1; m = 2; if :: P@here -> (m == 9) :: P[0]:n == 3 -> skip fi }
