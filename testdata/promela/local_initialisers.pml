// Initial values that are computed.
// states: 31
// transitions: 36
// verdict: holds
byte g = 3;
proctype P(byte k) { byte a = k + 1; byte b = a * 2; byte c = g; g = a + b + c }
init { run P(1); g = 7; run P(2) }
