// An atomic sequence is not interrupted.
// states: 13
// transitions: 19
// verdict: holds
byte x;
active [2] proctype P() { atomic { x++; x++; x = x - 2 }; assert(x == 0) }
