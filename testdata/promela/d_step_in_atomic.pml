// A deterministic step inside an atomic sequence.
// states: 16
// transitions: 23
// verdict: holds
byte x;
active [2] proctype P() { atomic { x++; d_step { x++; x = x + 2 }; x = 0 }; x = 7 }
