// Atomic commitment in two phases: the coordinator collects the votes, or gives up waiting, and
// tells all what to do. Nobody commits where another aborts.
// Source: J. Gray, Notes on data base operating systems, 1978.
// states: 77975
// transitions: 249342
// verdict: holds
#ifndef N
#define N 3
#endif

mtype = { vote, yes, no, commit, abort, undecided };

chan to_participant[N] = [2] of { mtype };
chan to_coordinator = [N] of { mtype, byte };
mtype outcome[N] = undecided;

active [N] proctype Participant()
{
	to_participant[_pid]?vote;
	if
	:: to_coordinator!yes(_pid);
	   if
	   :: to_participant[_pid]?commit -> outcome[_pid] = commit
	   :: to_participant[_pid]?abort -> outcome[_pid] = abort
	   fi
	:: outcome[_pid] = abort;
	   to_coordinator!no(_pid);
	   to_participant[_pid]?abort
	fi;
	assert(outcome[_pid] != commit || outcome[(_pid + 1) % N] != abort);
	assert(outcome[_pid] != abort || outcome[(_pid + 1) % N] != commit)
}

active proctype Coordinator()
{
	byte i, votes;
	mtype decision = commit;

	do
	:: i < N -> to_participant[i]!vote; i++
	:: i == N -> break
	od;
	do
	:: to_coordinator?yes(_) -> votes++
	:: to_coordinator?no(_) -> decision = abort; break
	:: votes < N -> decision = abort; break
	:: votes == N -> break
	od;
	i = 0;
	do
	:: i < N -> to_participant[i]!decision; i++
	:: i == N -> break
	od
}
