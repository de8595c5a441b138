// The receiver blocks inside its atomic sequence, the sender goes on.
// states: 9
// transitions: 10
// verdict: holds
chan c = [0] of { byte }; byte x;
active proctype S() { atomic { c!1; x = 1; c!2; x = x + 4 } }
active proctype R() { atomic { c?_; x == 1; x = 2; c?_; x = x + 8 } }
