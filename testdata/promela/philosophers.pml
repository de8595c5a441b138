// Dining philosophers deadlock.
// states: 26
// transitions: 52
// verdict: deadlock
bit fork[3];
active [3] proctype P() { do :: atomic { !fork[_pid] -> fork[_pid] = 1 }; atomic { !fork[(_pid + 1) % 3] -> fork[(_pid + 1) % 3] = 1 }; fork[_pid] = 0; fork[(_pid + 1) % 3] = 0 od }
