// Ranges that are empty, negative, nested, or left early.
// states: 40
// transitions: 40
// verdict: holds
byte s, low = 2; short t;
active proctype P() { short i; byte j; for (i : low .. 1) { s = 99 } for (i : -1 .. 1) { t = t + i; for (j : 0 .. 1) { s++; if :: s == 3 -> break :: else fi } } assert(i == 2 && t == 0) }
