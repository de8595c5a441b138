// The Needham-Schroeder protocol as it was published: the intruder, asked by Alice, convinces Bob
// that he is Alice.
// Source: R. M. Needham and M. D. Schroeder, 1978; the attack: G. Lowe, An attack on the
// Needham-Schroeder public-key authentication protocol, 1995.
// states: 69122
// transitions: 159543
// verdict: assertion
#define LOWE 0
#include "needham.pml"
