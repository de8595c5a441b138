// timeout if nothing else can move.
// states: 1305
// transitions: 1311
// verdict: holds
chan q = [1] of { byte }; byte x;
active proctype P() { do :: q!1; if :: q?2 :: timeout -> x++ fi :: x == 2 -> break :: q?1 -> skip od }
active proctype Q() { do :: q?1 -> skip :: x > 1 -> break od }
