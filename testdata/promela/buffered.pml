// A channel with two slots.
// states: 12
// transitions: 14
// verdict: holds
chan q = [2] of { byte, bit };
active proctype P() { q!1,0; q!2,1; q!3,1 }
active proctype Q() { byte k; bit b; do :: q?k,b :: k == 3 -> break od }
