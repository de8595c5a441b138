// An else beside an offer.
// states: 16
// transitions: 17
// verdict: deadlock
chan c = [0] of { byte }; byte x;
active proctype S() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
active proctype R() { x = 5; if :: c?_ :: x == 2 -> skip fi }
