// Simple calls between N telephones: a caller lifts the handset, dials, hears the busy tone or
// rings; the call stands once the other answers, and ends when one of the two hangs up.
// Source: the plain old telephone service, as in M. Calder and A. Miller, Using SPIN for feature
// interaction analysis, 2001.
// states: 22240
// transitions: 103377
// verdict: holds
#ifndef N
#define N 4
#endif
#define NOBODY N

mtype = { idle, lifted, calling, ringing, busy, talking, released };

mtype phone[N] = idle;
byte partner[N] = NOBODY;

active [N] proctype User()
{
	byte other = NOBODY;

end:	do
	:: atomic { phone[_pid] == idle -> phone[_pid] = lifted };
	   if
	   :: phone[_pid] = idle; goto next
	   :: other = (_pid + 1) % N
	   :: other = (_pid + 2) % N
	   fi;
	   atomic {
		if
		:: phone[other] == idle ->
			phone[other] = ringing;
			partner[other] = _pid;
			partner[_pid] = other;
			phone[_pid] = calling
		:: else -> phone[_pid] = busy
		fi
	   };
	   if
	   :: atomic { phone[_pid] == busy -> other = NOBODY; phone[_pid] = idle; goto next }
	   :: atomic {
		phone[_pid] == calling ->
		phone[_pid] = idle;
		partner[_pid] = NOBODY;
		phone[other] = idle;
		partner[other] = NOBODY;
		other = NOBODY;
		goto next
	      }
	   :: phone[_pid] == talking
	   :: phone[_pid] == released
	   fi;
talk:	   if
	   :: atomic {
		phone[_pid] == talking ->
		assert(partner[_pid] == other && partner[other] == _pid);
		assert(phone[other] == talking);
		phone[other] = released;
		partner[other] = NOBODY;
		partner[_pid] = NOBODY;
		phone[_pid] = idle;
		other = NOBODY
	      }
	   :: atomic { phone[_pid] == released -> phone[_pid] = idle; other = NOBODY }
	   fi;
next:	   skip
	:: atomic {
		phone[_pid] == ringing ->
		other = partner[_pid];
		assert(phone[other] == calling);
		phone[_pid] = talking;
		phone[other] = talking
	   };
	   goto talk
	od
}
