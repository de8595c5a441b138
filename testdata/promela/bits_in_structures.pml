// A bit in an array of structures is a bit.
// states: 31
// transitions: 51
// verdict: holds
typedef Inner { bit a; bit b[2] }; typedef Outer { Inner i[2]; bool c }; Outer o[2];
active [2] proctype P() { o[_pid].i[1].a = 2 + _pid; o[1].i[_pid].b[0] = 7; o[0].c--; assert(o[0].i[1].a == 0) }
