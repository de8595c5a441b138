// Processes come and go.
// states: 16
// transitions: 20
// verdict: holds
byte x;
proctype P(byte k) { x = x + k }
init { pid p; p = run P(1); run P(2); _nr_pr == 1; assert(x == 3 && p == 1) }
