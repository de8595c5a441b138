// Choices in choices are one state.
// states: 9
// transitions: 9
// verdict: holds
byte x;
active proctype P() { do :: if :: x == 0 -> x = 1 :: x == 1 -> x = 2 fi :: if :: x == 2 -> x = 3 :: x == 3 -> break fi od }
