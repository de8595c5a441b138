// Messages of one bit alone are bytes.
// states: 10
// transitions: 12
// verdict: holds
chan q = [2] of { bit }; byte x;
active proctype P() { q!5; q!2 }
active proctype Q() { q?x; x = x + 1; q?x }
