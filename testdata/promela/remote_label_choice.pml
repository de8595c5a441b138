// Labels before an if, a do, an atomic sequence and braces.
// states: 149
// transitions: 251
// verdict: holds
byte x, seen;
active proctype P() { a: if :: x = 1 :: x = 2 fi; b: do :: x < 4 -> x++ :: x >= 4 -> break od; c: atomic { x = 5; x = 6 }; d: { x = 7; x = 8 } }
active proctype Q() { do :: P@a -> seen = 1 :: P@b -> seen = 2 :: P@c -> seen = 3 :: P@d -> seen = 4 :: seen == 4 -> break :: x == 8 -> break od }
