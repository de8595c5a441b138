// A queue lock in a linked list: each process spins on its own flag, which its predecessor clears.
// Source: J. M. Mellor-Crummey and M. L. Scott, Algorithms for scalable synchronization on
// shared-memory multiprocessors, 1991.
// states: 6392
// transitions: 17605
// verdict: holds
#ifndef N
#define N 3
#endif
#define NIL N

byte tail = NIL;
byte next[N] = NIL;
bool locked[N];
byte critical;

active [N] proctype Process()
{
	byte other = NIL;
	bool swapped;

	do
	:: next[_pid] = NIL;
	   atomic { other = tail; tail = _pid };
	   if
	   :: other == NIL
	   :: else ->
		locked[_pid] = true;
		next[other] = _pid;
		!locked[_pid]
	   fi;
	   other = NIL;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   if
	   :: next[_pid] != NIL
	   :: next[_pid] == NIL ->
		atomic { swapped = (tail == _pid); tail = (swapped -> NIL : tail) };
		if
		:: swapped -> swapped = false; goto released
		:: else -> next[_pid] != NIL
		fi
	   fi;
	   locked[next[_pid]] = false;
released:  skip
	od
}
