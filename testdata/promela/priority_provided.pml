// A condition on the whole process counts before its priority.
// states: 19
// transitions: 25
// verdict: holds
byte x;
active proctype A() priority 5 provided (x != 1) { x++; x++; x++ }
active [2] proctype B() { x = x + 2; x = x + 3 }
