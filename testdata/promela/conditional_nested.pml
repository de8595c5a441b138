// Conditional expressions in conditions, messages, indices and in each other.
// states: 50
// transitions: 66
// verdict: holds
byte a[3], x; chan q = [1] of { byte };
active [2] proctype P() { a[(_pid == 0 -> 2 : 1)] = (x > 0 -> (x > 1 -> 5 : 4) : 3); q!(a[1] > a[2] -> 1 : 2); (x == 1 -> len(q) > 0 : true) -> q?x }
