// From outside into the middle of an atomic sequence.
// states: 86
// transitions: 137
// verdict: holds
byte x;
active [2] proctype P() { if :: goto middle :: x = 5 fi; atomic { x = 1; x = 2; middle: x = x + 3; x = x * 2 }; x++ }
