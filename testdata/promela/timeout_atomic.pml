// timeout inside an atomic sequence.
// states: 5
// transitions: 5
// verdict: deadlock
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2; x = 3 } }
active proctype Q() { x == 1 -> x = 4; x == 2 -> x = 5 }
