// A second declaration goes on counting.
// states: 7
// transitions: 7
// verdict: holds
mtype = { a, b }; mtype = { c, d }; mtype m[2]; byte x;
active proctype P() { m[0] = a; m[1] = d; x = m[0] * 10 + m[1]; assert(c > a && d > a); x = b * 10 + c }
