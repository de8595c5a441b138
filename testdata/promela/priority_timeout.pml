// Whether nothing else can move does not depend on priorities.
// states: 11
// transitions: 11
// verdict: holds
byte x;
active proctype A() priority 5 { timeout; x = 1; timeout -> x = 3 }
active proctype B() { x == 1; x = 2; x == 3; x = 4 }
