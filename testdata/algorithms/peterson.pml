// Mutual exclusion of N processes by N - 1 levels, each of which holds one process back.
// Source: G. L. Peterson, Myths about the mutual exclusion problem, 1981.
// states: 16584
// transitions: 44771
// verdict: holds
#ifndef N
#define N 3
#endif

byte level[N];
byte last[N];
byte critical;

active [N] proctype Process()
{
	byte l, k;

	do
	:: l = 1;
	   do
	   :: l < N ->
		level[_pid] = l;
		last[l] = _pid;
		k = 0;
		do
		:: k < N && (k == _pid || level[k] < l || last[l] != _pid) -> k++
		:: k == N -> break
		od;
		k = 0;
		l++
	   :: l == N -> break
	   od;
	   l = 0;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   level[_pid] = 0
	od
}
