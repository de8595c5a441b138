// An escape from an atomic sequence.
// states: 21
// transitions: 29
// verdict: holds
byte x, y;
active proctype P() { atomic { x = 1; x = 2; y == 3; x = 3 } unless { y == 1 -> x = 9 } }
active proctype Q() { y = 1; y = 3 }
