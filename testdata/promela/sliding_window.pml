// Two messages on their way, acknowledged together.
// states: 164
// transitions: 265
// verdict: holds
chan data = [2] of { byte, bit }; chan acks = [1] of { byte }; byte next, got;
active proctype S() { byte sent, a; end: do :: sent - a < 2 && sent < 4 -> data!sent,sent % 2; sent++ :: acks?a od }
active proctype R() { byte k; bit b; end: do :: data?k,b -> assert(k == got && b == got % 2); got++; if :: nfull(acks) -> acks!got :: else fi od }
