// An older process stays until the younger ones have gone.
// states: 58
// transitions: 97
// verdict: assertion, deadlock
byte x;
proctype Old() { x = 1 }
proctype Young() { x = 2; _nr_pr > 2; x = 3 }
init { atomic { run Old(); run Young() }; x == 3 -> run Old(); assert(_nr_pr >= 2) }
