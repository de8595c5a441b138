// A channel goes over a rendezvous.
// states: 6
// transitions: 6
// verdict: deadlock
chan c = [0] of { chan, byte }; byte x;
active proctype P() { chan mine = [0] of { byte }; c!mine,3; mine?x }
active [2] proctype Q() { chan theirs; byte k; c?theirs,k; theirs!k + _pid }
