// A gear controller: the interface asks for a gear; the controller sets the engine to zero torque
// (or opens the clutch where that fails), releases the old gear, lets the engine find the speed,
// sets the new gear, and restores the torque.
// Source: M. Lindahl, P. Pettersson and W. Yi, Formal design and analysis of a gear controller,
// 1998; without its times.
// states: 16682
// transitions: 38648
// verdict: holds
#ifndef GEARS
#define GEARS 5
#endif
#define REVERSE (GEARS + 1)

mtype = { new_gear, gear_set, request_zero, torque_zero, no_torque, request_speed, speed_set, request_torque,
	  open_clutch, clutch_open, close_clutch, clutch_closed, set_gear, release_gear, gear_neutral };

chan to_control = [0] of { mtype, byte };
chan to_interface = [0] of { mtype };
chan to_engine = [0] of { mtype };
chan from_engine = [0] of { mtype };
chan to_clutch = [0] of { mtype };
chan from_clutch = [0] of { mtype };
chan to_box = [0] of { mtype, byte };
chan from_box = [0] of { mtype };
byte gear;
bool torque = true;
bool clutched = true;
bool speed;
byte lever;

// The driver moves the lever at any time.
active proctype Driver()
{
	do
	:: lever < GEARS -> lever++
	:: lever > 0 && lever < REVERSE -> lever--
	:: lever == 0 -> lever = REVERSE
	:: lever == REVERSE -> lever = 0
	od
}

active proctype Interface()
{
	byte wanted;

	do
	:: atomic { lever != gear -> wanted = lever };
	   to_control!new_gear(wanted);
	   to_interface?gear_set;
	   assert(gear == wanted && clutched && torque)
	od
}

active proctype Control()
{
	byte target;

	do
	:: to_control?new_gear(target);
	   if
	   :: gear != 0 ->
		to_engine!request_zero;
		if
		:: from_engine?torque_zero
		:: from_engine?no_torque ->
			to_clutch!open_clutch;
			from_clutch?clutch_open
		fi;
		to_box!release_gear(0);
		from_box?gear_neutral
	   :: else
	   fi;
	   if
	   :: target != 0 ->
		to_engine!request_speed;
		if
		:: from_engine?speed_set
		:: from_engine?no_torque ->
			if
			:: clutched -> to_clutch!open_clutch; from_clutch?clutch_open
			:: else
			fi
		fi;
		to_box!set_gear(target);
		from_box?gear_set
	   :: else
	   fi;
	   if
	   :: !clutched -> to_clutch!close_clutch; from_clutch?clutch_closed
	   :: else
	   fi;
	   to_engine!request_torque;
	   from_engine?speed_set;
	   target = 0;
	   to_interface!gear_set
	od
}

active proctype Engine()
{
	do
	:: to_engine?request_zero ->
		if
		:: torque = false; from_engine!torque_zero
		:: from_engine!no_torque
		fi
	:: to_engine?request_speed ->
		torque = false;
		if
		:: speed = true; from_engine!speed_set
		:: from_engine!no_torque
		fi
	:: to_engine?request_torque ->
		speed = false;
		torque = true;
		from_engine!speed_set
	od
}

active proctype Clutch()
{
	do
	:: to_clutch?open_clutch -> clutched = false; from_clutch!clutch_open
	:: to_clutch?close_clutch -> clutched = true; from_clutch!clutch_closed
	od
}

active proctype GearBox()
{
	byte target;

	do
	:: to_box?release_gear(_) ->
		assert(!torque || !clutched);
		gear = 0;
		from_box!gear_neutral
	:: to_box?set_gear(target) ->
		assert(gear == 0);
		assert(speed || !clutched);
		gear = target;
		target = 0;
		from_box!gear_set
	od
}
