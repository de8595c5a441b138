// Two instances interleave.
// states: 157
// transitions: 289
// verdict: holds
byte x;
active [2] proctype P() { byte k; do :: k < 3 -> x++; k++ :: else -> break od; assert(x >= 3) }
