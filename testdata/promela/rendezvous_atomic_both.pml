// Both sides inside atomic sequences, over and over.
// states: 106
// transitions: 174
// verdict: holds
chan c = [0] of { byte }; byte x, n;
active proctype S() { do :: n < 2 -> atomic { n++; c!n; x = x + 10; x-- } :: else -> break od }
active proctype R() { byte k; do :: atomic { c?k -> x = x + k; x++ } :: n == 2 && x > 5 -> break od }
active proctype Q() { x = 50 }
