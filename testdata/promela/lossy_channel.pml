// A channel that loses, with a timeout that sends again.
// states: 32
// transitions: 35
// verdict: holds
chan c = [1] of { bit }; chan a = [1] of { bit }; byte n;
active proctype S() { bit b; do :: n < 3 -> c!b; if :: a?eval(b) -> b = 1 - b; n++ :: timeout fi :: else -> break od }
active proctype L() { end: do :: c?_ od }
active proctype R() { bit e, k; end: do :: c?k -> if :: k == e -> e = 1 - e :: else fi; a!k od }
