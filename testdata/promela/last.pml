// Who moved last.
// states: 23
// transitions: 31
// verdict: holds
byte x;
active [2] proctype P() { x = 1; _last == 1 - _pid -> x = 2 }
