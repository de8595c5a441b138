// Authentication by public keys, with an intruder who reads, stores, replays and makes messages.
// Alice talks to Bob or to the intruder; Bob answers whoever asks. Bob names himself in the second
// message, which is Lowe's repair.
// Source: R. M. Needham and M. D. Schroeder, Using encryption for authentication in large networks
// of computers, 1978; G. Lowe, Breaking and fixing the Needham-Schroeder public-key protocol using
// FDR, 1996.
// states: 65770
// transitions: 158614
// verdict: holds
#ifndef LOWE
#define LOWE 1
#endif

mtype = { nobody, alice, bob, intruder, nonce_a, nonce_b, nonce_i };
mtype = { ask, answer, confirm };

// kind of message, whose key, nonce, nonce or name, name
chan network = [0] of { mtype, mtype, mtype, mtype, mtype };
mtype partner_a = nobody;
mtype partner_b = nobody;
bool done_a, done_b;
bool knows_a, knows_b;

active proctype Alice()
{
	mtype nonce, name;

	if
	:: partner_a = bob
	:: partner_a = intruder
	fi;
	network!ask(partner_a, nonce_a, alice, nobody);
end:	network?answer(eval(alice), eval(nonce_a), nonce, name);
#if LOWE
	if
	:: name == partner_a
	:: name != partner_a -> goto refused
	fi;
#endif
	done_a = true;
	network!confirm(partner_a, nonce, nobody, nobody);
refused: skip
}

active proctype Bob()
{
	mtype nonce, name;

end:	network?ask(eval(bob), nonce, name, _);
	partner_b = name;
	network!answer(name, nonce, nonce_b, bob);
end_2:	network?confirm(eval(bob), eval(nonce_b), _, _);
	done_b = true;
	assert(partner_b != alice || partner_a == bob);
	assert(partner_b != alice || !knows_b)
}

active proctype Intruder()
{
	mtype kind, key, first, second, name;
	mtype stored_kind, stored_key, stored_first, stored_second, stored_name;

end:	do
	:: network?kind(key, first, second, name) ->
		if
		:: key == intruder ->
			d_step {
				if
				:: first == nonce_a || second == nonce_a -> knows_a = true
				:: else
				fi;
				if
				:: first == nonce_b || second == nonce_b -> knows_b = true
				:: else
				fi
			}
		:: key != intruder ->
			if
			:: d_step {
				stored_kind = kind;
				stored_key = key;
				stored_first = first;
				stored_second = second;
				stored_name = name
			   }
			:: skip
			fi
		fi;
		d_step { kind = 0; key = 0; first = 0; second = 0; name = 0 }
	:: stored_kind != 0 ->
		if
		:: network!stored_kind(stored_key, stored_first, stored_second, stored_name)
		:: skip
		fi
	:: if
	   :: key = alice
	   :: key = bob
	   fi;
	   if
	   :: knows_a -> first = nonce_a
	   :: knows_b -> first = nonce_b
	   :: first = nonce_i
	   fi;
	   if
	   :: kind = ask;
		if
		:: second = alice
		:: second = intruder
		fi
	   :: kind = answer;
		if
		:: knows_a -> second = nonce_a
		:: knows_b -> second = nonce_b
		:: second = nonce_i
		fi;
		if
		:: name = bob
		:: name = intruder
		fi
	   :: kind = confirm
	   fi;
	   if
	   :: network!kind(key, first, second, name)
	   :: skip
	   fi;
	   d_step { kind = 0; key = 0; first = 0; second = 0; name = 0 }
	od
}
