// ?[] asks without an effect.
// states: 15
// transitions: 18
// verdict: holds
chan q = [2] of { byte, bit }; byte x;
active proctype P() { q!4,1; q!5,0 }
active proctype Q() { do :: q?[4,1] -> x = 1; q?_,_ :: q??[5,0] -> break od }
