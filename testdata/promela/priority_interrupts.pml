// Each tick of a clock wakes three handlers, which have a higher priority than the clock and a task: these go on when all
// handlers are done. The handlers work side by side, and don't concern each other.
// states: 7225
// transitions: 18941
// verdict: holds
bool woken[3];
byte handled;

active [3] proctype Handler() priority 5
{
	byte work;

end:	do
	:: woken[_pid] ->
		work = 1;
		do
		:: work > 0 -> work--
		:: else -> break
		od;
		handled++;
		woken[_pid] = false
	od
}

active proctype Clock()
{
	byte ticks;

	do
	:: ticks < 2 ->
		d_step { handled = 0; woken[0] = true; woken[1] = true; woken[2] = true };
		assert(handled == 3);
		ticks++
	:: else -> break
	od
}

active proctype Task()
{
	byte spent;

	do
	:: spent < 2 -> spent++
	:: else -> break
	od
}
