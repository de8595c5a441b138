// A structure with a channel in it.
// states: 12
// transitions: 14
// verdict: holds
typedef T { chan c; byte n }; T t[2]; chan q = [1] of { byte }; chan r = [1] of { byte }; byte x;
active proctype P() { t[0].c = q; t[1].c = r; t[x].c!4; x = 1; t[x].c!5; t[0].c?t[1].n }
active proctype Q() { r?x }
