// A handshake that needs the right value.
// states: 21
// transitions: 25
// verdict: assertion, deadlock
chan c = [0] of { byte, byte }; byte x = 1;
active proctype P() { c!1,4; c!2,5 }
active proctype Q() { c?eval(x),x; c?2,x; assert(x == 5) }
active proctype R() { x == 4 -> x = 6 }
