// Mutual exclusion with a waiting room: those who are inside it when its door closes go first, in
// the order of their numbers. Flags: 0 outside, 1 wants to enter, 2 waits for others to come in,
// 3 in the doorway, 4 the door is closed behind it.
// Source: B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with
// linear wait, 1988.
// states: 23937
// transitions: 66971
// verdict: holds
#ifndef N
#define N 3
#endif

byte flag[N];
byte critical;

active [N] proctype Process()
{
	byte j;

	do
	:: flag[_pid] = 1;
	   do
	   :: j < N && flag[j] < 3 -> j++
	   :: j == N -> break
	   od;
	   j = 0;
	   flag[_pid] = 3;
	   do
	   :: j < N && flag[j] != 1 -> j++
	   :: j < N && flag[j] == 1 ->
		flag[_pid] = 2;
		j = 0;
		do
		:: flag[j] == 4 -> break
		:: flag[j] != 4 -> j = (j + 1) % N
		od;
		break
	   :: j == N -> break
	   od;
	   j = 0;
	   flag[_pid] = 4;
	   do
	   :: j < _pid && flag[j] < 2 -> j++
	   :: j == _pid -> break
	   od;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   do
	   :: j < N && (j == _pid || flag[j] < 2 || flag[j] > 3) -> j++
	   :: j == N -> break
	   od;
	   j = 0;
	   flag[_pid] = 0
	od
}
