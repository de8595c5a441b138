// Election by filters: of m processes that enter a filter at least one and at most half of them
// pass, so that after LEVELS filters one is left. Those that lose wait for ever or end.
// Source: M. Choy and A. K. Singh, Adaptive solutions to the mutual exclusion problem, 1994.
// states: 188223
// transitions: 562866
// verdict: holds
#ifndef N
#define N 4
#endif
#ifndef LEVELS
#define LEVELS 2
#endif

byte turn[LEVELS];
bool barrier[LEVELS];
byte leaders;

active [N] proctype Process()
{
	byte l;

	do
	:: l < LEVELS ->
		turn[l] = _pid;
end:		!barrier[l];
		barrier[l] = true;
		if
		:: turn[l] == _pid -> l++
		:: turn[l] != _pid -> barrier[l] = false; goto lost
		fi
	:: l == LEVELS -> break
	od;
	leaders++;
	assert(leaders == 1);
lost:	skip
}
