// Ways to write a value.
// states: 8
// transitions: 8
// verdict: holds
byte x = true; short y; bool f = false; mtype = { m };
active proctype P() { x = x + true; y = 0 - 5; f = !f; x = skip + m; assert(x == 2 && f) ; x = (true -> 7 : 8) }
