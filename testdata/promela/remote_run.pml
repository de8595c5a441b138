// The number of the process is computed.
// states: 149
// transitions: 277
// verdict: assertion, deadlock
byte done;
proctype P() { byte n; do :: n < 3 -> n++ :: n == 3 -> break od; stop: done++ }
init { byte a, b; atomic { a = run P(); b = run P() }; P[a]:n + P[b]:n == 5; P[a]@stop; assert(P[a]:n == 3); done == 2 }
