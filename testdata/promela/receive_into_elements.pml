// A field goes into an element or a field of a structure.
// states: 39
// transitions: 56
// verdict: assertion
typedef T { byte v[2] }; T t; byte a[3]; bit i = 1; chan q = [2] of { byte, byte };
active proctype P() { q!5,6; q!7,8 }
active proctype Q() { q?a[i],t.v[i]; q?a[i + 1],t.v[1 - i]; assert(a[1] == 5 && t.v[0] == 8) }
active proctype R() { i = 0 }
