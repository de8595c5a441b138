// Of skips in a row inside an option, those between the first and the last statement are left out.
// states: 24
// transitions: 27
// verdict: holds
byte x;
active proctype P() { do :: x < 2 -> skip; skip; true; x++ :: x == 2 -> skip; skip; break :: skip; printf("a"); skip; 1; x = 2; skip; skip od; skip; skip; if :: skip; here: skip; skip; skip fi }
