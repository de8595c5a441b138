// Printing is a step without effect.
// states: 21
// transitions: 33
// verdict: holds
mtype = { m }; byte x;
active [2] proctype P() { printf("%d %e\n", x, m); printm(m); x++ }
