// Channels can be compared.
// states: 11
// transitions: 11
// verdict: holds
chan a = [1] of { byte }; chan b = [1] of { byte }; chan c; byte x;
active proctype P() { c = a; if :: c == b -> x = 1 :: c == a -> x = 2 fi; c = b; assert(c != a); c!x }
active proctype Q() { b?x -> x = x + 10 }
