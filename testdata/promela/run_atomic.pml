// All started at once.
// states: 19
// transitions: 29
// verdict: holds
byte x;
proctype P() { x++ }
init { atomic { run P(); run P(); run P() }; _nr_pr == 1 -> assert(x == 3) }
