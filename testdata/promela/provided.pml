// A process runs only while its condition holds.
// states: 28
// transitions: 35
// verdict: holds
byte x; bit go = 1;
active proctype P() provided (go) { x = 1; x = 2; x = 3 }
active proctype Q() { go = 0; x = 9; go = 1 }
