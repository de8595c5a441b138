// ??<> finds without taking.
// states: 19
// transitions: 26
// verdict: holds
chan q = [3] of { byte, byte }; byte x, y;
active proctype P() { q!1,5; q!2,6; q!2,7 }
active proctype Q() { q??<2,x>; q??2,y; assert(x == y); q??<eval(x - 5),y>; q?1,_; assert(len(q) <= 1) }
