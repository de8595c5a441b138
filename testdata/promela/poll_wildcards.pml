// A variable in a poll matches anything and keeps its value.
// states: 13
// transitions: 15
// verdict: holds
chan q = [2] of { byte, byte }; byte x = 9;
active proctype P() { q!1,2; q!3,4 }
active proctype Q() { q?[x,2] -> assert(x == 9); q??[3,_] -> x = 1; (q?[eval(x),x] && len(q) == 2) -> q?x,_ }
