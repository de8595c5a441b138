// ++ and --.
// states: 31
// transitions: 51
// verdict: holds
byte a[2]; short s;
active [2] proctype P() { a[_pid]++; s--; a[_pid]--; s++ }
