// Atomic in atomic.
// states: 13
// transitions: 19
// verdict: holds
byte x;
active [2] proctype P() { atomic { x++; atomic { x++; x = x - 1 }; x = x - 1 }; x = 0 }
