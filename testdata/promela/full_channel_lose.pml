// A producer that is too fast: what doesn't fit is lost.
// full-channel: lose
// states: 75
// transitions: 114
// verdict: deadlock
chan q = [2] of { byte };
active proctype P() { byte i; do :: i < 4 -> q!i; i++ :: else -> break od }
active proctype Q() { byte k; do :: q?k :: k == 3 -> break od }
