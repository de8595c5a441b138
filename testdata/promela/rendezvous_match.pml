// A handshake needs a match.
// states: 9
// transitions: 10
// verdict: holds
mtype = { a, b }; chan c = [0] of { mtype, byte }; byte x;
active proctype S() { do :: c!a,1 :: c!b,2 :: x == 3 -> break od }
active proctype R() { byte k; c?b,k; x = k; c?a(k); x = x + k }
