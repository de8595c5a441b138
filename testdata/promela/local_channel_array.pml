// An array of own channels.
// states: 43
// transitions: 73
// verdict: holds
byte x;
active [2] proctype P() { byte j, k; chan q[2] = [1] of { byte }; q[0]!1; q[1]!2; q[k]?j; x = j; q[j]?k }
