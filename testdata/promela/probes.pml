// full, empty, nfull, nempty, len.
// states: 34
// transitions: 50
// verdict: deadlock
chan q = [2] of { byte }; byte x;
active proctype P() { do :: nfull(q) -> q!1 :: full(q) -> break od; empty(q) -> x = len(q) }
active proctype Q() { do :: nempty(q) -> q?_ :: x == 0 && empty(q) -> break od }
