// ?? waits for a message that matches, and leaves the others.
// states: 12
// transitions: 12
// verdict: holds
chan q = [3] of { byte }; byte x;
active proctype P() { q!1; q!2; q!3; x == 3 -> q!4 }
active proctype Q() { q??3; x = 3; q??4; assert(q?[1] && q??[2]) }
