// A loop inside an atomic sequence.
// states: 13
// transitions: 19
// verdict: holds
byte x;
active [2] proctype P() { byte k; atomic { do :: k < 4 -> k++; x++ :: else -> break od; x = x - 4 }; assert(x == 0) }
