// A declaration that control passes is an assignment.
// states: 18
// transitions: 18
// verdict: holds
byte x;
active proctype P() { do :: x < 3 -> x++; byte k = 5; k++; assert(k == 6) :: x >= 3 -> break od }
