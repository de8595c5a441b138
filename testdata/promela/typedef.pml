// Structures.
// states: 66
// transitions: 99
// verdict: holds
typedef T { byte a; bit b[2]; short c = 4 }; T t; T u[2];
active [2] proctype P() { t.a = _pid; t.b[_pid] = 1; u[_pid].c = u[1 - _pid].c + 1; u[_pid].b[1] = 1 }
