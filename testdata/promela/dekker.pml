// Mutual exclusion by turns.
// states: 146
// transitions: 275
// verdict: holds
bit want[2]; bit turn; byte in;
active [2] proctype P() { bit me = _pid; do :: want[me] = 1; do :: want[1 - me] -> if :: turn == 1 - me -> want[me] = 0; turn == me; want[me] = 1 :: else fi :: else -> break od; in++; assert(in == 1); in--; turn = 1 - me; want[me] = 0 od }
