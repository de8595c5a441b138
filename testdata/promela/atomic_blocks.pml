// Where an atomic sequence blocks, others go on.
// states: 13
// transitions: 14
// verdict: holds
byte x, y;
active proctype P() { atomic { x = 1; y == 1; x = 2; x = 3 } }
active proctype Q() { x == 1; y = 1; x = 9 }
