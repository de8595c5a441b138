// After a handshake the receiver decides who goes on.
// states: 19
// transitions: 22
// verdict: holds
chan c = [0] of { byte }; byte x;
active proctype S() { atomic { c!1; x = x * 2 + 1 }; x = x * 2 }
active proctype R() { atomic { c?_; x = x + 3; x++ }; x = 1 }
