// timeout joined with a condition.
// states: 10
// transitions: 10
// verdict: holds
byte x;
active proctype P() { (timeout && x == 2) -> x = 3; (x == 9 || timeout) -> x = 4; timeout }
active proctype Q() { x++; x++ }
