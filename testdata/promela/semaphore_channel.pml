// A channel with one message is a semaphore.
// states: 86
// transitions: 116
// verdict: holds
chan s = [1] of { bit }; byte in;
init { s!1; atomic { run P(); run P(); run P() } }
proctype P() { s?_; in++; assert(in == 1); in--; s!1 }
