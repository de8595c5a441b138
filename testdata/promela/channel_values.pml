// Channels are values.
// states: 7
// transitions: 7
// verdict: deadlock
chan a = [1] of { byte }; chan b = [1] of { byte }; chan c; byte x;
active proctype P() { if :: c = a :: c = b fi; c!3; a?x }
