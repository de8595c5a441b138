// Bits in longer messages are cut.
// states: 11
// transitions: 13
// verdict: holds
chan q = [2] of { bit, bool, byte }; byte x, y, z;
active proctype P() { q!5,2,300; q!-1,1,-1 }
active proctype Q() { q?x,y,z; assert(x == 1 && y == 0 && z == 44); q?1,y,z; assert(z == 255) }
