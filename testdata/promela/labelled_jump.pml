// A label that matters before a jump becomes a step.
// states: 5
// transitions: 5
// verdict: holds
byte x;
active proctype P() { x = 1; progress: goto there; x = 2; there: x = 3 }
