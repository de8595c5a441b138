// Each subtype counts on its own.
// states: 53
// transitions: 73
// verdict: holds
mtype:colour = { red, green, blue }; mtype = { a, b, c }; mtype:colour k = blue; mtype m; byte x;
active proctype P() { if :: k == blue -> k = red :: k == green -> k = blue fi; m = c; x = k + m; m = a; x = x + m }
active proctype Q() { k = green }
