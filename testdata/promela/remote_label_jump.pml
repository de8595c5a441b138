// A label before a jump that another process asks for is a place of its own.
// states: 406
// transitions: 842
// verdict: holds
byte x;
active proctype P() { do :: x < 2 -> x++; again: goto more; more: skip :: else -> break od; goto out; out: skip }
active [2] proctype Q() { byte n; do :: P[0]@again && n < 2 -> n++ :: n == 2 -> break :: timeout -> break od }
