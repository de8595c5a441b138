// A condition that fails in the middle of an atomic sequence.
// states: 23
// transitions: 30
// verdict: holds
byte x; bit go = 1;
active proctype P() provided (go) { atomic { x = 1; go = 0; x = 2; x = 3 }; x = 4 }
active proctype Q() { x == 1 -> go = 1; x = 7; go = 1 }
