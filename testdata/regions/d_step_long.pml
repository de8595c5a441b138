// A deterministic step of more than 20,000 statements.
// states: 10
// transitions: 14
// verdict: holds
short i, x;
active proctype P() {
  d_step { do :: i < 12000 -> i++ :: else -> break od; i = 0; x++ };
  assert(x >= 1)
}
active proctype Q() { d_step { x = x + 2; assert(i == 0) } }
