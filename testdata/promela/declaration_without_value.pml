// So is one without a value.
// states: 18
// transitions: 18
// verdict: holds
byte x;
active proctype P() { do :: x < 3 -> x++; byte k; k++; assert(k == 1) :: x >= 3 -> break od }
