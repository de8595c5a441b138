// Values thrown away.
// states: 7
// transitions: 7
// verdict: holds
chan q = [2] of { byte, byte };
active proctype P() { q!1,2; q!3,4; q?_,_; q?3,_; _ = 7 }
