// A queue lock in an array: each process spins on its own slot and opens the next one when it
// leaves.
// Source: T. E. Anderson, The performance of spin lock alternatives for shared-memory
// multiprocessors, 1990.
// states: 14334
// transitions: 46390
// verdict: holds
#ifndef N
#define N 4
#endif

bool open[N];
byte next;
byte critical;

proctype Process()
{
	byte mine;

	do
	:: atomic { mine = next; next = (next + 1) % N };
	   open[mine];
	   open[mine] = false;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   open[(mine + 1) % N] = true
	od
}

init
{
	byte i;

	atomic {
		open[0] = true;
		do
		:: i < N -> run Process(); i++
		:: i == N -> break
		od
	}
}
