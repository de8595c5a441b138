// A windowed receiver protocol in the manner of Datakit's URP: three processes, six channels of
// five slots. The host hands blocks to the sender and takes them from the receiver; the lines
// between these two lose messages. The receiver echoes the number of each block that is in order
// and rejects the first that is not; the sender that hears nothing enquires, is told what arrived,
// and sends the rest again. A session starts with an initialisation that is acknowledged. The host
// gets what it sent, in order.
// Source: public descriptions of the Universal Receiver Protocol: A. G. Fraser and W. T. Marshall,
// Data transport in a byte stream network, 1989.
// states: 215952
// transitions: 677702
// verdict: holds
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef NUMBERS
#define NUMBERS 3
#endif
#ifndef PAYLOADS
#define PAYLOADS 3
#endif
#ifndef ROOM
#define ROOM 1
#endif
#define SLOTS 5
#define NEXT ((first + used) % NUMBERS)

mtype = { start, started, data, taken, freed };
mtype = { initialise, block, enquire };
mtype = { initialised, echo, reject, ack };

chan host_to_sender = [SLOTS] of { mtype, byte };
chan sender_to_host = [SLOTS] of { mtype };
chan line = [SLOTS] of { mtype, byte, byte };
chan replies = [SLOTS] of { mtype, byte };
chan receiver_to_host = [SLOTS] of { mtype, byte };
chan host_to_receiver = [SLOTS] of { mtype };

active proctype Host()
{
	byte next, wanted, got;

	host_to_sender!start(0);
	sender_to_host?started;
	host_to_sender!data(next);
end:	do
	:: sender_to_host?taken ->
		next = (next + 1) % PAYLOADS;
		host_to_sender!data(next)
	:: receiver_to_host?data(got) ->
		d_step { assert(got == wanted); got = 0; wanted = (wanted + 1) % PAYLOADS };
		host_to_receiver!freed
	od
}

// What was confirmed leaves the window.
inline slide()
{
	d_step {
		do
		:: used > 0 && first != (number + 1) % NUMBERS ->
			sent[first] = 0;
			first = (first + 1) % NUMBERS;
			used--
		:: else -> break
		od;
		number = 0
	}
}

active proctype Sender()
{
	byte first, used, number, i;
	byte sent[NUMBERS];

	host_to_sender?start(_);
	do
	:: empty(line) && empty(replies) -> line!initialise(0, 0)
	:: replies?initialised(_) -> break
	od;
	sender_to_host!started;
end:	do
	:: atomic { used < WINDOW && nempty(host_to_sender) -> host_to_sender?data(sent[NEXT]) };
	   atomic { line!block(NEXT, sent[NEXT]); used++ };
	   sender_to_host!taken
	:: replies?echo(number) ->
		slide()
	:: replies?reject(number) -> goto again
	:: replies?ack(number) ->
again:		slide();
		do
		:: i < used -> line!block((first + i) % NUMBERS, sent[(first + i) % NUMBERS]); i++
		:: else -> break
		od;
		i = 0
	:: replies?_(_)
	:: used > 0 && empty(line) && empty(replies) -> line!enquire(0, 0)
	od
}

active proctype Receiver()
{
	byte expected, number, payload;
	byte room = ROOM;
	bool rejected;

end:	do
	:: host_to_receiver?freed -> room++
	:: line?initialise(_, _) -> replies!initialised(0)
	:: line?block(number, payload) ->
		if
		:: number == expected && room > 0 ->
			receiver_to_host!data(payload);
			d_step { room--; expected = (expected + 1) % NUMBERS; rejected = false };
			replies!echo(number)
		:: number == expected && room == 0
		:: number != expected && !rejected ->
			rejected = true;
			replies!reject((expected + NUMBERS - 1) % NUMBERS)
		:: number != expected && rejected
		fi;
		d_step { number = 0; payload = 0 }
	:: line?enquire(_, _) ->
		rejected = false;
		replies!ack((expected + NUMBERS - 1) % NUMBERS)
	:: line?_(_, _)
	od
}
