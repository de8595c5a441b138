// The first mutual exclusion for any number of processes.
// Source: E. W. Dijkstra, Solution of a problem in concurrent programming control, 1965.
// states: 23392
// transitions: 70177
// verdict: holds
#ifndef N
#define N 3
#endif

bool wants[N];
bool inside[N];
byte chosen;
byte critical;

active [N] proctype Process()
{
	byte j;

start:	wants[_pid] = true;
again:	if
	:: chosen != _pid ->
		inside[_pid] = false;
		if
		:: !wants[chosen] -> chosen = _pid
		:: else
		fi;
		goto again
	:: else ->
		inside[_pid] = true;
		j = 0;
		do
		:: j < N && (j == _pid || !inside[j]) -> j++
		:: j < N && j != _pid && inside[j] -> j = 0; goto again
		:: j == N -> break
		od
	fi;
	j = 0;
	critical++;
	assert(critical == 1);
	critical--;
	inside[_pid] = false;
	wants[_pid] = false;
	goto start
}
