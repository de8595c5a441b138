// else inside an atomic sequence, with a send.
// states: 558
// transitions: 1219
// verdict: holds
chan q = [1] of { byte }; byte x;
active [2] proctype P() { byte k; for (k : 0 .. 1) { atomic { if :: nfull(q) -> q!k :: else -> x++; assert(x < 4) fi } } }
active proctype Q() { q?x }
