// Arrays and indices.
// states: 23
// transitions: 35
// verdict: holds
byte a[4] = 2; byte b[3] = { 1, 2, 3 }; bit f[2];
active [2] proctype P() { a[_pid] = b[_pid + 1]; f[1 - _pid] = 1; a[b[0]] = 9 }
