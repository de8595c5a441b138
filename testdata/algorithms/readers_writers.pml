// Readers and writers, readers first.
// Source: P. J. Courtois, F. Heymans and D. L. Parnas, Concurrent control with "readers" and
// "writers", 1971.
// states: 3769
// transitions: 11207
// verdict: holds
#ifndef READERS
#define READERS 4
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

bool mutex, resource;
byte counted;
byte reading, writing;

inline P(semaphore) { atomic { !semaphore -> semaphore = true } }
inline V(semaphore) { semaphore = false }

active [READERS] proctype Reader()
{
	do
	:: P(mutex);
	   counted++;
	   if
	   :: counted == 1 -> P(resource)
	   :: else
	   fi;
	   V(mutex);
	   reading++;
	   assert(writing == 0);
	   reading--;
	   P(mutex);
	   counted--;
	   if
	   :: counted == 0 -> V(resource)
	   :: else
	   fi;
	   V(mutex)
	od
}

active [WRITERS] proctype Writer()
{
	do
	:: P(resource);
	   writing++;
	   assert(writing == 1 && reading == 0);
	   writing--;
	   V(resource)
	od
}
