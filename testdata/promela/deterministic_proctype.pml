// A D_proctype with one choice at a time.
// states: 7
// transitions: 7
// verdict: holds
byte x;
active D_proctype P() { do :: x < 2 -> x++ :: else -> break od }
