// Messages lost in choices, atomic and deterministic steps; a rendezvous loses nothing.
// full-channel: lose
// states: 308
// transitions: 726
// verdict: holds
chan q = [1] of { byte, bit };
chan r = [0] of { byte };
active [2] proctype P() { if :: q!1,0 :: else -> skip fi; atomic { q!2,1; q!3,1 }; r!1; d_step { q!4,0; q!5,0 } }
active proctype Q() { byte k; bit b; do :: q?k,b :: r?k :: q??5,_ :: full(q) -> skip :: timeout -> break od }
