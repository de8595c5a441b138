// Dining philosophers with forks that are channels of one slot. All take the left fork first:
// they can all wait for the right one.
// Source: E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971; as processes that
// communicate: C. A. R. Hoare, Communicating sequential processes, 1978.
// states: 2701
// transitions: 11527
// verdict: deadlock
#ifndef N
#define N 6
#endif

chan fork[N] = [1] of { bit };

active [N] proctype Philosopher()
{
	chan left = fork[_pid];
	chan right = fork[(_pid + 1) % N];

	left!0;
	do
	:: left?0;
	   right?0;
	   left!0;
	   right!0
	od
}
