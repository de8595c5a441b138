// Structures with arrays and structures in messages.
// states: 16
// transitions: 20
// verdict: holds
typedef I { byte v[2]; bit f }; typedef O { I i; short s }; chan q = [2] of { byte, O }; O o, p;
active proctype P() { o.i.v[1] = 3; o.i.f = 1; o.s = -4; q!1,o; o.s = 5; q!2,o }
active proctype Q() { byte k; q?k,p; assert(p.i.v[1] == 3 && p.i.f && p.s == -4); q?eval(k + 1),p }
