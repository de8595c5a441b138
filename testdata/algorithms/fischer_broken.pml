// Fischer's algorithm with a wait that is too short.
// Source: a known mistake with M. Fischer, 1985, in L. Lamport, A fast mutual exclusion algorithm,
// 1987.
// states: 2956
// transitions: 10154
// verdict: assertion
#ifndef N
#define N 3
#endif
#ifndef WRITE
#define WRITE 2
#endif
#ifndef WAIT
#define WAIT 2
#endif
#include "fischer.pml"
