// Only the processes with the highest priority of those that can move may move.
// states: 22
// transitions: 28
// verdict: holds
byte x, order;
active proctype Low() { x = 1; x = 2; order = order * 2 + 1 }
active proctype High() priority 9 { (x == 1); x = 5; x = 6; order = order * 3 + 1 }
active [2] proctype Middle() priority 5 { (x > 1); order++ }
