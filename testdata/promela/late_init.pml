// init after an active proctype.
// states: 10
// transitions: 11
// verdict: holds
byte x;
active proctype P() { x = _pid + 1 }
init { x = _pid + 5 }
