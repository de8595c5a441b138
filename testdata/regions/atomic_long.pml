// An atomic sequence of more than 20,000 steps is still one transition, and nothing inside it is stored.
// states: 10
// transitions: 14
// verdict: holds
short i, x;
active proctype P() {
  atomic { do :: i < 12000 -> i++ :: else -> break od; i = 0; x++ };
  assert(x >= 1)
}
active proctype Q() { atomic { x = x + 2; assert(i == 0) } }
