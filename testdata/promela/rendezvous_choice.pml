// Who of several shakes hands.
// states: 78
// transitions: 131
// verdict: holds
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active [2] proctype S() { if :: c!_pid :: d!_pid + 5 fi }
active [2] proctype R() { byte k; if :: c?k :: d?k fi; x = x + k }
