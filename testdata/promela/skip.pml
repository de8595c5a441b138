// A step that does nothing.
// states: 4
// transitions: 4
// verdict: holds
active proctype P() { skip; skip }
