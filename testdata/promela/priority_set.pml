// Priorities that change.
// states: 18
// transitions: 18
// verdict: holds
byte x;
active proctype A() priority 3 { x++; _priority = 1; x++; assert(get_priority(1) == 2); x = x * 2 }
active proctype B() priority 2 { x++; set_priority(0, 5); x++; x = x + 3; set_priority(9, 3); assert(get_priority(9) == 0 && _priority == 2) }
active proctype C() { x = x + 10; set_priority(_pid, 7); x = x + 20 }
