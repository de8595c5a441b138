// The bounded retransmission protocol: a file of CHUNKS chunks goes over lines that lose messages,
// each chunk is sent at most 1 + RETRIES times, and both sides are told how it ended. The timer of
// the sender is a message from the line that has lost something.
// Source: J. F. Groote and J. van de Pol, A bounded retransmission protocol for large data packets,
// 1996; after L. Helmink, M. P. A. Sellink and F. W. Vaandrager, 1994.
// states: 2952
// transitions: 5145
// verdict: holds
#ifndef CHUNKS
#define CHUNKS 4
#endif
#ifndef RETRIES
#define RETRIES 4
#endif

mtype = { acknowledgement, lost, ok, not_ok, do_not_know, nothing, restart };

chan to_line = [1] of { bit, bit, bit };
chan from_line = [1] of { bit, bit, bit };
chan to_back = [1] of { mtype };
chan from_back = [1] of { mtype };
chan ended = [0] of { mtype };
chan ready = [0] of { mtype };
byte delivered;
mtype told_sender = nothing;
mtype told_receiver = nothing;

active proctype Sender()
{
	byte chunk, tries;
	bit alternate;

end:	do
	:: told_sender = nothing;
	   told_receiver = nothing;
	   delivered = 0;
	   chunk = 1;
	   do
	   :: chunk <= CHUNKS ->
		tries = 0;
resend:		to_line!(chunk == 1), (chunk == CHUNKS), alternate;
		if
		:: from_back?acknowledgement -> alternate = 1 - alternate; chunk++
		:: from_back?lost ->
			if
			:: tries < RETRIES -> tries++; goto resend
			:: tries == RETRIES && chunk == CHUNKS -> told_sender = do_not_know; break
			:: tries == RETRIES && chunk < CHUNKS -> told_sender = not_ok; break
			fi
		fi
	   :: chunk > CHUNKS -> told_sender = ok; break
	   od;
	   ended!restart;
	   ready?restart;
	   assert(told_sender != ok || (told_receiver == ok && delivered == CHUNKS));
	   assert(told_sender != not_ok || (told_receiver != ok && delivered < CHUNKS));
	   assert(told_receiver != ok || delivered == CHUNKS);
	   tries = 0;
	   alternate = 0
	od
}

active proctype Line()
{
	bit is_first, is_last, alternate;

end:	do
	:: to_line?is_first, is_last, alternate ->
		if
		:: from_line!is_first, is_last, alternate
		:: from_back!lost
		fi;
		is_first = 0;
		is_last = 0;
		alternate = 0
	od
}

active proctype Back()
{
end:	do
	:: to_back?acknowledgement ->
		if
		:: from_back!acknowledgement
		:: from_back!lost
		fi
	od
}

active proctype Receiver()
{
	bit is_first, is_last, alternate, expected;

end:	do
	:: from_line?is_first, is_last, alternate ->
		if
		:: alternate == expected ->
			expected = 1 - expected;
			delivered++;
			assert(is_first == (delivered == 1));
			if
			:: is_last -> told_receiver = ok
			:: else
			fi
		:: else
		fi;
		is_first = 0;
		is_last = 0;
		alternate = 0;
		to_back!acknowledgement
	:: ended?restart ->
		if
		:: told_receiver != ok && delivered > 0 -> told_receiver = not_ok
		:: else
		fi;
		expected = 0;
		ready!restart
	od
}
