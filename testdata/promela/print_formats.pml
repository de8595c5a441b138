// All formats of printf.
// states: 21
// transitions: 33
// verdict: holds
mtype = { m }; byte x = 65;
active [2] proctype P() { printf("%d %u %x %o %c %e %%\n", x, x, x, x, x, m); x++; printf("plain") }
