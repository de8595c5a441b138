// Mutual exclusion by time that is fast where nobody competes: the last to write x after y was
// seen free enters at once, the others wait until all who saw y free have written it. Time is
// discrete: each step that matters takes at most STEP ticks. Where a deadline has come, the clock
// runs idle.
// Source: R. Alur and G. Taubenfeld, Results about fast mutual exclusion, 1992.
// states: 12259
// transitions: 39179
// verdict: holds
#ifndef N
#define N 3
#endif
#ifndef STEP
#define STEP 1
#endif
#ifndef WAIT
#define WAIT 3
#endif
#define NOBODY N
#define NEVER 255

byte x = NOBODY;
byte y = NOBODY;
bool z;
byte deadline[N] = NEVER;
byte delay[N];
byte critical;

active [N] proctype Process()
{
start:	x = _pid;
	atomic { y == NOBODY -> deadline[_pid] = STEP };
	atomic { y = _pid; deadline[_pid] = STEP };
	if
	:: atomic { x != _pid -> deadline[_pid] = NEVER; delay[_pid] = WAIT };
	   delay[_pid] == 0;
	   if
	   :: y != _pid -> goto start
	   :: y == _pid -> !z
	   fi
	:: atomic { x == _pid -> deadline[_pid] = STEP };
	   atomic { z = true; deadline[_pid] = NEVER }
	fi;
	critical++;
	assert(critical == 1);
	critical--;
	z = false;
	if
	:: atomic { y == _pid -> deadline[_pid] = STEP };
	   atomic { y = NOBODY; deadline[_pid] = NEVER }
	:: y != _pid
	fi;
	goto start
}

active proctype Clock()
{
	byte i;

	do
	:: d_step {
		i = 0;
		do
		:: i < N && deadline[i] > 0 -> i++
		:: else -> break
		od;
		if
		:: i == N ->
			i = 0;
			do
			:: i < N ->
				deadline[i] = (deadline[i] == NEVER -> NEVER : deadline[i] - 1);
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
