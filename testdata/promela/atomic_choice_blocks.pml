// A choice inside an atomic sequence waits.
// states: 23
// transitions: 29
// verdict: deadlock
byte x;
active proctype P() { atomic { x = 1; if :: x == 3 -> x = 4 :: x == 5 -> x = 6 fi; x++ }; x = 0 }
active proctype Q() { x = 3; x = 5 }
