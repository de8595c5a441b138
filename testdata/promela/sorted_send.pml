// !! keeps the order.
// states: 18
// transitions: 22
// verdict: holds
chan q = [4] of { byte, byte }; byte x, y;
active [2] proctype P() { q!!3 - _pid,_pid; q!!_pid,1 }
active proctype Q() { len(q) == 4; q?x,y; assert(x == 0); q?x,y; q?x,y; q?x,y }
