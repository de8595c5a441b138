// select with numbers, and with expressions.
// states: 3844
// transitions: 3847
// verdict: assertion
byte x, y = 2;
active proctype P() { select(x : 1 .. 3); select(y : y .. y + 2); assert(y >= 2) }
