// Braces and jumps into what follows them.
// states: 34
// transitions: 54
// verdict: holds
byte x;
active proctype P() { L: { x++; { x++ } }; if :: x < 6 -> goto L :: else fi; { skip } }
active proctype Q() { x++ }
