// Conditional text, nested macros, redefinition, continued lines.
// states: 5
// transitions: 5
// verdict: holds
#define A 2
#if A > 1 && !defined(B)
#define STEP(v, k) \
  v = v + \
  k
#elif defined(A)
#define STEP(v, k) v = k
#else
wrong
#endif
#ifndef B
#define B STEP(x, A)
#endif
#define B2 (A + 3)
byte x;
active proctype P() { B; STEP(x, B2); assert(x == 7) }
#undef A
