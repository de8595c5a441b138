// Below the least value.
// states: 25
// transitions: 40
// verdict: assertion
byte b; short s = -32768; bit t; bool f;
active proctype P() { b--; s--; t--; f--; assert(b == 255 && s == 32767 && t == 1 && f == 1) }
active proctype Q() { b++; s++ }
