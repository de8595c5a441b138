// Initial values that are computed.
// states: 5
// transitions: 5
// verdict: holds
typedef T { byte a = 3; byte b[2] = 4; short c = -2 }
byte g = 2;
byte h = (g > 1 -> 5 : 6);
byte k = (g << 2) | 1;
byte both = (g == 2 && h == 5) || g / 2;
int negative = -g + ~g;
T t;
byte list[4] = { 7, 8, 9 };
init { byte x = h + k; T u; assert(h == 5 && k == 9 && both == 1 && negative == -5); assert(t.b[1] == 4 && u.c == -2 && list[3] == 9); x++ }
