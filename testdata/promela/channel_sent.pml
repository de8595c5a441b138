// A channel in a message.
// states: 8
// transitions: 9
// verdict: holds
chan q = [1] of { chan }; byte x;
active proctype P() { chan mine = [1] of { byte }; q!mine; mine?x }
active proctype Q() { chan theirs; q?theirs; theirs!5 }
