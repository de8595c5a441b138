// Sorted by the first field, then by the next.
// states: 13
// transitions: 13
// verdict: holds
chan q = [4] of { byte, short }; byte x; short y;
active proctype P() { q!!2,-1; q!!1,5; q!!2,-3; q!!1,4 }
active proctype Q() { len(q) == 4; q?1,4; q?x,y; assert(x == 1 && y == 5); q?x,y; assert(y == -3) }
