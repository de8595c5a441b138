// A jump out of two loops, and a label before a loop.
// states: 23
// transitions: 24
// verdict: holds
byte x, y;
active proctype P() { top: do :: x < 2 -> x++; do :: y < 3 -> y++ :: y == 2 -> goto top :: y == 3 -> goto out od :: else -> break od; y = 9; out: x = 7 }
