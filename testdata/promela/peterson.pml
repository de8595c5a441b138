// Mutual exclusion.
// states: 38
// transitions: 65
// verdict: holds
bit flag[2]; byte turn, in;
active [2] proctype P() { pid me = _pid; do :: flag[me] = 1; turn = me; (flag[1 - me] == 0 || turn == 1 - me); in++; assert(in == 1); in--; flag[me] = 0 od }
