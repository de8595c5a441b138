// One waits for a timeout, the other asks for one among other things.
// states: 9
// transitions: 9
// verdict: deadlock
byte x, y;
active proctype B() { (y == 7 || timeout); y = x + 1; false }
active proctype A() { timeout; x = 1; false }
