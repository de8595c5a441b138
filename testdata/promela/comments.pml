// Comments in odd places.
// states: 4
// transitions: 4
// verdict: holds
/* one */ byte /* two
*/ x /**/ = /* // not a comment */ 1; // the rest */
active proctype P() { x = x /* / */ / 1 + //*
1; /***/ assert(x == 2) }
