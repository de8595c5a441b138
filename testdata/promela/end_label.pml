// A process may stop at an end label.
// states: 7
// transitions: 8
// verdict: holds
chan q = [1] of { byte };
active proctype P() { byte k; end: do :: q?k od }
active proctype Q() { q!1; q!2 }
