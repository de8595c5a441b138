// Several end labels, on a loop, an option and a statement.
// states: 15
// transitions: 22
// verdict: holds
chan q = [0] of { byte }; byte x;
active proctype P() { end_loop: do :: q?x -> if :: x == 1 -> endhere: q?x :: else fi od }
active proctype Q() { q!1; end: x > 5 }
active proctype R() { if :: q!2 :: skip fi }
