// Structures in structures.
// states: 15
// transitions: 22
// verdict: holds
typedef I { byte v[2] }; typedef O { I i[2]; byte w }; O o[2];
active [2] proctype P() { o[_pid].i[1].v[_pid] = 3; o[1].w = o[0].i[1].v[0] }
