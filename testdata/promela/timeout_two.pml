// Two that wait for a timeout.
// states: 31
// transitions: 39
// verdict: holds
byte x;
active [2] proctype P() { timeout -> x++; x == 2 || timeout; x = 7 }
