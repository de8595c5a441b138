// The collision avoidance protocol with a master that does not wait for the answer before it asks
// the next station.
// Source: a mistake made on purpose in the protocol of H. E. Jensen, K. G. Larsen and A. Skou, 1996.
// states: 29904
// transitions: 127785
// verdict: assertion
#ifndef N
#define N 2
#endif

mtype = { enquiry };

chan asked[N] = [0] of { mtype };
chan from_user[N] = [1] of { bit };
chan to_user[N] = [1] of { bit };
byte sending;

active [N] proctype Station()
{
	byte receiver = (_pid + 1) % N;
	bit item;

end:	do
	:: asked[_pid]?enquiry ->
		if
		:: from_user[_pid]?item ->
			sending++;
			assert(sending == 1);
			if
			:: nfull(to_user[receiver]) -> to_user[receiver]!item
			:: full(to_user[receiver])
			fi;
			sending--;
			item = 0
		:: empty(from_user[_pid])
		fi
	od
}

active proctype Master()
{
	byte station;

end:	do
	:: asked[station]!enquiry;
	   station = (station + 1) % N
	od
}

active [N] proctype User()
{
	byte station = _pid - N - 1;
	bit item;

end:	do
	:: from_user[station]!1
	:: to_user[station]?item -> assert(item == 1); item = 0
	od
}
