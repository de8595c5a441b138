// A process that is run has priority 1 unless the run says otherwise.
// states: 25
// transitions: 27
// verdict: holds
byte x;
proctype A() priority 8 { x++; x = x * 2 }
init priority 2 { run A(); run A() priority 4; x = x + 3; run A() priority 2; x = x + 5 }
