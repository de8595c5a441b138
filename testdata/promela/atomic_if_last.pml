// A choice at the end of an atomic sequence.
// states: 16
// transitions: 23
// verdict: holds
byte x;
active [2] proctype P() { atomic { x++; if :: x > 1 -> x = 7 :: else -> x++ fi }; x = 0 }
