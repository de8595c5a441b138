// Symbolic values.
// states: 9
// transitions: 9
// verdict: holds
mtype = { red, green, blue }; mtype c = red; mtype:fruit = { apple, pear }; mtype:fruit f = pear;
active proctype P() { do :: c == red -> c = green :: c == green -> c = blue :: c == blue -> break od; f = apple; assert(c < red) }
