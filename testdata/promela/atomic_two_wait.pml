// Two processes wait inside their atomic sequences.
// states: 22
// transitions: 34
// verdict: holds
byte x, y;
active [2] proctype P() { atomic { x++; y > _pid; x = x + 10; y++ }; x = x - 1 }
active proctype Q() { x == 2; y = 1 }
