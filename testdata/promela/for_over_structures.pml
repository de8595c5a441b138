// for over an array of structures and over an array in one.
// states: 27
// transitions: 27
// verdict: holds
typedef T { byte a; byte b[2] }; T t[2]; byte s;
active proctype P() { byte i, j; for (i in t) { t[i].a = i + 1; for (j in t[i].b) { t[i].b[j] = 10 * i + j } } s = t[1].a + t[1].b[1] }
