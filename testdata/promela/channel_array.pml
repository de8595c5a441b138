// An array of channels.
// states: 87
// transitions: 168
// verdict: holds
chan q[3] = [1] of { byte }; byte x;
active [3] proctype P() { q[_pid]!_pid; if :: _pid < 2 -> q[_pid + 1]?x :: else -> q[0]?x fi }
