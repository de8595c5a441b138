// for over a range and over an array.
// states: 229
// transitions: 338
// verdict: assertion
byte a[3]; byte s;
active proctype P() { byte i; for (i : 1 .. 3) { s = s + i } for (i in a) { a[i] = s } assert(a[2] == 6) }
active proctype Q() { s = 0 }
