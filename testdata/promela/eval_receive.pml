// eval asks for a value.
// states: 14
// transitions: 18
// verdict: holds
chan q = [3] of { byte }; byte k = 2;
active proctype P() { q!2; q!3; q!2 }
active proctype Q() { q?eval(k); q?eval(k + 1); k = 1; q?eval(k * 2) }
