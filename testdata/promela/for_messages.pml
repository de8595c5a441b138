// for over the messages of a channel.
// states: 86
// transitions: 131
// verdict: assertion
typedef T { byte a; bit b }; chan q = [3] of { T }; byte s;
active proctype P() { T t; t.a = 1; q!t; t.a = 2; t.b = 1; q!t; for (t in q) { s = s + t.a }; assert(s == 3 || s == 0) }
active proctype Q() { s = 0 }
