// An array of bits holds bytes.
// states: 48
// transitions: 67
// verdict: assertion
bit a[2]; bool f[2]; bit one;
active proctype P() { a[0] = 3; one = 3; f[1] = 258; assert(a[0] == 3 && one == 1 && f[1] == 2) }
active proctype Q() { a[0]--; one-- }
