// Inlines in inlines, with elements and values as parameters.
// states: 85
// transitions: 126
// verdict: assertion
byte a[2], x;
inline swap(p, q) { byte h; h = p; p = q; q = h }
inline twice(p, q, n) { swap(p, q); p = p + n; swap(q, p) }
active proctype P() { a[0] = 1; a[1] = 2; twice(a[0], a[1], x + 1); swap(a[1], x); assert(x < 4) }
active proctype Q() { x = 1 }
