// Collision avoidance on a shared medium: a master asks the stations one after another whether
// they have something to send; only the one that was asked uses the medium. Each station has a
// user who hands it messages.
// Source: H. E. Jensen, K. G. Larsen and A. Skou, Modelling and analysis of a collision avoidance
// protocol using SPIN and UPPAAL, 1996.
// states: 35400
// transitions: 141301
// verdict: holds
#ifndef N
#define N 3
#endif

mtype = { enquiry, nothing, message };

chan asked[N] = [0] of { mtype };
chan answer = [0] of { mtype, byte };
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
			item = 0;
			answer!message(_pid)
		:: empty(from_user[_pid]) -> answer!nothing(_pid)
		fi
	od
}

active proctype Master()
{
	byte station;

end:	do
	:: asked[station]!enquiry;
	   if
	   :: answer?message(eval(station))
	   :: answer?nothing(eval(station))
	   fi;
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
