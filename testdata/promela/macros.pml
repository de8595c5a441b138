// Macros.
// states: 15
// transitions: 26
// verdict: holds
#define LIMIT 3
#define next(v) v = (v + 1) % LIMIT
byte x;
active [2] proctype P() { do :: next(x) :: x == LIMIT - 1 -> break od }
