// Peterson's algorithm with the two assignments of a level swapped: a process may pass a level
// that another has not yet announced.
// Source: a known mistake with G. L. Peterson, Myths about the mutual exclusion problem, 1981.
// states: 240197
// transitions: 695953
// verdict: assertion
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
		last[l] = _pid;
		level[_pid] = l;
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
