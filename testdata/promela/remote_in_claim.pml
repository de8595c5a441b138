// A claim is left out.
// states: 4
// transitions: 4
// verdict: holds
byte x;
active proctype P() { x = 1; here: x = 2 }
ltl p { <> (x == 2) }
