// Arguments are cut to their types.
// states: 8
// transitions: 8
// verdict: holds
byte x; short y;
proctype P(byte a; bit b; short c; int d; bool e) { x = a + b; y = c + e; d = d + 1; assert(a == 44 && b == 1 && c == -1 && d == 0 && e == 0) }
init { run P(300, 3, 65535, -1, 2) }
