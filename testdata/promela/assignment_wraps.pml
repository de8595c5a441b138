// Values wrap around in their types.
// states: 8
// transitions: 8
// verdict: holds
byte b = 255; short s = 32767; bit t; unsigned u : 3 = 7; int i = 2147483647;
active proctype P() { b++; s++; t = 3; u = u + 2; i = i + 1; assert(b == 0 && s == -32768 && t == 1 && u == 1 && i < 0) }
