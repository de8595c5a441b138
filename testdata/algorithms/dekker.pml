// A tournament of Dekker's algorithm for two: each process wins a lock at a leaf and then the one
// at the root.
// Source: T. J. Dekker, 1962, in E. W. Dijkstra, Cooperating sequential processes, 1965.
// states: 10384
// transitions: 29377
// verdict: holds
#ifndef N
#define N 3
#endif
#define ROOT 0
#define LEAF (1 + _pid / 2)

bool wants[6];
bit turn[3];
byte critical;

inline acquire(lock, side)
{
	wants[2 * (lock) + (side)] = true;
	do
	:: !wants[2 * (lock) + 1 - (side)] -> break
	:: else ->
		if
		:: turn[lock] == side
		:: else ->
			wants[2 * (lock) + (side)] = false;
			turn[lock] == side;
			wants[2 * (lock) + (side)] = true
		fi
	od
}

inline release(lock, side)
{
	turn[lock] = 1 - (side);
	wants[2 * (lock) + (side)] = false
}

active [N] proctype Process()
{
	do
	:: acquire(LEAF, (_pid % 2));
	   acquire(ROOT, (_pid / 2));
	   critical++;
	   assert(critical == 1);
	   critical--;
	   release(ROOT, (_pid / 2));
	   release(LEAF, (_pid % 2))
	od
}
