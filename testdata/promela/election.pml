// The largest number wins on a ring of buffered channels.
// states: 89
// transitions: 176
// verdict: holds
chan c[3] = [2] of { byte }; byte leaders; bool done;
active [3] proctype P() { byte k, mine = (_pid * 2) % 3 + 1; c[(_pid + 1) % 3]!mine; end: do :: c[_pid]?k -> if :: k > mine -> c[(_pid + 1) % 3]!k :: k < mine :: k == mine -> leaders++; assert(leaders == 1) fi od }
