// The write-only variable in every role.
// states: 9
// transitions: 9
// verdict: holds
chan q = [2] of { byte, bit }; byte x;
active proctype P() { _ = x + 1; q!1,1; q!2,0; q?_,_; q?[_,0] -> q?_,0; _ = 300 }
