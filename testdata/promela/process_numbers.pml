// _pid and _nr_pr while processes come and go.
// states: 240
// transitions: 438
// verdict: holds
byte x, seen[4];
proctype P(byte k) { seen[_pid] = _nr_pr; if :: k > 0 -> run P(k - 1) :: else fi; x = x + _pid }
init { run P(1); _nr_pr < 3; run P(0) }
