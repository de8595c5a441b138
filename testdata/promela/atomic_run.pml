// Starting a process does not end an atomic sequence.
// states: 57
// transitions: 87
// verdict: holds
byte x;
proctype C(byte k) { x = x + k; assert(x >= 3) }
init { atomic { x = 1; run C(2); x = x * 2; run C(1); x = 3 }; x = 4 }
