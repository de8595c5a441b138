// A process of a higher priority takes over between the steps of an atomic sequence, but not in a d_step.
// states: 14
// transitions: 14
// verdict: holds
byte x, y;
active proctype A() { atomic { x = 1; y++; x = 2 }; d_step { x = 3; y++; x = 4 }; y = 0 }
active proctype B() priority 4 { (x == 1); y = 10; (x == 3 || x == 4); y = x }
active proctype C() priority 2 { (x == 2); y = 20 }
