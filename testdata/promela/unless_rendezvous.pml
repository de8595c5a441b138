// An escape by a handshake.
// states: 16
// transitions: 21
// verdict: deadlock
chan c = [0] of { byte }; byte x;
active proctype P() { { x = 1; x = 2; x = 3 } unless { c?_ -> x = 9 } }
active proctype Q() { c!1; x = 4 }
