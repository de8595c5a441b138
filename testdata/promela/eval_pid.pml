// A receiver asks for its own number.
// states: 22
// transitions: 36
// verdict: holds
chan q = [2] of { pid, byte }; byte got[3];
active [2] proctype R() { byte k; q?eval(_pid),k; got[_pid] = k }
active proctype S() { q!1,7; q!0,8 }
