// Two processes of one kind at the same place.
// states: 57
// transitions: 91
// verdict: holds
byte same;
active [2] proctype P() { byte n; n = 1; if :: pc_value(0) == pc_value(1) -> same = 1 :: else -> same = 0 fi; n = 2 }
