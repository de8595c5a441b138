// Places inside an atomic sequence are not seen, one at which it blocks is.
// states: 10
// transitions: 12
// verdict: holds
byte x, seen;
active proctype P() { atomic { x = 1; inside: x = 2; (seen == 1); blocked: x = 3 } }
active proctype Q() { byte n; do :: P@inside -> n = 1 :: P@blocked -> n = 2 :: x == 2 -> seen = 1 :: x == 3 -> break od }
