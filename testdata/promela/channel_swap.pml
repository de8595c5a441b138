// Channel variables are exchanged while others use them.
// states: 22
// transitions: 26
// verdict: assertion
chan a = [1] of { byte }; chan b = [1] of { byte }; chan v[2]; byte x;
active proctype P() { d_step { v[0] = a; v[1] = b }; v[0]!1; chan h; h = v[0]; v[0] = v[1]; v[1] = h; v[0]!2; v[1]?x; assert(x == 1) }
active proctype Q() { b?x }
