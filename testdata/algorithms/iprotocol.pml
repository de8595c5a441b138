// A sliding window protocol over lines that lose messages: the receiver acknowledges what it has
// in order and asks for what it misses, the sender sends again what it is asked for or what stays
// without an answer. Numbers are modulo 2 * WINDOW. What is delivered is what was sent, in order.
// Source: the protocol i of I. L. Taylor's UUCP, early 1990s; the window after N. V. Stenning, A data
// transfer protocol, 1976.
// states: 71520
// transitions: 159013
// verdict: holds
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#define NUMBERS (2 * WINDOW)
#define PAYLOADS 3

mtype = { data, ack, nak };

chan line = [SLOTS] of { mtype, byte, byte };
chan back = [SLOTS] of { mtype, byte };

active proctype Sender()
{
	byte oldest, used, number, again;
	byte payload;

end:	do
	:: used < WINDOW && nfull(line) ->
		line!data((oldest + used) % NUMBERS, (payload + used) % PAYLOADS);
		used++
	:: used > 0 && nfull(line) -> line!data(oldest, payload)
	:: back?ack(number) ->
		do
		:: used > 0 && (number + NUMBERS - oldest) % NUMBERS < used ->
			oldest = (oldest + 1) % NUMBERS;
			payload = (payload + 1) % PAYLOADS;
			used--
		:: else -> break
		od;
		number = 0
	:: back?nak(number) ->
		again = (number + NUMBERS - oldest) % NUMBERS;
		if
		:: again < used && nfull(line) -> line!data(number, (payload + again) % PAYLOADS)
		:: else
		fi;
		again = 0;
		number = 0
	:: back?_(_)
	od
}

active proctype Receiver()
{
	byte expected, number, payload, wanted;
	bool asked;

end:	do
	:: line?data(number, payload) ->
		if
		:: number == expected ->
			assert(payload == wanted);
			wanted = (wanted + 1) % PAYLOADS;
			expected = (expected + 1) % NUMBERS;
			asked = false;
			back!ack(number)
		:: number != expected && !asked && (number + NUMBERS - expected) % NUMBERS < WINDOW ->
			asked = true;
			back!nak(expected)
		:: else -> back!ack((expected + NUMBERS - 1) % NUMBERS)
		fi;
		number = 0;
		payload = 0
	:: line?_(_, _)
	od
}
