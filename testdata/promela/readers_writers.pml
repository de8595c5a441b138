// Readers share, a writer is alone.
// states: 157
// transitions: 486
// verdict: holds
byte readers; bit writing;
active [2] proctype Reader() { do :: atomic { !writing -> readers++ }; assert(!writing); readers-- :: break od }
active [2] proctype Writer() { do :: d_step { !writing && readers == 0 -> writing = 1 }; assert(readers == 0); writing = 0 :: break od }
