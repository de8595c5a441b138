// An elevator with a cabin, a door and N passengers, who call it to where they are and send it to
// where they want to be. The door is never open while the cabin moves.
// Source: the usual exercise; after D. E. Knuth, The Art of Computer Programming 1, section 2.2.5,
// 1968.
// states: 32304
// transitions: 73773
// verdict: holds
#ifndef N
#define N 2
#endif
#ifndef FLOORS
#define FLOORS 3
#endif
#define NOWHERE FLOORS

mtype = { open_it, opened, close_it, closed };

chan to_door = [0] of { mtype };
chan from_door = [0] of { mtype };
bool requested[FLOORS];
byte floor;
byte open_at = NOWHERE;
bool moving;

active [N] proctype Passenger()
{
	byte at = _pid % FLOORS;

end:	do
	:: requested[at] = true;
	   open_at == at;
	   if
	   :: at = (at + 1) % FLOORS
	   :: at = (at + 2) % FLOORS
	   fi;
	   requested[at] = true;
	   open_at == at
	od
}

active proctype Door()
{
end:	do
	:: to_door?open_it ->
		open_at = floor;
		assert(!moving);
		from_door!opened
	:: to_door?close_it ->
		open_at = NOWHERE;
		from_door!closed
	od
}

active proctype Cabin()
{
	bool up = true;
	byte next;

end:	do
	:: requested[floor] ->
		to_door!open_it;
		from_door?opened;
		requested[floor] = false;
		to_door!close_it;
		from_door?closed
	:: !requested[floor] ->
		next = floor;
		do
		:: up && next < FLOORS - 1 ->
			next++;
			if
			:: requested[next] -> break
			:: else
			fi
		:: up && next == FLOORS - 1 -> up = false; next = floor; break
		:: !up && next > 0 ->
			next--;
			if
			:: requested[next] -> break
			:: else
			fi
		:: !up && next == 0 -> up = true; next = floor; break
		od;
		if
		:: next == floor
		:: else ->
			moving = true;
			assert(open_at == NOWHERE);
			do
			:: floor < next -> floor++
			:: floor > next -> floor--
			:: floor == next -> break
			od;
			moving = false
		fi;
		next = 0
	od
}
