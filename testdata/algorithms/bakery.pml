// The bakery: the process with the smallest ticket goes first. Each process enters ROUNDS times,
// which bounds the tickets.
// Source: L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974.
// states: 107852
// transitions: 205134
// verdict: holds
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif

bool choosing[N];
byte ticket[N];
byte critical;

active [N] proctype Customer()
{
	byte round, j, greatest;

	do
	:: round < ROUNDS ->
		choosing[_pid] = true;
		greatest = 0;
		j = 0;
		do
		:: j < N -> greatest = (ticket[j] > greatest -> ticket[j] : greatest); j++
		:: j == N -> break
		od;
		ticket[_pid] = greatest + 1;
		greatest = 0;
		choosing[_pid] = false;
		j = 0;
		do
		:: j < N ->
			!choosing[j];
			ticket[j] == 0 || ticket[j] > ticket[_pid] || (ticket[j] == ticket[_pid] && j >= _pid);
			j++
		:: j == N -> break
		od;
		j = 0;
		critical++;
		assert(critical == 1);
		critical--;
		ticket[_pid] = 0;
		round++
	:: round == ROUNDS -> break
	od
}
