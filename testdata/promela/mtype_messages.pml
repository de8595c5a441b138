// Symbols in messages and as patterns.
// states: 16
// transitions: 20
// verdict: holds
mtype = { ask, tell, stop }; chan q = [2] of { mtype, byte }; byte x;
active proctype P() { q!ask(1); q!tell(2); q!stop,0 }
active proctype Q() { mtype m; do :: q?ask(x) -> skip :: q?tell,x :: q?[stop,0] -> q?m,_; assert(m == stop); break od }
