// Runs inside a value that is assigned.
// states: 266
// transitions: 543
// verdict: holds
byte x, y;
proctype P(byte n) { x = x + n }
init { byte a, b; a = run P(1) + 1; b = 10 * run P(2) + run P(x); y = -run P(0); assert(a == 2) }
