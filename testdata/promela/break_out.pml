// A break leaves the innermost loop.
// states: 8
// transitions: 8
// verdict: holds
byte x;
active proctype P() { do :: do :: x < 2 -> x++ :: x == 2 -> break od; break :: x == 7 -> skip od; x = 5 }
