// The bakery without the flag that tells that a process is choosing its ticket.
// Source: a known mistake with L. Lamport, A new solution of Dijkstra's concurrent programming
// problem, 1974.
// states: 109097
// transitions: 212594
// verdict: assertion
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif

byte ticket[N];
byte critical;

active [N] proctype Customer()
{
	byte round, j, greatest;

	do
	:: round < ROUNDS ->
		greatest = 0;
		j = 0;
		do
		:: j < N -> greatest = (ticket[j] > greatest -> ticket[j] : greatest); j++
		:: j == N -> break
		od;
		ticket[_pid] = greatest + 1;
		greatest = 0;
		j = 0;
		do
		:: j < N ->
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
