// Mutual exclusion by time, which is discrete here: a process that saw the lock free writes its
// number within WRITE ticks, and looks again at least WAIT ticks after that. Holds if WAIT > WRITE.
// Where a deadline has come, the clock runs idle.
// Source: M. Fischer, 1985, in L. Lamport, A fast mutual exclusion algorithm, 1987.
// states: 6044
// transitions: 20165
// verdict: holds
#ifndef N
#define N 4
#endif
#ifndef WRITE
#define WRITE 2
#endif
#ifndef WAIT
#define WAIT 3
#endif
#define NOBODY N

byte lock = NOBODY;
byte deadline[N];
bool urgent[N];
byte delay[N];
byte critical;

active [N] proctype Process()
{
	do
	:: atomic { lock == NOBODY -> urgent[_pid] = true; deadline[_pid] = WRITE };
	   atomic { lock = _pid; urgent[_pid] = false; deadline[_pid] = 0; delay[_pid] = WAIT };
	   delay[_pid] == 0;
	   if
	   :: lock == _pid ->
		critical++;
		assert(critical == 1);
		critical--;
		lock = NOBODY
	   :: lock != _pid
	   fi
	od
}

active proctype Clock()
{
	byte i;

	do
	:: d_step {
		i = 0;
		do
		:: i < N && (!urgent[i] || deadline[i] > 0) -> i++
		:: else -> break
		od;
		if
		:: i == N ->
			i = 0;
			do
			:: i < N ->
				deadline[i] = (deadline[i] > 0 -> deadline[i] - 1 : 0);
				delay[i] = (delay[i] > 0 -> delay[i] - 1 : 0);
				i++
			:: else -> break
			od
		:: else
		fi;
		i = 0
	   }
	od
}
