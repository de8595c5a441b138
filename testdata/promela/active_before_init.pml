// Active processes come before init, whatever the order of the text.
// states: 149
// transitions: 204
// verdict: assertion
byte x;
init { x = x * 2 + _pid; run Q() }
active [2] proctype P() { x = x * 2 + _pid }
proctype Q() { assert(_pid == 3); x++ }
