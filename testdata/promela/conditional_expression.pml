// (c -> a : b).
// states: 48
// transitions: 69
// verdict: holds
byte x; short y;
active [2] proctype P() { x = (_pid == 0 -> 3 : 4); y = (x > 3 -> -x : x << 2); y = y / 2 % 3 }
