// Handshakes.
// states: 12
// transitions: 13
// verdict: holds
chan c = [0] of { byte }; byte x;
active [2] proctype S() { c!_pid }
active proctype R() { byte k; c?k; x = k; c?k; x = x + k }
