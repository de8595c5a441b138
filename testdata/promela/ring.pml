// A token goes around a ring of rendezvous channels.
// states: 35
// transitions: 43
// verdict: holds
chan c[3] = [0] of { byte }; byte laps;
active [3] proctype P() { byte k; if :: _pid == 0 -> c[1]!1 :: else fi; end: do :: c[_pid]?k -> if :: _pid == 0 -> laps = (laps + 1) % 3; c[1]!k :: else -> c[(_pid + 1) % 3]!k fi od }
