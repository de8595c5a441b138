// Channels in deterministic steps.
// states: 14
// transitions: 14
// verdict: deadlock
chan q = [2] of { byte }; byte x;
active proctype P() { d_step { q!1; x = len(q); q!x + 1 }; d_step { q?x; q?x; x++ } }
active proctype Q() { len(q) == 2 -> x = 7; empty(q) }
