// All wait inside atomic sequences.
// states: 4
// transitions: 5
// verdict: deadlock
byte x;
active [2] proctype P() { atomic { x++; x > 5; x = 0 } }
