// A trace assertion is read, and left to who checks it.
// states: 18
// transitions: 28
// verdict: holds
mtype = { a, b };
chan q = [1] of { mtype, byte };
active proctype P() { do :: q!a, 1 :: q!b, 2 :: break od }
active proctype Q() { mtype m; byte n; end: do :: q?m, n od }
trace { end: do :: q!a, _ ; q?a, _ :: q!b, 2; q?b, 2 od }
