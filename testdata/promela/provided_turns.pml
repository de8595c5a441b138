// Two processes that let each other move.
// states: 9
// transitions: 9
// verdict: holds
byte turn, x;
active [2] proctype P() provided (turn == _pid) { x = x * 2 + _pid; turn = 1 - _pid; x++; turn = 1 - _pid }
