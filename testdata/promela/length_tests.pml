// Comparisons of lengths that are tests for empty and full, and additions of several forms.
// states: 1450
// transitions: 3795
// verdict: holds
#define CAP 2
chan q = [CAP] of { byte };
bit sum;
byte count;
active [2] proctype P() { byte i; do :: len(q) < CAP && i < 2 -> atomic { q!i; i++; count++ } :: i == 2 -> break :: CAP == len(q) -> sum = sum + i od }
active proctype Q() { byte k; end: do :: 0 < len(q) -> q?k; sum = k + sum; count = count - 1 od }
