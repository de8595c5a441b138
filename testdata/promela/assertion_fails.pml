// A lost update.
// states: 13
// transitions: 15
// verdict: deadlock
byte x;
active [2] proctype P() { byte k; k = x; x = k + 1 }
active proctype Q() { _nr_pr == 1 -> assert(x == 2) }
