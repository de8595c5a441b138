// Election in a ring of one direction: a process passes on numbers greater than its own and drops
// the others; who receives its own number is the leader. Any of the processes may start.
// One that is asked by a smaller number starts too.
// Source: E. Chang and R. Roberts, An improved algorithm for decentralized extrema-finding in
// circular configurations of processes, 1979.
// states: 5754
// transitions: 17330
// verdict: holds
#ifndef N
#define N 4
#endif

mtype = { candidate, elected };

chan ring[N] = [N] of { mtype, byte };
byte leaders;

active [N] proctype Process()
{
	byte number = (3 * _pid) % N + 1;
	byte other;
	bool started;
	chan in = ring[_pid];
	chan out = ring[(_pid + 1) % N];

	do
	:: !started -> started = true; out!candidate(number)
	:: in?candidate(other) ->
		if
		:: other > number -> started = true; out!candidate(other)
		:: other < number && started
		:: other < number && !started -> started = true; out!candidate(number)
		:: other == number ->
			leaders++;
			assert(leaders == 1);
			out!elected(number);
			do
			:: in?candidate(_)
			:: in?elected(_) -> goto over
			od
		fi;
		other = 0
	:: in?elected(other) -> out!elected(other); break
	od;
over:	skip
}
