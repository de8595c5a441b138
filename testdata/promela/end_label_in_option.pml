// A label on the first statement of an option.
// states: 7
// transitions: 9
// verdict: deadlock
chan q = [1] of { byte };
active proctype P() { byte k; do :: end1: q?k -> skip od }
active proctype Q() { q!1 }
