// Cache coherence with the states modified, shared and invalid: a directory serves one request at
// a time and takes copies back from the caches. One writer excludes all others, and everybody
// reads what was written last.
// Source: the protocols surveyed by J. Archibald and J.-L. Baer, Cache coherence protocols, 1986,
// with the directory of L. M. Censier and P. Feautrier, 1978.
// states: 1920
// transitions: 4417
// verdict: holds
#ifndef N
#define N 2
#endif
#ifndef VALUES
#define VALUES 2
#endif

mtype = { invalid, shared, modified };
mtype = { read, write, data, take_back, returned };

chan to_home = [N] of { mtype, byte };
chan from_home[N] = [1] of { mtype, byte };
chan take[N] = [1] of { mtype };
chan back = [N] of { mtype, byte };
mtype state[N] = invalid;
byte latest;

active [N] proctype Cache()
{
	byte value;

end:	do
	:: state[_pid] == invalid ->
		if
		:: to_home!read(_pid)
		:: to_home!write(_pid)
		fi;
		from_home[_pid]?data(value);
		assert(value == latest)
	:: state[_pid] == modified ->
		d_step { value = (value + 1) % VALUES; latest = value }
	:: state[_pid] != invalid -> assert(value == latest)
	:: take[_pid]?take_back ->
		state[_pid] = invalid;
		back!returned(value);
		value = 0
	od
}

active proctype Home()
{
	byte memory, who, i;
	mtype what;

end:	do
	:: to_home?what(who);
	   i = 0;
	   do
	   :: i < N && i != who && (state[i] == modified || (state[i] == shared && what == write)) ->
		take[i]!take_back;
		back?returned(memory);
		i++
	   :: i < N && !(i != who && (state[i] == modified || (state[i] == shared && what == write))) -> i++
	   :: i == N -> break
	   od;
	   i = 0;
	   state[who] = (what == read -> shared : modified);
	   assert(state[who] != modified || (state[(who + 1) % N] == invalid && state[(who + N - 1) % N] == invalid));
	   from_home[who]!data(memory);
	   what = 0;
	   who = 0
	od
}
