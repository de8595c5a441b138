// All operators.
// states: 3
// transitions: 3
// verdict: holds
int x = 5, y = 3;
active proctype P() { assert((x & y) == 1 && (x | y) == 7 && (x ^ y) == 6 && ~x == -6 && x >> 1 == 2 && -x + y == -2 && !(x < y) && x != y && x >= y) }
