// The escapes inside a choice bring their own escapes with them.
// states: 47
// transitions: 87
// verdict: holds
byte x;
active proctype P() { do :: { { x = 2 } unless { x < 3 -> x++ } } unless { x < 2 -> x++ } :: x > 5 -> break od }
active proctype Q() { x++; x++; x = 6 }
