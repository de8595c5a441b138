// Processes and options with hardly anything in them.
// states: 63
// transitions: 133
// verdict: holds
byte x;
active proctype P() { skip }
active [2] proctype Q() { if :: true fi; do :: break od; { skip }; x++ }
