// The hold of the sender is lost.
// states: 11
// transitions: 12
// verdict: holds
chan c = [0] of { byte }; byte x;
active proctype S() { atomic { x = 1; c!1; x = x * 2 + 1 } }
active proctype R() { c?_; x = x + 3 }
