// timeout as the way out of a loop.
// states: 16
// transitions: 18
// verdict: holds
chan q = [1] of { byte }; byte x;
active proctype P() { byte k; do :: k < 2 -> q!k; k++ :: timeout -> break od; x = 10 }
active proctype Q() { q?x; x == 10 -> q?x }
