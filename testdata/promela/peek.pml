// ?<> leaves the message.
// states: 12
// transitions: 14
// verdict: holds
chan q = [2] of { byte }; byte x;
active proctype P() { q!4; q!5 }
active proctype Q() { q?<x>; q?x; q??<5>; q?x; assert(x == 5) }
