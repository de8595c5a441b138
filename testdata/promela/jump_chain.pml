// Jumps to jumps are one step.
// states: 24
// transitions: 34
// verdict: holds
byte x;
active proctype P() { x = 1; goto a; x = 2; a: goto b; x = 3; b: if :: x == 1 -> x = 4; goto c :: x == 4 -> goto d fi; c: goto b; d: x = 5 }
active proctype Q() { x = 4 }
