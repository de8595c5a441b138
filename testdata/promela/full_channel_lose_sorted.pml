// A full channel loses a message sent in order too, and its sender is never held up.
// full-channel: lose
// states: 3044
// transitions: 6797
// verdict: holds
chan q = [2] of { byte };
byte got;
active [2] proctype P() { byte i; do :: i < 2 -> q!!2 - _pid; i++ :: else -> break od; q!7 }
active proctype Q() { byte k; q?k; got = k; if :: q?k -> got = got + k :: empty(q) fi; end: q?k }
