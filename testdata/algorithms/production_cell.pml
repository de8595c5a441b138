// A production cell: blanks go from the feed belt by the table and the first arm of the robot into
// the press, then by its second arm onto the deposit belt, from which the crane takes them back to
// the feed belt. The robot must not turn an arm out where the press is closed.
// Source: C. Lewerentz and T. Lindner, Case study production cell, 1995.
// states: 41115
// transitions: 155040
// verdict: holds
#ifndef BLANKS
#define BLANKS 4
#endif

mtype = { low, high, loading, pressing, unloading };

chan feed = [BLANKS] of { bit };
chan to_table = [0] of { bit };
chan from_table = [0] of { bit };
chan into_press = [0] of { bit };
chan out_of_press = [0] of { bit };
chan to_deposit = [0] of { bit };
chan deposit = [BLANKS] of { bit };
mtype table = low;
mtype press = loading;
bool arm_out;

active proctype FeedBelt()
{
	bit blank;

end:	do
	:: feed?blank;
	   to_table!blank
	od
}

active proctype Table()
{
	bit blank;

end:	do
	:: to_table?blank;
	   table = high;
	   from_table!blank;
	   table = low
	od
}

active proctype Robot()
{
	bit blank, forged;
	bool first, second;

end:	do
	:: !first && table == high -> from_table?blank; first = true
	:: first && press == loading ->
		arm_out = true;
		assert(press == loading);
		into_press!blank;
		blank = 0;
		arm_out = false;
		press != loading;
		first = false
	:: !second && press == unloading ->
		arm_out = true;
		assert(press == unloading);
		out_of_press?forged;
		arm_out = false;
		press != unloading;
		second = true
	:: second -> to_deposit!forged; forged = 0; second = false
	od
}

active proctype Press()
{
	bit blank;

end:	do
	:: into_press?blank;
	   !arm_out;
	   press = pressing;
	   assert(!arm_out);
	   blank = 1;
	   press = unloading;
	   out_of_press!blank;
	   blank = 0;
	   !arm_out;
	   press = loading
	od
}

active proctype DepositBelt()
{
	bit blank;

end:	do
	:: to_deposit?blank;
	   assert(blank == 1);
	   deposit!blank;
	   blank = 0
	od
}

active proctype Crane()
{
	byte added;
	bit blank;

end:	do
	:: added < BLANKS -> feed!0; added++
	:: deposit?blank; blank = 0; feed!0
	od
}
