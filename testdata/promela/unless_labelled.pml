// So do labelled braces.
// states: 25
// transitions: 34
// verdict: holds
byte x;
active proctype P() { if :: x < 2 -> x++; goto here :: else fi; here: { { x = 2; x = 3 } unless { x < 3 -> x++ } } unless { x == 1 -> x = 7 } }
active proctype Q() { x++ }
