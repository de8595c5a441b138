// Producers and consumers at a bounded buffer in shared memory, with a mutex and two semaphores.
// Source: E. W. Dijkstra, Cooperating sequential processes, 1965.
// states: 136192
// transitions: 443527
// verdict: holds
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

byte free = SLOTS;
byte used;
bool busy;
byte buffer[SLOTS];
byte head, tail;
byte produced, consumed;

active [PRODUCERS] proctype Producer()
{
	byte made;

	do
	:: made < ITEMS ->
		atomic { free > 0 -> free-- };
		atomic { !busy -> busy = true };
		assert(buffer[tail] == 0);
		buffer[tail] = _pid + 1;
		tail = (tail + 1) % SLOTS;
		produced++;
		busy = false;
		used++;
		made++
	:: made == ITEMS -> break
	od
}

active [CONSUMERS] proctype Consumer()
{
	byte item;

end:	do
	:: atomic { used > 0 -> used-- };
	   atomic { !busy -> busy = true };
	   item = buffer[head];
	   assert(item != 0);
	   buffer[head] = 0;
	   head = (head + 1) % SLOTS;
	   consumed++;
	   assert(consumed <= produced && produced <= consumed + SLOTS);
	   busy = false;
	   free++;
	   item = 0
	od
}
