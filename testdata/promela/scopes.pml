// Two variables of one name.
// states: 7
// transitions: 7
// verdict: holds
byte x;
active proctype P() { { byte k = 1; x = k }; { byte k = 2; x = x + k }; assert(x == 3) }
