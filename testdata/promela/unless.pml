// An escape takes over.
// states: 30
// transitions: 45
// verdict: holds
byte x;
active proctype P() { { do :: x < 5 -> x++ od } unless { x == 3 -> x = 10 }; x = 11 }
active proctype Q() { x = 2 }
