// A jump from one atomic sequence to another.
// states: 20
// transitions: 27
// verdict: holds
byte x;
active proctype P() { atomic { x = 1; goto there }; x = 8; atomic { x = 2; there: x = 3; x = 4 }; x = 5 }
active proctype Q() { x = 10; x = 11 }
