// Who moved last changes when a deterministic step is done.
// states: 20
// transitions: 28
// verdict: holds
byte x;
active [2] proctype P() { d_step { x = _last; x = x + 2 * _last }; x = 9 }
