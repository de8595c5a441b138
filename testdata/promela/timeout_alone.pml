// A process that does nothing but wait for a timeout.
// states: 10
// transitions: 11
// verdict: holds
byte x;
active proctype P() { timeout; x = 1 }
active proctype Q() { x = 2; timeout }
