// A watchdog refuels the first worker whenever that one can't move. It asks about that worker only, so the others are
// left alone.
// states: 11702
// transitions: 41838
// verdict: holds
byte fuel = 1;
byte spare = 2;
bool done;

active proctype Worker()
{
	byte trips;

	do
	:: trips < 3 ->
		atomic { fuel > 0; fuel-- };
		trips++
	:: else -> break
	od;
	done = true
}

active proctype Watchdog()
{
	do
	:: !enabled(0) && spare > 0 ->
		spare--;
		fuel++
	:: done -> break
	od;
	assert(fuel + spare == 0)
}

active [3] proctype Other()
{
	byte rounds;

	do
	:: rounds < 3 -> rounds++
	:: else -> break
	od
}
