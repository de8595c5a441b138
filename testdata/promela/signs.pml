// Signs of quotients, remainders and shifts.
// states: 37
// transitions: 59
// verdict: assertion
int i = -7; short s = -1; byte b;
active proctype P() { assert(i / 2 == -3 && i % 3 == -1 && i >> 1 == -4 && s >> 3 == -1 && (s & 255) == 255); i = 1 << 31; assert(i < 0); i = -i; assert(i < 0); b = -3; assert(b == 253); b = ~b; assert(b == 2); i = 65536 * 32768; assert(i == -2147483648) }
active proctype Q() { s = 0 }
