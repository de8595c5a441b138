// Unsigned variables of several widths, both ways around.
// states: 39
// transitions: 59
// verdict: assertion
unsigned a : 1, b : 5 = 31, c : 12;
active proctype P() { b++; assert(b == 0); b--; assert(b == 31); c = 4097; assert(c == 1); c = c - 2; assert(c == 4095); a = 6; assert(a == 0) }
active proctype Q() { a = a + 3 }
