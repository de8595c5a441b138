// The same without the label is an invalid end.
// states: 7
// transitions: 8
// verdict: deadlock
chan q = [1] of { byte };
active proctype P() { byte k; do :: q?k od }
active proctype Q() { q!1; q!2 }
