// A structure in a message.
// states: 8
// transitions: 8
// verdict: holds
typedef T { byte a; byte b }; chan q = [1] of { T, bit };
active proctype P() { T t; t.a = 1; t.b = 2; q!t,1 }
active proctype Q() { T t; bit k; q?t,k; assert(t.a == 1 && t.b == 2 && k) }
