// Atomic sequences on both sides of an unless.
// states: 23
// transitions: 29
// verdict: holds
byte x, y;
active proctype P() { atomic { x = 1; y > 0; x = 2; x = 3 } unless atomic { y > 1 -> x = 7; x++ }; y = 0 }
active proctype Q() { y++; y++ }
