// ?? takes the first that matches.
// states: 13
// transitions: 17
// verdict: holds
chan q = [3] of { byte, byte }; byte x;
active proctype P() { q!1,7; q!2,8; q!1,9 }
active proctype Q() { q??2,x; q??1,x; assert(x == 7) }
