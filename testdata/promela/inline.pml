// Inlines.
// states: 194
// transitions: 288
// verdict: holds
byte x;
inline add(v, n) { byte t; t = v; v = t + n }
active [2] proctype P() { add(x, 2); add(x, 1) }
