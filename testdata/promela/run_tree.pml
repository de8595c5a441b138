// Processes that create processes.
// states: 22
// transitions: 31
// verdict: holds
byte x;
proctype P(byte depth) { if :: depth > 0 -> run P(depth - 1); run P(depth - 1) :: else -> x++ fi }
init { run P(1) }
