// Mutual exclusion that takes a constant number of steps where nobody competes.
// Source: L. Lamport, A fast mutual exclusion algorithm, 1987.
// states: 26072
// transitions: 69616
// verdict: holds
#ifndef N
#define N 3
#endif
#define NOBODY N

bool busy[N];
byte x = NOBODY;
byte y = NOBODY;
byte critical;

active [N] proctype Process()
{
	byte j;

start:	busy[_pid] = true;
	x = _pid;
	if
	:: y != NOBODY ->
		busy[_pid] = false;
		y == NOBODY;
		goto start
	:: else
	fi;
	y = _pid;
	if
	:: x != _pid ->
		busy[_pid] = false;
		do
		:: j < N && !busy[j] -> j++
		:: j == N -> break
		od;
		j = 0;
		if
		:: y != _pid -> y == NOBODY; goto start
		:: else
		fi
	:: else
	fi;
	critical++;
	assert(critical == 1);
	critical--;
	y = NOBODY;
	busy[_pid] = false;
	goto start
}
