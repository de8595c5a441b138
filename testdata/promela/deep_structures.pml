// Three levels of structures and arrays.
// states: 77
// transitions: 111
// verdict: holds
typedef A { byte x; unsigned y : 3 }; typedef B { A a[2]; short s }; typedef C { B b[2]; bit f }; C c[2]; bit i;
active [2] proctype P() { c[_pid].b[i].a[1].x = 3 + _pid; c[0].b[1].a[_pid].y = 9; c[_pid].f++; c[1].b[i].s = c[1].b[i].a[1].x - 10; i = 1 }
