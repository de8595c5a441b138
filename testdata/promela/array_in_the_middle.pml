// Of an array declared in the middle the first element is assigned.
// states: 86
// transitions: 133
// verdict: holds
byte x;
active proctype P() { byte k; do :: k < 2 -> byte b[2] = 3; x = b[0] + b[1]; b[1] = 8; byte c[2]; c[0]++; c[1]++; k++ :: else -> break od }
active proctype Q() { x = 100 }
