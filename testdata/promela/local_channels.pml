// Every process has its own channel.
// states: 16
// transitions: 21
// verdict: holds
byte x;
active [2] proctype P() { chan q = [1] of { byte }; q!_pid; q?x }
