// Dining philosophers with forks that are variables; one of them takes the other fork first, so
// that there is no deadlock.
// Source: E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971.
// states: 3277
// transitions: 12199
// verdict: holds
#ifndef N
#define N 6
#endif

bool taken[N];
byte eating[N];

active [N] proctype Philosopher()
{
	byte left = _pid;
	byte right = (_pid + 1) % N;
	byte first = (left < right -> left : right);
	byte second = (left < right -> right : left);

	do
	:: atomic { !taken[first] -> taken[first] = true };
	   atomic { !taken[second] -> taken[second] = true };
	   eating[_pid] = 1;
	   assert(eating[(_pid + 1) % N] == 0 && eating[(_pid + N - 1) % N] == 0);
	   eating[_pid] = 0;
	   taken[second] = false;
	   taken[first] = false
	od
}
