// A channel as an argument.
// states: 35
// transitions: 54
// verdict: holds
proctype P(chan c; byte k) { c!k }
init { chan q = [2] of { byte }; byte x; run P(q, 3); run P(q, 4); q?x; q?x }
