// Election in a ring of one direction, with O(N log N) messages: in each phase a process stays
// active if its left neighbour's number is greater than its own and than that one's left
// neighbour's, and takes this number over.
// Source: D. Dolev, M. Klawe and M. Rodeh, An O(n log n) unidirectional distributed algorithm for
// extrema finding in a circle, 1982.
// states: 14271
// transitions: 53418
// verdict: holds
#ifndef N
#define N 5
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

mtype = { first, second, elected };

chan ring[N] = [SLOTS] of { mtype, byte };
byte leaders;

active [N] proctype Process()
{
	byte number = (3 * _pid) % N + 1;
	byte left, further;
	chan in = ring[_pid];
	chan out = ring[(_pid + 1) % N];

active_phase:
	out!first(number);
	in?first(left);
	if
	:: left == number ->
		leaders++;
		assert(leaders == 1 && number == N);
		out!elected(number);
		in?elected(further);
		goto over
	:: else
	fi;
	out!second(left);
	in?second(further);
	if
	:: left > number && left > further -> number = left; left = 0; further = 0; goto active_phase
	:: else -> left = 0; further = 0
	fi;
relay:	do
	:: in?first(left) -> out!first(left)
	:: in?second(left) -> out!second(left)
	:: in?elected(further) -> break
	od;
	out!elected(further);
over:	assert(further == N)
}
