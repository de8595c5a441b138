// A jump out of an atomic sequence ends it.
// states: 20
// transitions: 29
// verdict: holds
byte x;
active [2] proctype P() { again: atomic { x++; if :: x > 3 -> goto done :: else -> skip fi; x = x + 2 }; goto again; done: x = 0 }
