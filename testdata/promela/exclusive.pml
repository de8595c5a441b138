// xr and xs are claims about channels.
// states: 7
// transitions: 7
// verdict: holds
chan q = [1] of { byte };
active proctype P() { xs q; q!1; q!2 }
active proctype Q() { xr q; q?_; q?_ }
