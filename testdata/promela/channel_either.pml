// A variable holds a buffered channel or a rendezvous channel.
// states: 34
// transitions: 61
// verdict: holds
chan a = [1] of { byte }; chan b = [0] of { byte }; byte x;
proctype P(chan c) { c!3; x++ }
init { atomic { run P(a); run P(b) }; byte k; if :: a?k :: b?k fi; if :: a?k :: b?k fi; x = x + k }
