// Nested escapes.
// states: 3310
// transitions: 5843
// verdict: holds
byte x, y;
active proctype P() { { { do :: x++ :: x > 6 -> x = 0 od } unless { y == 1 -> x = 20; x = 21 } } unless { y == 2 -> x = 30 } }
active proctype Q() { y = 1; y = 2 }
